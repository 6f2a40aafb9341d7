/** The entries of several files as one list. A row in two exports of an account is one entry. */
import type { ImportResult, ReadEntry } from '../import/options.ts';
import { type Period, periodFromTo } from './stored-books.ts';

export interface ReadFile {
  name: string;
  statement: ImportResult;
}

export interface FileEntry extends ReadEntry {
  /** The name of the file. */
  file: string;
}

interface RowPosition {
  file: string;
  row: number;
}

export interface JoinedFiles {
  entries: FileEntry[];
  /** Rows that an earlier file has under the same reference. */
  repeated: (RowPosition & { first: RowPosition })[];
  /**
   * Equal rows of two files that do not name their accounts: one payment in two exports, or a payment in each of two accounts. Undefined
   * if there are none.
   */
  unnamed: (RowPosition & { first: RowPosition }) | undefined;
}

/** The first and the last day of the payments of files, including rows that rules leave out. */
export function daysOfFiles(files: readonly ReadFile[]): Period {
  return periodFromTo(files.flatMap(({ statement }) => statement.statements.flatMap(({ rows }) => rows)));
}

export function joinFiles(files: readonly ReadFile[]): JoinedFiles {
  const firsts = new Map<string, RowPosition>();
  const amounts = new Map<string | undefined, string>();
  const joined: JoinedFiles = { entries: [], repeated: [], unnamed: undefined };
  for (const { name: file, statement } of files) {
    for (const read of statement.entries) {
      const { row, entry, rowReference = entry.externalRef ?? '' } = read;
      const first = firsts.get(rowReference);
      // A row with another amount is another payment, or a correction. Compare it; do not join it with the first.
      const amount = `${entry.type} ${entry.amountPence}`;
      const isOther = (amounts.get(entry.externalRef) ?? amount) !== amount;
      if (!first || first.file === file || isOther) {
        firsts.set(rowReference, first ?? { file, row });
        amounts.set(entry.externalRef, amount);
        joined.entries.push({ ...read, file });
        continue;
      }
      if (read.isReferenceDerived && read.account === '') joined.unnamed ??= { file, row, first };
      const { repeated } = joined;
      const last = repeated.at(-1);
      // Once for all parts of the row.
      if (last?.file !== file || last.row !== row) repeated.push({ file, row, first });
    }
  }
  return joined;
}
