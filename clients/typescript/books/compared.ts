/**
 * The state between the steps of a push: read, compare, decide, ask, compare again, send, report. The command, the page and the assistant
 * share these steps.
 */
import type { ReadEntry } from '../import/options.ts';
import type { Source } from '../resources.ts';
import { type Comparison, compareWithBooks } from './comparison.ts';
import { withDecidedBefore } from './decided-before.ts';
import { type Decision, type Decisions, withDecisions } from './decisions.ts';
import { withReferencesAsStored } from './earlier-references.ts';
import { type FileEntry, type JoinedFiles, joinFiles, type ReadFile } from './joined-files.ts';
import { type LeftOutAndStored, leftOutAndStored } from './left-out.ts';
import { isOpen } from './match-status.ts';
import { withProbable } from './probably.ts';
import type { Books } from './stored-books.ts';

/** The decisions of a person. */
export interface Decided {
  /** The source of entries without a source of their own. */
  source: Pick<Source, 'id'> | undefined;
  decisions: Decisions;
  /** The default decision for rows without one. */
  all?: Decision | undefined;
}

export interface Compared<File extends ReadFile = ReadFile> extends JoinedFiles, Decided {
  /** Rows without a decision have the entries that the books store for them. */
  files: readonly File[];
  books: Books;
  comparison: Comparison;
  leftOut: readonly LeftOutAndStored[];
}

export function compare<File extends ReadFile>(
  read: readonly File[],
  books: Books,
  decided: Decided,
): Compared<File> {
  const files = withDecidedBefore(withReferencesAsStored(read, books, decided.source?.id), books);
  const joined = joinFiles(files);
  const comparison = comparisonOf(joined.entries, files, books, decided);
  return { ...joined, ...decided, files, books, comparison, leftOut: leftOutAndStored(files, books) };
}

/** Compares the same rows with the current books. */
export function compareAgain<Before extends Compared>(before: Before, books: Books): Before {
  const { entries, files } = before;
  return { ...before, books, comparison: comparisonOf(entries, files, books, before) };
}

/** The entries that wait for a decision. */
export const openEntries = ({ entries, comparison }: Compared): FileEntry[] =>
  entries.filter((_, index) => isOpen(comparison.rows[index] ?? { matchStatus: 'new', entry: {} as never }));

function comparisonOf(
  entries: readonly ReadEntry[],
  files: readonly ReadFile[],
  books: Books,
  { source, decisions, all }: Decided,
): Comparison {
  const compared = compareWithBooks(entries, books, source);
  return withDecisions(entries, withProbable(entries, compared, books, source, files), decisions, all);
}
