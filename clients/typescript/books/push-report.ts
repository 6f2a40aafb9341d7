/** The report on a push: what became of each row of the file. */
import type { ImportResult } from '../import/options.ts';
import { csvOf } from './csv.ts';
import { withoutFormula } from './export-rows.ts';
import type { RowOutcome } from './outcomes.ts';

const REPORT_COLUMNS = ['row', 'status', 'id', 'reference', 'detail'] as const;

interface ReportRow {
  row: number;
  status: RowOutcome['status'] | 'not sent' | 'skipped' | 'invalid';
  id: string;
  reference: string;
  detail: string;
}

/** The rows as CSV. No text of it is a formula for a spreadsheet. */
export function reportCsv(rows: readonly ReportRow[]): string {
  const cells = rows.map((row) => REPORT_COLUMNS.map((column) => withoutFormula(String(row[column]))));
  return csvOf([REPORT_COLUMNS, ...cells]);
}

/** In the order of the file. `outcomes` are those of the entries, by their index; `whyNotSent` is the detail of those without one. */
export function reportRows(
  { entries, skipped, invalid }: Pick<ImportResult, 'entries' | 'skipped' | 'invalid'>,
  outcomes: readonly (RowOutcome | undefined)[],
  whyNotSent = '',
): ReportRow[] {
  const sent = entries.map(({ row, entry }, index): ReportRow => {
    const outcome = outcomes[index];
    return {
      row,
      status: outcome?.status ?? 'not sent',
      id: outcome?.id ?? '',
      reference: entry.externalRef ?? '',
      detail: outcome ? detailOf(outcome) : whyNotSent,
    };
  });
  const other = (row: number, status: ReportRow['status'], detail: string): ReportRow => ({
    row,
    status,
    id: '',
    reference: '',
    detail,
  });
  return [
    ...sent,
    ...skipped.map(({ row, reason }) => other(row, 'skipped', reason)),
    ...invalid.map(({ row, column, message }) => other(row, 'invalid', `${column}: ${message}`)),
  ].sort((one, two) => one.row - two.row);
}

function detailOf(outcome: RowOutcome): string {
  if (outcome.status === 'elsewhere') return `is in ${outcome.source.name}`;
  return outcome.status === 'conflict' ? `differs in ${outcome.fields.join(', ')}` : '';
}
