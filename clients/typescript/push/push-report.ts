/** The report on a push: the outcome of each row of the file. */

import type { BalanceCheck } from '../balances/balances.ts';
import { csvOf } from '../export/csv.ts';
import { withoutFormula } from '../export/export-rows.ts';
import { omittedRows } from '../import/entries/omitted-rows.ts';
import type { ImportEntry, ImportResult } from '../import/result.ts';
import { FIELD_WORDS } from '../match/compared-entry.ts';
import { type FileEntry, type FileResult, type RepeatedRow, repeatsText } from '../match/row.ts';
import { plainPounds, pounds } from '../pounds.ts';
import { type EntryOutcome, paymentText, takenText } from './outcomes.ts';

/** The columns of each report. Programs read them by name. */
export const REPORT_COLUMNS = [
  'row',
  'status',
  'id',
  'reference',
  'detail',
  'part',
  'source',
  'rule',
  'file',
] as const;
/** The columns that only the report of a finished push of files with balances has. */
export const CLOSING_COLUMNS = ['account', 'closingDate', 'closing'] as const;

interface ReportRow {
  row: number;
  status:
    | Exclude<EntryOutcome['status'], 'taken'>
    | 'reference taken'
    | 'unknown'
    | 'not sent'
    | 'skipped'
    | 'left out'
    | 'invalid';
  id: string;
  reference: string;
  detail: string;
  /** The number of the part, for a row that a rule splits. */
  part: number | '';
  source: string;
  /** The line of the rule that decided. */
  rule: number | '';
  file: string;
  /** The bank account. */
  account?: string;
  closingDate?: string;
  /** In pounds. */
  closing?: string;
}

/** Files that were pushed, and the outcome of each entry. */
export interface ReportedPush {
  files: readonly FileResult[];
  entries: readonly FileEntry[];
  repeated: readonly RepeatedRow[];
  /** Undefined for an entry that was not sent. In the order of the entries. */
  outcomes: readonly (EntryOutcome | undefined)[];
  /** The indexes of entries that may be stored. */
  unknownIndexes: readonly number[];
}

/**
 * The report on all rows of the files, as CSV. No cell is a formula for a spreadsheet.
 * @param whyNotSent the detail of entries without an outcome
 * @param balances of each file, if the push is finished: adds the closing balances
 */
export function pushReport(
  push: ReportedPush,
  whyNotSent = '',
  balances: readonly (readonly BalanceCheck[])[] = [],
): string {
  const rows = push.files.flatMap((file, index) => {
    const closings = closingsByRow(file.result, balances[index]);
    return reportRows(push, file, whyNotSent).map((row) => ({ ...row, ...closings.get(row.row) }));
  });
  const hasClosings = rows.some(({ closing }) => closing !== undefined);
  const columns = hasClosings ? [...REPORT_COLUMNS, ...CLOSING_COLUMNS] : REPORT_COLUMNS;
  const cells = rows.map((row) => columns.map((column) => withoutFormula(String(row[column] ?? ''))));
  return csvOf([columns, ...cells]);
}

/** The closing balance of the statement of each row, if that and the bank account are known. */
const closingsByRow = ({ statements }: ImportResult, balances: readonly BalanceCheck[] = []) =>
  new Map(
    statements.flatMap(({ rows }, index) => {
      const { account = '', closing } = balances[index] ?? {};
      if (account === '' || !closing) return [];
      const cells = { account, closingDate: closing.date, closing: plainPounds(closing.pence) };
      return rows.map(({ row }) => [row, cells] as const);
    }),
  );

/** The lines of the report about one file, in the order of its rows. */
function reportRows(
  { entries, repeated, outcomes, unknownIndexes }: ReportedPush,
  { name, result }: FileResult,
  whyNotSent: string,
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
  });
  const decided = ({ part, rule, source }: Pick<ImportEntry, 'part' | 'rule' | 'source'>) => ({
    ...(part !== undefined && { part }),
    ...(rule !== undefined && { rule }),
    source: source?.name ?? '',
  });
  const ofEntries = entries.flatMap((entry, index) => {
    if (entry.file !== name) return [];
    const outcome = outcomes[index];
    const status = reportStatus(outcome ?? (unknownIndexes.includes(index) ? 'unknown' : undefined));
    const detail = outcome ? detailOf(outcome) : whyNotSent;
    const { externalRef: reference = '' } = entry.entry;
    return rowOf(entry.row, status, { id: outcome?.id ?? '', reference, detail, ...decided(entry) });
  });
  const parts = result.leftOut.filter(({ part }) => part !== undefined);
  const ofFile = repeated.filter(({ file }) => file === name);
  return [
    ...ofEntries,
    ...parts.map((part) =>
      rowOf(part.row, 'left out', { detail: pounds(part.amountPence), ...decided(part) }),
    ),
    ...omittedRows(result).map(({ row, reason: detail, rule, isByHand }) =>
      rowOf(row, rule === undefined && !isByHand ? 'skipped' : 'left out', { detail, rule: rule ?? '' }),
    ),
    ...ofFile.map(({ row, first }) => rowOf(row, 'skipped', { detail: repeatsText(first) })),
    ...result.invalid.map(({ row, column, message }) =>
      rowOf(row, 'invalid', { detail: `${column}: ${message}` }),
    ),
  ].sort((one, two) => one.row - two.row || Number(one.part) - Number(two.part));
}

function reportStatus(outcome: EntryOutcome | 'unknown' | undefined): ReportRow['status'] {
  if (outcome === 'unknown') return outcome;
  return outcome?.status === 'taken' ? 'reference taken' : (outcome?.status ?? 'not sent');
}

function detailOf(outcome: EntryOutcome): string {
  if (outcome.status === 'elsewhere') return `is in ${outcome.source.name}`;
  if (outcome.status === 'probably known' || outcome.status === 'probably a correction') {
    const what = outcome.status === 'probably known' ? 'is' : 'corrects';
    return `${what} probably the entry of ${outcome.stored.date}, ${paymentText(outcome.stored)}`;
  }
  if (outcome.status === 'taken') return takenText(outcome);
  if (outcome.status !== 'conflict') return '';
  const fields = outcome.fields.map((field) => FIELD_WORDS[field as keyof typeof FIELD_WORDS] ?? field);
  return `differs in ${fields.join(', ')}`;
}
