/** Reads the entries of one or more sources page by page. No DOM: the view calls this and shows the state. */
import { type ReadonlySignal, signal as signalOf } from '@preact/signals';
import { type CategoryLabels, categoryLabels } from '../../typescript/figures/naming.ts';
import {
  type CategorySet,
  type Ledger,
  LedgerError,
  type Pause,
  type Period,
  type Source,
  type SourceType,
} from '../../typescript/index.ts';
import { isKeyRefused, keyProblem } from '../key/session.ts';
import type { BooksEntry } from './labels.ts';

export interface Query extends Period {
  sources: readonly Source[];
}

export interface BooksState {
  status: 'empty' | 'reading' | 'read' | 'cancelled' | 'failed';
  /** The query that `entries` answer. */
  query: Query | undefined;
  /** Newest first; a new array whenever some were read. */
  entries: readonly BooksEntry[];
  categories: Partial<Record<SourceType, CategorySet>>;
  labels: CategoryLabels;
  /** Whether `entries` are all of them, as of the last reading that came to its end. */
  isComplete: boolean;
  /** How many the running reading has read so far. */
  progress: number;
  /** How many there are in the books, if that is known. */
  expected: number | undefined;
  /** Why and until when the reading waits. */
  pause: Pause | undefined;
  problem: string | undefined;
}

/** A view that follows every page would slow the reading down. */
const UPDATE_MS = 200;
/** What a tab can show and search at ease. A year of a large business has fewer. */
const SHOWN_ENTRIES_MAX = 100_000;

const NOTHING_READ: BooksState = {
  status: 'empty',
  query: undefined,
  entries: [],
  categories: {},
  labels: {},
  isComplete: false,
  progress: 0,
  expected: undefined,
  pause: undefined,
  problem: undefined,
};

const NOT_WAITING = { pause: undefined, problem: undefined };

/** Creates a reader of entries, whose `state` the view shows. @param entriesMax ends a reading */
export function createReader(ledger: Ledger, entriesMax = SHOWN_ENTRIES_MAX) {
  const state = signalOf(NOTHING_READ);
  const set = (change: Partial<BooksState>) => {
    state.value = { ...state.peek(), ...change };
  };
  let current = new AbortController();
  let entries: BooksEntry[] = [];
  /** The entries of an earlier reading of the same query stay until there are more. */
  const soFar = (): Partial<BooksState> => ({
    progress: entries.length,
    ...(entries.length > state.peek().entries.length && { entries: entries.slice(), isComplete: false }),
  });

  /** Ends an earlier reading. Rejects never: a failure is in the state. */
  const read = async (query: Query): Promise<void> => {
    current.abort();
    const controller = new AbortController();
    current = controller;
    entries = [];
    const { signal } = controller;
    const kept = isSameQuery(query, state.peek().query) ? state.peek() : NOTHING_READ;
    set({ ...kept, ...NOT_WAITING, status: 'reading', query, expected: undefined, progress: 0 });
    try {
      const isComplete = await readAll(query, signal);
      if (!signal.aborted) set({ ...NOT_WAITING, status: 'read', entries, isComplete });
    } catch (error) {
      if (signal.aborted) return;
      set({ ...soFar(), ...NOT_WAITING, status: 'failed', problem: readingProblem(error) });
    }
  };

  /** @returns whether these are all */
  const readAll = async ({ sources, from, to }: Query, signal: AbortSignal): Promise<boolean> => {
    const change = (part: Partial<BooksState>) => !signal.aborted && set(part);
    const options = { signal, onPause: (pause: Pause) => change({ ...soFar(), pause }) };
    const counts = new Map((await ledger.sources(options)).map((each) => [each.id, each.transactionCount]));
    // The service counts the entries of a source, not of a period.
    if (from === undefined && to === undefined) {
      change({ expected: sources.reduce((sum, { id }) => sum + (counts.get(id) ?? 0), 0) });
    }
    // One that is not counted is not in the account any more, which the service says.
    const withEntries = sources.filter(({ id }) => counts.get(id) !== 0);
    const categories = await ledger.categories(undefined, options);
    change({ categories, labels: categoryLabels(categories) });
    const lists = withEntries.map(async function* (source) {
      for await (const entry of ledger.transactions(source.id, { from, to, ...options })) {
        yield { ...entry, source };
      }
    });
    let updatedAt = Date.now();
    for await (const entry of merged(lists)) {
      if (signal.aborted) return false;
      if (entries.length === entriesMax) return false;
      entries.push(entry);
      if (Date.now() - updatedAt < UPDATE_MS) continue;
      updatedAt = Date.now();
      change({ ...soFar(), pause: undefined });
    }
    return true;
  };

  /** Ends the reading, and keeps what was read. */
  const cancel = (): void => {
    if (state.peek().status !== 'reading') return;
    current.abort();
    set({ ...soFar(), ...NOT_WAITING, status: 'cancelled' });
  };

  return { state: state as ReadonlySignal<BooksState>, read, cancel };
}

const isSameQuery = (one: Query, other: Query | undefined) =>
  other !== undefined &&
  sourceIds(one) === sourceIds(other) &&
  one.from === other.from &&
  one.to === other.to;

/** The ids of the sources as one text, to compare two queries. */
export const sourceIds = ({ sources }: Query): string => sources.map(({ id }) => id).join(' ');

/** The source or sources of the entries, for people. */
export const sourcesName = ({ sources }: Query): string =>
  sources.length === 1 ? (sources[0]?.name ?? '') : 'All properties and businesses';

/** The problem for a person: what went wrong, and what to do. */
function readingProblem(error: unknown): string {
  if (isKeyRefused(error)) {
    const refused = 'The key was refused: it was revoked, or the plan has no API access any more.';
    return `${refused} Press “Change key” and enter another one. What was read stays here until then.`;
  }
  const code = error instanceof LedgerError ? error.code : undefined;
  if (code === 'source_not_found')
    return 'This property or business is not in the account any more. Reload the page.';
  return `${keyProblem(error)} What was read stays here.`;
}

interface Ordered {
  date: string;
  id: string;
}

/**
 * The entries of several sources as one list, newest first, as each of the lists is. It holds one page of each list, and what was read so far is always the newest of all.
 * @throws what a list throws
 */
async function* merged<Entry extends Ordered>(
  lists: readonly AsyncGenerator<Entry, void>[],
): AsyncGenerator<Entry, void> {
  const heads = await Promise.all(
    lists.map(async (list) => ({ list, entry: (await list.next()).value ?? undefined })),
  );
  for (;;) {
    let newest: (typeof heads)[number] | undefined;
    for (const head of heads) {
      if (head.entry && (!newest?.entry || isNewer(head.entry, newest.entry))) newest = head;
    }
    if (!newest?.entry) return;
    yield newest.entry;
    newest.entry = (await newest.list.next()).value ?? undefined;
  }
}

/** The order of the service: by date, then by id, which grows with time. */
const isNewer = (one: Ordered, other: Ordered) =>
  one.date === other.date ? one.id > other.id : one.date > other.date;
