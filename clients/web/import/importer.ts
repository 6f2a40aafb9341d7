/** What a visitor can do in the import, and what follows from it. No DOM: the views call this and show the state. */

import { readBooks } from '../../typescript/books/stored-books.ts';
import type { Correction, ImportResult } from '../../typescript/import/index.ts';
import { isKeyRefused, keyProblem, type Session } from '../key/session.ts';
import { nextTask } from '../page/next-task.ts';
import { createStore, type Store } from '../page/store.ts';
import { columnsOf } from './column-names.ts';
import { comparer, covers, periodFor } from './comparing.ts';
import type { Kept } from './kept.ts';
import { readWith } from './read-file.ts';
import type { Reader, ReaderOf } from './reader.ts';
import { readyToSend, type Sending, type SendingRun, startSending, unlikelyIn } from './sending.ts';
import {
  balancesOf,
  type Categorising,
  canSend,
  type ImportFile,
  type ImportState,
  initialState,
  labelled,
  NO_BOOKS,
  type Reading,
  type Step,
  type StoredBooks,
  withCorrection,
  withFile,
  withImported,
  withOwnPayments,
  withReading,
  withSource,
} from './state.ts';

export interface Importer {
  store: Store<ImportState>;
  /** Undefined while there is no key. An account without the chosen source needs another choice. */
  setSession(session: Session | undefined): void;
  /** @param id empty: the rules or a column decide */
  chooseSource(id: string): void;
  /** The file is for the chosen source, although another one has its entries. */
  confirmSource(): void;
  /** @param waiting what is imported after it */
  openFile(file: ImportFile, waiting?: readonly ImportFile[]): Promise<void>;
  /** The first of the files that wait takes the place of this one. */
  openNext(): Promise<void>;
  setReading(change: Reading): Promise<void>;
  /** The use of the columns is that which the reader finds out, and no longer kept. */
  forgetColumns(): Promise<void>;
  setCategorising(change: Partial<Categorising>): Promise<void>;
  correct(rows: readonly number[], change: Correction): Promise<void>;
  /** These rows are no entries that the books probably have. */
  importProbable(rows: readonly number[]): void;
  /** Takes the last change back. */
  undo(): Promise<void>;
  go(step: Step): void;
  startSending(areDatesConfirmed?: boolean): void;
  pauseSending(): void;
  /** What waits for the service or has failed without it is tried again. */
  retryNow(): void;
  /** Back to an empty File step, with the same source. */
  startAgain(): void;
  refused: (error: unknown) => boolean;
  readerOf: ReaderOf;
}

export interface ImporterOptions {
  /** The key has stopped working: why, and what happens to the work. */
  onKeyRefused: (reason: string) => void;
  readerOf: ReaderOf;
  /** Without it, nothing is kept. */
  kept?: Kept | undefined;
}

export function createImporter({ onKeyRefused, readerOf, kept }: ImporterOptions): Importer {
  const categorising = { ...initialState.categorising, rules: kept?.rules() ?? '' };
  const store = createStore<ImportState>({ ...initialState, categorising });
  const { get, set } = store;
  let session: Session | undefined;
  let account: string | undefined;
  let readFile: Reader | undefined;
  let reads = 0;
  let booksRead = new AbortController();
  let run: SendingRun | undefined;
  let runs = 0;

  const refused = (error: unknown): boolean => {
    if (!isKeyRefused(error)) return false;
    const kept = get().file ? ' Your file and your edits are kept: enter a key and go on.' : '';
    onKeyRefused(`The key has stopped working. ${keyProblem(error)}${kept}`);
    return true;
  };

  /**
   * Reads the file with the settings of now. A later call makes an earlier one void.
   * @param isFirst with the use of columns that is kept for its header
   */
  const read = async (isFirst = false): Promise<void> => {
    if (!readFile) return;
    const ticket = ++reads;
    set({ isBusy: true });
    let change = await readWith(readFile, get());
    const choices = isFirst ? kept?.columns(headerOf({ ...get(), ...change })) : undefined;
    if (choices && ticket === reads) {
      set({ reading: choices, areColumnsKept: true });
      change = await readWith(readFile, get());
    }
    await prepare(change);
    if (ticket !== reads) return;
    // What was sent in part is no longer what would be sent.
    set({ ...change, isBusy: false, ...(run === undefined && { sending: undefined }) });
    compare();
    if (get().step === 'check') await readTheBooks();
  };

  const comparisonOf = comparer();
  const compare = () => set({ comparison: comparisonOf(get()) });
  /** What takes time, in tasks of its own before it is shown: the page responds in between. */
  const prepare = async (change: Partial<ImportState>): Promise<void> => {
    await nextTask();
    if (change.result) change.balances = balancesOf(change.result, get().imported);
    await nextTask();
    comparisonOf({ ...get(), ...change });
    await nextTask();
  };

  /** Reads the account's entries of the file's period, unless they have been read. */
  const readTheBooks = async (): Promise<void> => {
    const { result, books } = get();
    if (!session || !result || result.entries.length === 0) return;
    const period = periodFor(result);
    const isRead = books.status === 'read' || books.status === 'reading';
    if (isRead && covers(books.period, period)) return;
    booksRead.abort();
    booksRead = new AbortController();
    const { signal } = booksRead;
    set({ books: { status: 'reading', period, stored: undefined }, comparison: undefined });
    try {
      const stored = await readBooks(session.ledger, session.sources, period, signal);
      const books: StoredBooks = { status: 'read', period, stored };
      await prepare({ books });
      if (signal.aborted) return;
      set({ books });
      compare();
    } catch (error) {
      if (signal.aborted) return;
      set({ books: { ...NO_BOOKS, status: 'failed' } });
      refused(error);
    }
  };

  const readCategories = async (): Promise<void> => {
    const { source, isByRules, allCategories } = get();
    if (!session || allCategories || !(source || isByRules)) return;
    try {
      const allCategories = labelled(await session.ledger.categories());
      set({ allCategories, original: undefined, failure: undefined });
      await read();
    } catch (error) {
      if (!refused(error)) set({ failure: `The categories could not be read. ${keyProblem(error)}` });
    }
  };

  /** What is still sent to a source is of no use to another one. */
  const forgetSending = () => {
    runs++;
    run = undefined;
  };

  const openFile = async (file: ImportFile, waiting: readonly ImportFile[] = []) => {
    booksRead.abort();
    readFile = readerOf(file.bytes);
    set({ ...withFile(file), waiting });
    await read(true);
  };

  return {
    store,
    refused,
    readerOf,
    setSession(opened) {
      session = opened;
      if (!opened) {
        run?.pause();
        return;
      }
      const { source, isByRules } = get();
      if (account !== opened.account.accountId) set({ imported: [] });
      account = opened.account.accountId;
      set({ sources: opened.sources });
      const own = opened.sources.find(({ id }) => id === source?.id);
      const isKept = own !== undefined || isByRules;
      if (!isKept) {
        forgetSending();
        booksRead.abort();
        const only = opened.sources.length === 1 ? opened.sources[0] : undefined;
        const nothing = { source: undefined, books: NO_BOOKS, comparison: undefined, sending: undefined };
        set({ ...nothing, step: 'file' });
        if (only) set(withSource(get(), only));
      }
      void readCategories().then(() => (get().step === 'check' ? readTheBooks() : undefined));
    },
    chooseSource(id) {
      const source = session?.sources.find((each) => each.id === id);
      if (!source && id !== '') return;
      forgetSending();
      // The entries are still of the source before.
      set({ ...withSource(get(), source), comparison: undefined });
      void readCategories();
      void read();
    },
    confirmSource: () => set({ isSourceConfirmed: true }),
    openFile,
    async openNext() {
      const [next, ...waiting] = get().waiting;
      if (next) await openFile(next, waiting);
    },
    async setReading(change) {
      const { file: chosenFor } = get();
      set(withReading(get(), change));
      await read();
      const { file, reading, problem } = get();
      const isOfColumns = 'map' in change || 'ignore' in change;
      if (!kept || !isOfColumns || problem || file !== chosenFor) return;
      kept.keepColumns(headerOf(get()), { map: reading.map, ignore: reading.ignore });
      set({ areColumnsKept: true });
    },
    async forgetColumns() {
      kept?.keepColumns(headerOf(get()), undefined);
      set({ ...withReading(get(), { map: undefined, ignore: undefined }), areColumnsKept: false });
      await read();
    },
    async setCategorising(change) {
      set({ categorising: { ...get().categorising, ...change }, original: undefined });
      if (change.rules !== undefined) kept?.keepRules(change.rules);
      await read();
    },
    async correct(rows, change) {
      set(withCorrection(get(), rows, change));
      await read();
    },
    importProbable(rows) {
      set(withOwnPayments(get(), rows));
      compare();
    },
    async undo() {
      const { history } = get();
      const before = history.at(-1);
      if (!before) return;
      set({ ...before, history: history.slice(0, -1) });
      await read();
    },
    go(step) {
      const { result, source, sending, comparison } = get();
      if (step === 'send') {
        if (!result || !comparison || !canSend(get())) return;
        if (sending?.status !== 'running' && sending?.status !== 'paused') {
          set({ sending: readyToSend(source?.id, result.entries, comparison) });
        }
      }
      set({ step });
      if (step === 'check') void readTheBooks();
    },
    startSending(areDatesConfirmed = false) {
      const { sending } = get();
      if (unlikelyIn(get()).length > 0 && !areDatesConfirmed) return;
      if (!session || !sending || sending.status === 'running' || sending.status === 'pausing') return;
      // They are about to change: the way back to the rows reads them again.
      set({ books: NO_BOOKS });
      const ticket = ++runs;
      const onChange = (state: Sending) => ticket === runs && set({ sending: state });
      run = startSending({ ledger: session.ledger, state: sending, onChange });
      void run.ended.then(() => {
        if (ticket !== runs) return;
        const ended = get().sending;
        run = undefined;
        if (ended?.status === 'done') set({ step: 'result', imported: withImported(get()) });
        if (ended?.status === 'failed') refused(ended.error);
      });
    },
    pauseSending: () => run?.pause(),
    retryNow() {
      run?.retryNow();
      void readCategories();
      if (get().books.status === 'failed') void readTheBooks();
    },
    startAgain() {
      const { sources, source, isByRules, allCategories, categorising, imported } = get();
      booksRead.abort();
      readFile = undefined;
      set({ ...initialState, sources, source, isByRules, allCategories, categorising, imported });
    },
  };
}

/** The names of the columns, whether or not the file can be read. */
const headerOf = (state: ImportState): string[] => columnsOf(state).map(({ name }) => name);

/** How many rows need a correction or have to be left out. */
export const invalidRows = ({ invalid }: ImportResult): number => new Set(invalid.map(({ row }) => row)).size;
