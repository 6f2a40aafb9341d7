/** Reads the entries of a source page by page. No DOM: the view calls this and shows the state. */
import {
  type Ledger,
  LedgerError,
  type Pause,
  type Source,
  type Transaction,
} from '../../typescript/index.ts';
import { isKeyRefused, keyProblem } from '../session.ts';
import { createStore, type Store } from '../store.ts';
import { type CategoryLabels, labelsOf, NO_LABELS } from './labels.ts';

export interface Query {
  source: Source;
  /** `YYYY-MM-DD`, both inclusive; undefined: without an end. */
  from: string | undefined;
  to: string | undefined;
}

export interface BooksState {
  status: 'empty' | 'reading' | 'read' | 'cancelled' | 'failed';
  /** What `entries` are of. */
  query: Query | undefined;
  /** Newest first; a new array whenever some were read. */
  entries: readonly Transaction[];
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

export interface Reader {
  store: Store<BooksState>;
  /** Ends an earlier reading. Rejects never: a failure is in the state. */
  read(query: Query): Promise<void>;
  /** Keeps what was read. */
  cancel(): void;
}

/** A view that follows every page would slow the reading down. */
const UPDATE_MS = 200;

const NOTHING_READ: BooksState = {
  status: 'empty',
  query: undefined,
  entries: [],
  labels: NO_LABELS,
  isComplete: false,
  progress: 0,
  expected: undefined,
  pause: undefined,
  problem: undefined,
};

const NOT_WAITING = { pause: undefined, problem: undefined };

export function createReader(ledger: Ledger): Reader {
  const store = createStore(NOTHING_READ);
  let current = new AbortController();
  let entries: Transaction[] = [];
  /** The entries of an earlier reading of the same query stay until there are more. */
  const soFar = (): Partial<BooksState> => ({
    progress: entries.length,
    ...(entries.length > store.get().entries.length && { entries: entries.slice(), isComplete: false }),
  });

  const read = async (query: Query): Promise<void> => {
    current.abort();
    const controller = new AbortController();
    current = controller;
    entries = [];
    const { signal } = controller;
    const kept = isSame(query, store.get().query) ? store.get() : NOTHING_READ;
    store.set({ ...kept, ...NOT_WAITING, status: 'reading', query, expected: undefined, progress: 0 });
    try {
      await readAll(query, signal);
      if (!signal.aborted) store.set({ ...NOT_WAITING, status: 'read', entries, isComplete: true });
    } catch (error) {
      if (signal.aborted) return;
      store.set({ ...soFar(), ...NOT_WAITING, status: 'failed', problem: problemOf(error) });
    }
  };

  const readAll = async (query: Query, signal: AbortSignal): Promise<void> => {
    const { source, from, to } = query;
    const set = (change: Partial<BooksState>) => !signal.aborted && store.set(change);
    const options = { signal, onPause: (pause: Pause) => set({ ...soFar(), pause }) };
    set({ labels: labelsOf(await ledger.categories(source.type, options)) });
    // The service counts the entries of a source, not those of a period.
    if (from === undefined && to === undefined) {
      const sources = await ledger.sources(options);
      set({ expected: sources.find(({ id }) => id === source.id)?.transactionCount });
    }
    let updatedAt = Date.now();
    const period = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    for await (const entry of ledger.transactions(source.id, { ...period, ...options })) {
      if (signal.aborted) return;
      entries.push(entry);
      if (Date.now() - updatedAt < UPDATE_MS) continue;
      updatedAt = Date.now();
      set({ ...soFar(), pause: undefined });
    }
  };

  const cancel = () => {
    if (store.get().status !== 'reading') return;
    current.abort();
    store.set({ ...soFar(), ...NOT_WAITING, status: 'cancelled' });
  };

  return { store, read, cancel };
}

const isSame = (one: Query, other: Query | undefined) =>
  one.source.id === other?.source.id && one.from === other.from && one.to === other.to;

/** What went wrong, and what to do. */
function problemOf(error: unknown): string {
  if (isKeyRefused(error)) {
    const refused = 'The key was refused: it was revoked, or the plan has no API access any more.';
    return `${refused} Press “Change key” and enter another one. What was read stays here until then.`;
  }
  const code = error instanceof LedgerError ? error.code : undefined;
  if (code === 'source_not_found') return 'This source is not in the account any more. Reload the page.';
  const text =
    code === 'unreachable'
      ? 'The service cannot be reached. Check your connection, then press “Show entries” again.'
      : keyProblem(error);
  return `${text} What was read stays here.`;
}
