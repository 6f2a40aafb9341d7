/** The report on a push: the outcome of each row of the file. */

import type { BalanceCheck } from '../balances/balances.ts';
import { csvOf } from '../export/csv.ts';
import { withoutFormula } from '../export/export-rows.ts';
import { type OmittedRow, omittedRows } from '../import/entries/omitted-rows.ts';
import type { Balance, ImportResult, ReadEntry } from '../import/result.ts';
import { FIELD_WORDS } from '../match/compared-entry.ts';
import { type FileEntry, type FileResult, type Repetition, repeatsText } from '../match/row.ts';
import { plainPounds, pounds } from '../pounds.ts';
import { type RowOutcome, takenText } from './outcomes.ts';

export const REPORT_COLUMNS = [
  ...(['row', 'status', 'id', 'reference', 'detail'] as const),
  ...(['part', 'source', 'rule', 'file'] as const),
] as const;
/** Only in the report of a finished push of files with balances. */
export const CLOSING_COLUMNS = ['account', 'closingDate', 'closing'] as const;

/** The closing balance of the statement of a row. */
interface StatementEnd {
  /** The bank account. */
  account: string;
  closing: Balance;
}

interface ReportRow {
  row: number;
  status:
    | Exclude<RowOutcome['status'], 'taken'>
    | 'reference taken'
    | 'unknown'
    | 'not sent'
    | 'skipped'
    | 'left out'
    | 'invalid';
  id: string;
  reference: string;
  detail: string;
  /** Of a row that a rule splits. */
  part: number | '';
  source: string;
  /** The line of the rule that decided. */
  rule: number | '';
  file: string;
  account?: string;
  closingDate?: string;
  /** In pounds. */
  closing?: string;
}

/** The rows as CSV. No cell is a formula for a spreadsheet. */
export function reportCsv(rows: readonly ReportRow[]): string {
  const hasClosings = rows.some(({ closing }) => closing !== undefined);
  const columns = hasClosings ? [...REPORT_COLUMNS, ...CLOSING_COLUMNS] : REPORT_COLUMNS;
  const cells = rows.map((row) => columns.map((column) => withoutFormula(String(row[column] ?? ''))));
  return csvOf([columns, ...cells]);
}

/** Files that were pushed, and the outcome of each entry. */
export interface ReportedPush {
  files: readonly FileResult[];
  entries: readonly FileEntry[];
  repeated: readonly Repetition[];
  /** By the index of the entry. */
  outcomes: readonly (RowOutcome | undefined)[];
  /** The indexes of entries that may be stored. */
  unknown: readonly number[];
}

/**
 * The report on all rows of the files, as CSV.
 * @param balances of each file, if the push is finished: adds the closing balances
 */
export function pushReport(
  { files, entries, repeated, outcomes, unknown }: ReportedPush,
  whyNotSent: string | undefined,
  balances: readonly (readonly BalanceCheck[])[] = [],
): string {
  const rows = files.flatMap(({ name, result }, file) => {
    const own = [...entries.keys()].filter((index) => entries[index]?.file === name);
    const again = repeated.flatMap(({ file, row, first }) =>
      file === name ? { row, reason: repeatsText(first) } : [],
    );
    return reportRows(
      {
        ...result,
        name,
        entries: own.map((index) => entries[index] as FileEntry),
        omitted: [...omittedRows(result), ...again],
        ends: endsOf(result, balances[file]),
      },
      own.map((index) => outcomes[index] ?? (unknown.includes(index) ? 'unknown' : undefined)),
      whyNotSent,
    );
  });
  return reportCsv(rows);
}

/** By row: the end of its statement, if its account and its closing balance are known. */
const endsOf = ({ statements }: ImportResult, balances: readonly BalanceCheck[] = []) =>
  new Map(
    statements.flatMap(({ rows }, index) => {
      const { account = '', closing } = balances[index] ?? {};
      return account === '' || !closing ? [] : rows.map(({ row }) => [row, { account, closing }] as const);
    }),
  );

/** The subject of a report: the rows of one file. */
interface ReportedFile
  extends Pick<ImportResult, 'entries' | 'invalid'>,
    Partial<Pick<ImportResult, 'leftOut'>> {
  name: string;
  omitted: readonly OmittedRow[];
  /** By the number of the row. */
  ends?: ReadonlyMap<number, StatementEnd>;
}

/**
 * In the order of the file. `outcomes` are by the index of the entry, `unknown` for an entry that may be stored; `whyNotSent` is the detail
 * of entries without an outcome.
 */
export function reportRows(
  { name, entries, omitted, invalid, leftOut = [], ends }: ReportedFile,
  outcomes: readonly (RowOutcome | 'unknown' | undefined)[],
  whyNotSent = '',
): ReportRow[] {
  const rowOf = (row: number, status: ReportRow['status'], fields: Partial<ReportRow>): ReportRow => ({
    row,
    status,
    id: '',
    reference: '',
    detail: '',
    part: '',
    source: '',
    rule: '',
    file: name,
    ...fields,
    ...closingCells(ends?.get(row)),
  });
  const decided = ({ part, rule, source }: Pick<ReadEntry, 'part' | 'rule' | 'source'>) => ({
    ...(part !== undefined && { part }),
    ...(rule !== undefined && { rule }),
    source: source?.name ?? '',
  });
  const sent = entries.map((read, index) => {
    const known = outcomes[index];
    const outcome = known === 'unknown' ? undefined : known;
    return rowOf(read.row, statusOf(known), {
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
    ...omitted.map(({ row, reason, rule, isByHand }) =>
      rowOf(row, rule === undefined && !isByHand ? 'skipped' : 'left out', {
        detail: reason,
        rule: rule ?? '',
      }),
    ),
    ...invalid.map(({ row, column, message }) => rowOf(row, 'invalid', { detail: `${column}: ${message}` })),
  ].sort((one, two) => one.row - two.row || Number(one.part) - Number(two.part));
}

function closingCells(end: StatementEnd | undefined): Partial<ReportRow> {
  if (!end) return {};
  const { account, closing } = end;
  return { account, closingDate: closing.date, closing: plainPounds(closing.pence) };
}

function statusOf(outcome: RowOutcome | 'unknown' | undefined): ReportRow['status'] {
  if (outcome === 'unknown') return outcome;
  return outcome?.status === 'taken' ? 'reference taken' : (outcome?.status ?? 'not sent');
}

function detailOf(outcome: RowOutcome): string {
  if (outcome.status === 'elsewhere') return `is in ${outcome.source.name}`;
  if (outcome.status === 'probably known' || outcome.status === 'probably a correction') {
    const { date, description, amountPence } = outcome.stored;
    const what = outcome.status === 'probably known' ? 'is' : 'corrects';
    return `${what} probably the entry of ${date}, ${pounds(amountPence)}, ${description ?? 'without a description'}`;
  }
  if (outcome.status === 'taken') return takenText(outcome);
  if (outcome.status !== 'conflict') return '';
  const fields = outcome.fields.map((field) => FIELD_WORDS[field as keyof typeof FIELD_WORDS] ?? field);
  return `differs in ${fields.join(', ')}`;
}
