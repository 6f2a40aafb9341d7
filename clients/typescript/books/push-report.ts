/** The report on a push: what became of each row of the file. */
import type { ImportResult } from '../import/options.ts';
import type { Outcome } from '../push.ts';
import { csvOf } from './csv.ts';
import { withoutFormula } from './export-rows.ts';

const REPORT_COLUMNS = ['row', 'status', 'id', 'reference', 'detail'] as const;

interface ReportRow {
  row: number;
  status: Outcome['status'] | 'not sent' | 'skipped' | 'invalid';
  id: string;
  reference: string;
  detail: string;
}

/** The rows as CSV. No text of it is a formula for a spreadsheet. */
export function reportCsv(rows: readonly ReportRow[]): string {
  const cells = rows.map((row) => REPORT_COLUMNS.map((column) => withoutFormula(String(row[column]))));
  return csvOf([REPORT_COLUMNS, ...cells]);
}

/** In the order of the file. `outcomes` are those of the first entries; `whyNotSent` is the detail of the others. */
export function reportRows(
  { entries, skipped, invalid }: Pick<ImportResult, 'entries' | 'skipped' | 'invalid'>,
  outcomes: readonly Outcome[],
  whyNotSent = '',
): ReportRow[] {
  const sent = entries.map(({ row, entry }, index): ReportRow => {
    const outcome = outcomes[index];
    const differs = outcome?.status === 'conflict' ? `differs in ${outcome.fields.join(', ')}` : '';
    return {
      row,
      status: outcome?.status ?? 'not sent',
      id: outcome?.id ?? '',
      reference: entry.externalRef ?? '',
      detail: outcome ? differs : whyNotSent,
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
