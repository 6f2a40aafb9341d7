/** Rules that the books suggest for rows that nothing decides about. They are read in the background, after the comparison. */
import { type ReadonlySignal, signal } from '@preact/signals';
import { dayAfter, type Period } from '../../../typescript/days.ts';
import { readBooks, type StoredEntry } from '../../../typescript/match/stored-books.ts';
import { isInRules } from '../../../typescript/suggestions/suggested-rules.ts';
import {
  filesSuggestedFor,
  type Suggestion,
  suggestionSteps,
} from '../../../typescript/suggestions/suggestions.ts';
import { suggestingPeriod, unsortedRows } from '../../../typescript/suggestions/unsorted-rows.ts';
import type { Session } from '../../key/session.ts';
import { haveSameMembers } from '../../page/memo.ts';
import { needsBooks, readFilesOf } from '../derived-state.ts';
import type { ImportState } from '../state.ts';
import { nextTask } from '../store.ts';

/** More are too many to read through. The others follow when these are applied. */
const SUGGESTIONS_MAX = 100;
/** The longest time between two frames: a person feels a longer one. */
const STEPS_MS_MAX = 20;

/**
 * Follows the import. It reads only in the Check step, after the comparison, and if there are rows that nothing decides about.
 * @param onError the books could not be read: there are no suggestions
 */
export function createSuggesting(imports: ReadonlySignal<ImportState>, onError: (error: unknown) => void) {
  const suggestions = signal<readonly Suggestion[]>([]);
  const books = new SuggestingBooks();
  let session: Session | undefined;
  let followed: readonly unknown[] = [];
  let updates = 0;

  const show = (found: readonly Suggestion[]) => {
    if (found.length > 0 || suggestions.peek().length > 0) suggestions.value = found;
  };

  const follow = () => {
    const { step, files, books: booksOfFiles } = imports.peek();
    const now = [session, step, files, booksOfFiles];
    if (haveSameMembers(now, followed)) return;
    followed = now;
    const ticket = ++updates;
    const isCurrent = () => ticket === updates;
    const areBooksRead = booksOfFiles.status === 'read' || !needsBooks(readFilesOf(files));
    if (!session || step !== 'check' || !areBooksRead) return books.stop();
    update(session, isCurrent).catch((error) => {
      if (!isCurrent()) return;
      books.stop();
      show([]);
      onError(error);
    });
  };

  const update = async (opened: Session, isCurrent: () => boolean): Promise<void> => {
    await nextTask();
    if (!isCurrent()) return;
    const { files, books: booksOfFiles, categorising } = imports.peek();
    const unsorted = unsortedIn(files);
    if (unsorted.length === 0) {
      books.stop();
      return show([]);
    }
    const read = files.flatMap(({ file, result }) => (result ? { name: file.name, result } : []));
    const entries = await books.entries(opened, booksOfFiles, suggestingPeriod(read));
    const from = filesSuggestedFor(read.map(({ result }) => result));
    const found = await inTasks(suggestionSteps(unsorted, entries, from), isCurrent);
    if (found) show(offered(found, opened, categorising.rules));
  };

  imports.subscribe(follow);
  return {
    suggestions: suggestions as ReadonlySignal<readonly Suggestion[]>,
    /** Undefined while there is no key. */
    setSession(opened: Session | undefined): void {
      session = opened;
      follow();
    },
  };
}

/** A category that a person chose in the row is a decision, also if it is none. */
const unsortedIn = (files: ImportState['files']) =>
  files.flatMap(({ result, corrections }) =>
    result ? unsortedRows(result).filter(({ row }) => corrections.get(row)?.category === undefined) : [],
  );

/** The most certain ones first. */
function offered(found: readonly Suggestion[], { sources }: Session, rules: string): Suggestion[] {
  const names = sources.map(({ name }) => name);
  return (
    found
      .filter((each) => !isInRules(rules, each))
      // A rule cannot name one of several sources of one name.
      .filter(({ source }) => names.indexOf(source) === names.lastIndexOf(source))
      .sort((one, other) => other.entries - one.entries)
      .slice(0, SUGGESTIONS_MAX)
  );
}

/** The entries of a period: the books of the comparison, and the days beside them, which it reads. */
class SuggestingBooks {
  /** With another key, other entries are read. */
  #reading: { key: readonly unknown[]; stop: AbortController; entries: Promise<StoredEntry[]> } | undefined;

  stop(): void {
    this.#reading?.stop.abort();
    this.#reading = undefined;
  }

  async entries(
    session: Session,
    booksOfFiles: ImportState['books'],
    { from, to }: Period,
  ): Promise<StoredEntry[]> {
    const { stored, period } = booksOfFiles;
    const key = [session, stored, from, to];
    if (!this.#reading || !haveSameMembers(this.#reading.key, key)) {
      this.stop();
      const periods = stored ? periodsBeside({ from, to }, period) : [{ from, to }];
      const stop = new AbortController();
      this.#reading = { key, stop, entries: readPeriods(session, periods, stop.signal) };
    }
    return [...(stored?.byId.values() ?? []), ...(await this.#reading.entries)];
  }
}

async function readPeriods(
  { ledger, sources }: Session,
  periods: readonly Period[],
  signal: AbortSignal,
): Promise<StoredEntry[]> {
  const entries: StoredEntry[] = [];
  for (const period of periods) {
    const { byId } = await readBooks(ledger, sources, period, signal);
    for (const entry of byId.values()) entries.push(entry);
  }
  return entries;
}

/** The days of a period before and after another one. */
function periodsBeside({ from, to }: Period, known: Period): Period[] {
  const periods: Period[] = [];
  if (known.from !== undefined && (from === undefined || from < known.from))
    periods.push({ from, to: dayAfter(known.from, -1) });
  if (known.to !== undefined && (to === undefined || to > known.to))
    periods.push({ from: dayAfter(known.to, 1), to });
  return periods;
}

/** The result of the steps, done in short tasks. Undefined if it is not current any more. */
async function inTasks(
  steps: Generator<undefined, Suggestion[]>,
  isCurrent: () => boolean,
): Promise<Suggestion[] | undefined> {
  let since = performance.now();
  while (isCurrent()) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - since < STEPS_MS_MAX) continue;
    await nextTask();
    since = performance.now();
  }
  return undefined;
}
