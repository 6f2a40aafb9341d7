/** Rules that the books suggest for rows that nothing decides about. They are read in the background, after the comparison. */
import { type ReadonlySignal, signal } from '@preact/signals';
import { dayAfter, type Period } from '../../../typescript/days.ts';
import { readBooks, type StoredEntry } from '../../../typescript/match/stored-books.ts';
import {
  filesSuggestedFor,
  isInRules,
  type Suggestion,
  suggestingPeriod,
  suggestionSteps,
  unsortedRows,
} from '../../../typescript/send/suggestions.ts';
import type { Session } from '../../key/session.ts';
import { nextTask } from '../../page/next-task.ts';
import { isSame } from '../../page/same.ts';
import { needsBooks, readFilesOf } from '../derived-state.ts';
import type { FileState, ImportState } from '../state.ts';

/** Entries that are read besides the books of the comparison. */
interface PendingRead {
  /** With other values, other entries are read. */
  key: readonly unknown[];
  stop: AbortController;
  entries: Promise<StoredEntry[]>;
}

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
  let session: Session | undefined;
  let reading: PendingRead | undefined;
  let followed: readonly unknown[] = [];
  let updates = 0;

  const show = (found: readonly Suggestion[]) => {
    if (found.length > 0 || suggestions.peek().length > 0) suggestions.value = found;
  };
  const stop = () => {
    reading?.stop.abort();
    reading = undefined;
  };

  const follow = () => {
    const { step, files, books } = imports.peek();
    const now = [session, step, files, books];
    if (isSame(now, followed)) return;
    followed = now;
    const ticket = ++updates;
    const isCurrent = () => ticket === updates;
    const isCompared = books.status === 'read' || !needsBooks(readFilesOf(files));
    if (!session || step !== 'check' || !isCompared) {
      stop();
      return;
    }
    update(session, isCurrent).catch((error) => {
      if (!isCurrent()) return;
      stop();
      show([]);
      onError(error);
    });
  };

  const update = async (opened: Session, isCurrent: () => boolean): Promise<void> => {
    await nextTask();
    const { files, books, categorising } = imports.peek();
    if (!isCurrent()) return;
    const results = files.flatMap(({ file, result }) => (result ? { name: file.name, result } : []));
    const unsorted = files.flatMap(undecidedRows);
    if (unsorted.length === 0) {
      stop();
      return show([]);
    }
    const { from, to } = suggestingPeriod(results);
    const { stored, period } = books;
    const key = [opened, stored, from, to];
    if (!reading || !isSame(reading.key, key)) {
      stop();
      const periods = stored ? periodsBeside({ from, to }, period) : [{ from, to }];
      reading = readPeriods(opened, periods, key);
    }
    const read = await reading.entries;
    const entries = [...(stored?.byId.values() ?? []), ...read];
    const found = isCurrent()
      ? await inTasks(
          suggestionSteps(unsorted, entries, filesSuggestedFor(results.map(({ result }) => result))),
          isCurrent,
        )
      : undefined;
    if (!found) return;
    show(offeredOf(found, categorising.rules, opened));
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

/** The rows that nothing decides about. A category that a person chose in the row is a decision, also if it is none. */
const undecidedRows = ({ result, corrections }: FileState) =>
  result ? unsortedRows(result).filter(({ row }) => corrections.get(row)?.category === undefined) : [];

/** The suggestions to show. Suggestions that are rules already are left out, and the one with the most entries comes first. A rule cannot name one of several sources of one name. */
function offeredOf(found: readonly Suggestion[], rules: string, { sources }: Session): Suggestion[] {
  const names = sources.map(({ name }) => name);
  return found
    .filter((each) => !isInRules(rules, each))
    .filter(({ source }) => names.indexOf(source) === names.lastIndexOf(source))
    .sort((one, other) => other.entries - one.entries)
    .slice(0, SUGGESTIONS_MAX);
}

function readPeriods(
  { ledger, sources }: Session,
  periods: readonly Period[],
  key: PendingRead['key'],
): PendingRead {
  const stop = new AbortController();
  const read = async () => {
    const entries: StoredEntry[] = [];
    for (const period of periods) {
      const { byId } = await readBooks(ledger, sources, period, stop.signal);
      for (const entry of byId.values()) entries.push(entry);
    }
    return entries;
  };
  return { key, stop, entries: read() };
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
