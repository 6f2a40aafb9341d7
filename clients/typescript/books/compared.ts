/**
 * The state between the steps of a push, which are the same for the command, the page and the assistant: read, compare, decide, ask, compare
 * again, send, report.
 */
import type { ReadEntry } from '../import/options.ts';
import type { Source } from '../resources.ts';
import { type Comparison, compareWithBooks } from './comparison.ts';
import { withDecidedBefore } from './decided-before.ts';
import { type Decision, type Decisions, withDecisions } from './decisions.ts';
import { withReferencesAsStored } from './earlier-references.ts';
import { type FileEntry, type JoinedFiles, joinFiles, type ReadFile } from './joined-files.ts';
import { type LeftOutAndStored, leftOutAndStored } from './left-out.ts';
import { withProbable } from './probably.ts';
import { isOpen } from './standing.ts';
import type { Books } from './stored-books.ts';

/** The choices of a person. */
export interface Decided {
  /** The one of entries that have none of their own. */
  source: Pick<Source, 'id'> | undefined;
  decisions: Decisions;
  /** What holds for rows without a decision. */
  all?: Decision | undefined;
}

export interface Compared<File extends ReadFile = ReadFile> extends JoinedFiles, Decided {
  /** Rows that nothing decides about are here what the books have of them. */
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

/** The same rows beside the books of now. */
export function compareAgain<Before extends Compared>(before: Before, books: Books): Before {
  const { entries, files } = before;
  return { ...before, books, comparison: comparisonOf(entries, files, books, before) };
}

/** The entries that wait for a decision. */
export const openEntries = ({ entries, comparison }: Compared): FileEntry[] =>
  entries.filter((_, index) => isOpen(comparison.rows[index] ?? { standing: 'new', entry: {} as never }));

function comparisonOf(
  entries: readonly ReadEntry[],
  files: readonly ReadFile[],
  books: Books,
  { source, decisions, all }: Decided,
): Comparison {
  const compared = compareWithBooks(entries, books, source);
  return withDecisions(entries, withProbable(entries, compared, books, source, files), decisions, all);
}
