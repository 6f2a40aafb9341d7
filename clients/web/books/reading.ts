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
  expected: undefined,
  pause: undefined,
  problem: undefined,
};

export function createReader(ledger: Ledger): Reader {
  const store = createStore(NOTHING_READ);
  let current = new AbortController();

  const read = async (query: Query): Promise<void> => {
    current.abort();
    const controller = new AbortController();
    current = controller;
    const { signal } = controller;
    const set = (change: Partial<BooksState>) => !signal.aborted && store.set(change);
    // The entries of the same query stay until there are newer ones: this reading may fail at once.
    const kept = isSame(query, store.get().query) ? store.get() : NOTHING_READ;
    set({ ...kept, status: 'reading', query, expected: undefined, pause: undefined, problem: undefined });

    const entries: Transaction[] = [];
    let updatedAt = Date.now();
    try {
      set({ labels: labelsOf(await ledger.categories(query.source.type)) });
      set({ expected: await countOf(ledger, query, signal) });
      const { from, to } = query;
      const options = {
        signal,
        onPause: (pause: Pause) => set({ pause }),
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
      };
      for await (const entry of ledger.transactions(query.source.id, options)) {
        if (signal.aborted) return;
        entries.push(entry);
        if (Date.now() - updatedAt < UPDATE_MS) continue;
        updatedAt = Date.now();
        set({ entries: entries.slice(), pause: undefined });
      }
      set({ entries, status: 'read', pause: undefined });
    } catch (error) {
      const isMore = entries.length > store.get().entries.length;
      set({ status: 'failed', problem: problemOf(error), pause: undefined, ...(isMore && { entries }) });
    }
  };

  const cancel = () => {
    if (store.get().status !== 'reading') return;
    current.abort();
    store.set({ status: 'cancelled', pause: undefined });
  };

  return { store, read, cancel };
}

const isSame = (one: Query, other: Query | undefined) =>
  one.source.id === other?.source.id && one.from === other.from && one.to === other.to;

/** The service counts the entries of a source, not those of a period. */
async function countOf(ledger: Ledger, query: Query, signal: AbortSignal): Promise<number | undefined> {
  if (query.from !== undefined || query.to !== undefined) return undefined;
  const sources = await ledger.sources({ signal });
  return sources.find(({ id }) => id === query.source.id)?.transactionCount;
}

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
