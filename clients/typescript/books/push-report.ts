/** The report on a push: what became of each row of the file. */
import type { ImportResult, ReadEntry } from '../import/options.ts';
import { csvOf } from './csv.ts';
import { withoutFormula } from './export-rows.ts';
import type { RowOutcome } from './outcomes.ts';
import { pounds } from './pounds.ts';

const REPORT_COLUMNS = [
  ...(['row', 'status', 'id', 'reference', 'detail'] as const),
  ...(['part', 'source', 'rule', 'file'] as const),
] as const;

interface ReportRow {
  row: number;
  status: RowOutcome['status'] | 'not sent' | 'skipped' | 'left out' | 'invalid';
  id: string;
  reference: string;
  detail: string;
  /** Of a row that a rule splits. */
  part: number | '';
  source: string;
  /** The line of the rule that decided. */
  rule: number | '';
  file: string;
}

/** The rows as CSV. No text of it is a formula for a spreadsheet. */
export function reportCsv(rows: readonly ReportRow[]): string {
  const cells = rows.map((row) => REPORT_COLUMNS.map((column) => withoutFormula(String(row[column]))));
  return csvOf([REPORT_COLUMNS, ...cells]);
}

/** What the report is of: the rows of one file. */
export interface ReportedFile
  extends Pick<ImportResult, 'entries' | 'skipped' | 'invalid'>,
    Partial<Pick<ImportResult, 'leftOut'>> {
  name: string;
}

/** In the order of the file. `outcomes` are those of the entries, by their index; `whyNotSent` is the detail of those without one. */
export function reportRows(
  { name, entries, skipped, invalid, leftOut = [] }: ReportedFile,
  outcomes: readonly (RowOutcome | undefined)[],
  whyNotSent = '',
): ReportRow[] {
  const rowOf = (row: number, status: ReportRow['status'], fields: Partial<ReportRow>): ReportRow => ({
    ...{ row, status, id: '', reference: '', detail: '', part: '', source: '', rule: '', file: name },
    ...fields,
  });
  const decided = ({ part, rule, source }: Pick<ReadEntry, 'part' | 'rule' | 'source'>) => ({
    ...(part !== undefined && { part }),
    ...(rule !== undefined && { rule }),
    source: source?.name ?? '',
  });
  const sent = entries.map((read, index) => {
    const outcome = outcomes[index];
    return rowOf(read.row, outcome?.status ?? 'not sent', {
      id: outcome?.id ?? '',
      reference: read.entry.externalRef ?? '',
      detail: outcome ? detailOf(outcome) : whyNotSent,
      ...decided(read),
    });
  });
  const parts = leftOut.filter(({ part }) => part !== undefined);
  return [
    ...sent,
    ...parts.map((each) =>
      rowOf(each.row, 'left out', { detail: pounds(each.amountPence), ...decided(each) }),
    ),
    ...skipped.map(({ row, reason, rule }) =>
      rule === undefined
        ? rowOf(row, 'skipped', { detail: reason })
        : rowOf(row, 'left out', { detail: reason, rule }),
    ),
    ...invalid.map(({ row, column, message }) => rowOf(row, 'invalid', { detail: `${column}: ${message}` })),
  ].sort((one, two) => one.row - two.row || Number(one.part) - Number(two.part));
}

function detailOf(outcome: RowOutcome): string {
  if (outcome.status === 'elsewhere') return `is in ${outcome.source.name}`;
  if (outcome.status === 'probably known') {
    const { date, description } = outcome.stored;
    return `is probably the entry of ${date}, ${description ?? 'without a description'}`;
  }
  return outcome.status === 'conflict' ? `differs in ${outcome.fields.join(', ')}` : '';
}
