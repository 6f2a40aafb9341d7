/** The whole rows of the files: the parts of a split row are one payment, also if a rule leaves one out. */
import { counted } from '../counted.ts';
import { type Period, periodFromTo, widened } from '../days.ts';
import { groupBy } from '../group-by.ts';
import type { ImportEntry, ImportResult, LeftOut } from '../import/result.ts';
import { DAYS_APART_MAX, descriptionKey, type PaymentFacts, signed, signedSum } from './payment-facts.ts';

/** A file that was read. */
export interface FileResult {
  name: string;
  result: ImportResult;
}

/** An entry of one of the files. */
export interface FileEntry extends ImportEntry {
  /** The name of the file. */
  file: string;
  /** The row that it is a part of. */
  whole: { reference: string } & PaymentFacts;
}

/** A row, by its file and its number there. */
export interface RowPosition {
  /** The name of the file. */
  file: string;
  row: number;
}

/** A key that identifies a row in maps. Two rows may have one reference. */
export const rowKey = ({ row, file }: RowPosition): string => `${row} ${file}`;

/** A row, and the row of an earlier file that it repeats. */
export type RepeatedRow = RowPosition & { first: RowPosition };

/** `1 row`, `2,000 rows` */
export const countedRows = (count: number): string =>
  counted(count, 'row', 'rows', (rows) => rows.toLocaleString('en'));

export const rowName = ({ row, file }: RowPosition): string => `row ${row} of ${file}`;

export const repeatsText = (first: RowPosition): string => `It repeats ${rowName(first)}.`;

/** A row that makes entries, with the facts of the whole payment. */
export interface Row extends RowPosition, PaymentFacts {
  /** The bank account; empty if neither the file nor an option names it. */
  account: string;
  reference: string;
  earlierReference?: string;
  isReferenceDerived: boolean;
  /** The whole amount, the sum of its entries if a part is left out, and each entry. */
  amounts: readonly number[];
  /** Whether a rule, a column or a person chose the source. */
  isSourceChosen: boolean;
  /** The sources of its entries. */
  sourceIds: readonly string[];
  /** Its entries. */
  parts: readonly FileEntry[];
}

/** A row that a rule or a person leaves out. */
export type LeftOutRow = LeftOut & RowPosition & { rowReference: string };

const referenceOf = ({ entry, rowReference = entry.externalRef ?? '' }: ImportEntry): string => rowReference;

/** The content of a derived reference, without the account. */
export function hashedContent({ date, pence, parts: [part] }: Row) {
  const { pence: amount = Math.abs(pence), currency } = part?.conversion ?? {};
  const type = pence < 0 ? ('expense' as const) : ('income' as const);
  return { date, type, pence: amount, currency, description: part?.entry.description ?? '' };
}

/** The first and the last day of the payments of files, including rows that rules leave out. */
export function daysOfFiles(files: readonly FileResult[]): Period {
  return periodFromTo(files.flatMap(({ result }) => result.statements.flatMap(({ rows }) => rows)));
}

/**
 * The period of the books to compare the files with: the days of the rows, as the file has them and as they are corrected, and some days around
 * them. All days if an entry has an id, because the app may have changed its date, and for a format without statements.
 */
export function periodAround(files: readonly FileResult[]): Period {
  const entries = files.flatMap(({ result }) => result.entries);
  const { from, to } = daysOfFiles(files);
  if (from === undefined || to === undefined || entries.some(({ id }) => id !== undefined)) return {};
  const days = [{ date: from }, { date: to }, ...entries.map(({ entry }) => entry)];
  return widened(periodFromTo(days), DAYS_APART_MAX);
}

/** The rows that make entries, in the order of the files. @param sourceId of rows without a source of their own */
export function rowsOfFiles(files: readonly FileResult[], sourceId: string | undefined): Row[] {
  return files.flatMap(({ name: file, result }) => {
    const leftOut = groupBy(result.leftOut, ({ row }) => row);
    const byRow = groupBy(result.entries, ({ row }) => row);
    return [...byRow].map(([row, parts]): Row => {
      const [firstPart] = parts as [ImportEntry];
      const { entry, account, isReferenceDerived, isSourceChosen = false, earlierReference } = firstPart;
      const penceOfEntries = signedSum(parts.map((part) => part.entry));
      const pence = penceOfEntries + signedSum(leftOut.get(row) ?? []);
      const text = descriptionKey(entry.description ?? '');
      const whole = { reference: referenceOf(firstPart), date: entry.date, pence, text };
      return {
        file,
        row,
        account,
        isReferenceDerived,
        isSourceChosen,
        ...whole,
        amounts: [...new Set([pence, penceOfEntries, ...parts.map(({ entry }) => signed(entry))])],
        ...(earlierReference !== undefined && { earlierReference }),
        sourceIds: [...new Set(parts.map(({ source }) => source?.id ?? sourceId ?? ''))],
        parts: parts.map((part) => ({ ...part, file, whole })),
      };
    });
  });
}

/**
 * The rows of the files that are left out whole. Parts of rows that also make entries are no such rows, nor are rows that a person leaves out
 * beside another row of the same reference.
 */
export function leftOutRows(files: readonly FileResult[]): LeftOutRow[] {
  const references = new Set(files.flatMap(({ result }) => result.entries.map(referenceOf)));
  return files.flatMap(({ name: file, result }) => {
    const withEntries = new Set(result.entries.map(({ row }) => row));
    const makesNoEntry = ({ row, rule, rowReference = '' }: LeftOut) =>
      !withEntries.has(row) && (rule !== undefined || !references.has(rowReference));
    return result.leftOut
      .filter(makesNoEntry)
      .map(({ rowReference = '', ...leftOut }) => ({ ...leftOut, rowReference, file }));
  });
}
