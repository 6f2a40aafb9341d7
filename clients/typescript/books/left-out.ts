/** Stored rows that the current rules, or a person, leave out: an earlier push had other rules or answers. */
import type { LeftOut } from '../import/options.ts';
import type { ReadFile } from './joined-files.ts';
import type { Books, StoredEntry } from './stored-books.ts';
import { storedRows } from './stored-rows.ts';

export interface LeftOutAndStored extends LeftOut {
  file: string;
  stored: readonly StoredEntry[];
}

/** Excludes parts of rows that also make entries, and rows that a person leaves out beside another row of the same reference. */
export function leftOutRows(files: readonly ReadFile[]): (LeftOut & { file: string })[] {
  const entries = files.flatMap(({ statement }) => statement.entries);
  const references = new Set(entries.map(({ entry, rowReference = entry.externalRef }) => rowReference));
  return files.flatMap(({ name: file, statement }) => {
    const withEntries = new Set(statement.entries.map(({ row }) => row));
    const isWhole = ({ row, rule, rowReference }: LeftOut) =>
      !withEntries.has(row) && (rule !== undefined || !references.has(rowReference));
    return statement.leftOut.filter(isWhole).map((each) => ({ ...each, file }));
  });
}

export function leftOutAndStored(files: readonly ReadFile[], books: Books): LeftOutAndStored[] {
  const all = leftOutRows(files);
  if (all.length === 0) return [];
  const storedOf = storedRows(books);
  return all.flatMap((each) => {
    const { rowReference = '' } = each;
    const stored = storedOf({ ...each, rowReference });
    return stored.length === 0 ? [] : { ...each, stored };
  });
}
