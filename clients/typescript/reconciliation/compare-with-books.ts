/** Compares files with the books for a reconciliation, whose entries may be of any day. */

import type { Period } from '../days.ts';
import { type ComparedFiles, compare } from '../match/compare.ts';
import { isNew } from '../match/compared-entry.ts';
import type { CompareOptions } from '../match/match.ts';
import { type FileResult, periodAround } from '../match/row.ts';
import type { Books } from '../match/stored-books.ts';

/**
 * Compares the files with the books of the days around them. An entry of any other day may have the reference of a row that these lack, or that
 * they split in another way: then it compares the files with all books.
 * @param readIn reads the books of a period; without one, all
 */
export async function compareWithBooks<File extends FileResult>(
  files: readonly File[],
  readIn: (period?: Period) => Promise<Books>,
  options: CompareOptions,
): Promise<{ compared: ComparedFiles<File>; hasAllBooks: boolean }> {
  const around = compare(files, await readIn(periodAround(files)), options);
  const hasAllBooks = around.entries.some(
    (entry) => isNew(entry) || (entry.matchStatus === 'conflict' && entry.fields.includes('split')),
  );
  return { compared: hasAllBooks ? compare(files, await readIn(), options) : around, hasAllBooks };
}
