/** What a visitor can do in the import, and what follows from it. No DOM: the views call this and show the state. */
import { needsStored, withoutStored } from '../../typescript/books/stored-entries.ts';
import {
  type Correction,
  ImportError,
  type ImportOptions,
  type ImportResult,
  statementReader,
} from '../../typescript/import/index.ts';
import type { CategorySet, Source, Transaction } from '../../typescript/index.ts';
import { capitalised } from '../format.ts';
import { isKeyRefused, keyProblem, type Session } from '../session.ts';
import { createStore, type Store } from '../store.ts';
import { periodOf, readKnown } from './known.ts';
import { type PushRun, type PushState, readyToPush, startPush } from './push.ts';
import {
  type Categorising,
  canPush,
  type ImportFile,
  type ImportState,
  initialState,
  NOTHING_KNOWN,
  type Reading,
  type Step,
  withCorrection,
  withFile,
  withReading,
  withSource,
} from './state.ts';

export interface Importer {
  store: Store<ImportState>;
  /** Undefined while there is no key. An account without the chosen source needs another choice. */
  setSession(session: Session | undefined): void;
  chooseSource(id: string): void;
  openFile(file: ImportFile): Promise<void>;
  setReading(change: Reading): Promise<void>;
  setCategorising(change: Partial<Categorising>): Promise<void>;
  correct(row: number, change: Correction): Promise<void>;
  undoCorrections(rows: readonly number[]): Promise<void>;
  go(step: Step): void;
  startPush(): void;
  pausePush(): void;
  /** What waits for the service or has failed without it is tried again. */
  retryNow(): void;
  /** Back to an empty File step, with the same source. */
  startAgain(): void;
}

export interface ImporterOptions {
  /** The key has stopped working: why, and what happens to the work. */
  onKeyRefused: (reason: string) => void;
  /** Reads a file again and again. */
  readerOf?: typeof statementReader | undefined;
}

const ALL_TIME = { from: '0001-01-01', to: '9999-12-31' };

export function createImporter({ onKeyRefused, readerOf = statementReader }: ImporterOptions): Importer {
  const store = createStore<ImportState>(initialState);
  const { get, set } = store;
  let session: Session | undefined;
  let readFile: ReturnType<typeof statementReader> | undefined;
  let reads = 0;
  let knownRead = new AbortController();
  let run: PushRun | undefined;
  let runs = 0;

  const refused = (error: unknown): boolean => {
    if (!isKeyRefused(error)) return false;
    const kept = get().file ? ' Your file and your edits are kept: enter a key and go on.' : '';
    onKeyRefused(`The key has stopped working. ${keyProblem(error)}${kept}`);
    return true;
  };

  /** Reads the file with the settings of now. A later call makes an earlier one void. */
  const read = async (): Promise<void> => {
    const { step } = get();
    if (!readFile) return;
    const ticket = ++reads;
    set({ isBusy: true });
    let change: Partial<ImportState>;
    try {
      const result = await readFile(optionsOf(get()));
      const { withoutReference } = get().known;
      change = {
        ...withoutKnown(result, withoutReference),
        mustCompare: needsStored(result),
        problem: undefined,
      };
    } catch (error) {
      change = { problem: asImportError(error), ...(step === 'file' && { result: undefined }) };
    }
    if (ticket !== reads) return;
    // What was pushed in part is no longer what would be pushed.
    const isPushing = run !== undefined;
    set({ ...change, isBusy: false, ...(!isPushing && { push: undefined }) });
    if (get().step === 'check') await compareWithBooks();
  };

  /** Reads the source's entries of the file's period, unless they have been read. */
  const compareWithBooks = async (): Promise<void> => {
    const { result, source, known, mustCompare } = get();
    const period = mustCompare ? ALL_TIME : result && periodOf(result.entries);
    if (!session || !source || !period) return;
    const isRead = known.status !== 'failed' && known.status !== 'unread';
    if (isRead && known.from <= period.from && known.to >= period.to) return;
    knownRead.abort();
    knownRead = new AbortController();
    const { signal } = knownRead;
    set({ known: { ...NOTHING_KNOWN, ...period, status: 'reading' } });
    try {
      const found = await readKnown(session.ledger, source.id, period, signal);
      if (signal.aborted) return;
      set({ known: found });
      if (mustCompare) await read();
    } catch (error) {
      if (signal.aborted) return;
      set({ known: { ...NOTHING_KNOWN, status: 'failed' } });
      refused(error);
    }
  };

  const readCategories = async (): Promise<void> => {
    const { source, categories } = get();
    if (!session || !source || categories) return;
    try {
      const { income, expense } = await session.ledger.categories(source.type);
      if (get().source?.id !== source.id) return;
      set({ categories: { income: named(income), expense: named(expense) }, failure: undefined });
      await read();
    } catch (error) {
      if (!refused(error)) set({ failure: `The categories could not be read. ${keyProblem(error)}` });
    }
  };

  /** What still runs for a source is of no use to another one. */
  const forgetSource = () => {
    knownRead.abort();
    runs++;
    run = undefined;
  };

  return {
    store,
    setSession(opened) {
      session = opened;
      if (!opened) {
        run?.pause();
        return;
      }
      const { source } = get();
      const own = opened.sources.find(({ id }) => id === source?.id);
      if (!own) forgetSource();
      const only = opened.sources.length === 1 ? opened.sources[0] : undefined;
      const chosen = own ?? only;
      if (!own)
        set({
          source: undefined,
          categories: undefined,
          known: NOTHING_KNOWN,
          push: undefined,
          step: 'file',
        });
      if (chosen && !own) set(withSource(get(), chosen));
      void readCategories().then(() => (get().step === 'check' ? compareWithBooks() : undefined));
    },
    chooseSource(id) {
      const source: Source | undefined = session?.sources.find((each) => each.id === id);
      if (!source) return;
      forgetSource();
      set(withSource(get(), source));
      void readCategories();
    },
    async openFile(file) {
      knownRead.abort();
      readFile = readerOf(file.bytes);
      set(withFile(file));
      await read();
    },
    async setReading(change) {
      set(withReading(get(), change));
      await read();
    },
    async setCategorising(change) {
      set({ categorising: { ...get().categorising, ...change } });
      await read();
    },
    async correct(row, change) {
      set({ corrections: withCorrection(get().corrections, row, change) });
      await read();
    },
    async undoCorrections(rows) {
      const corrections = new Map(get().corrections);
      for (const row of rows) corrections.delete(row);
      set({ corrections });
      await read();
    },
    go(step) {
      const { result, source, push } = get();
      if (step === 'push') {
        if (!result || !source || !canPush(get())) return;
        if (push?.status !== 'running' && push?.status !== 'paused') {
          set({ push: readyToPush(source.id, result.entries) });
        }
      }
      set({ step });
      if (step === 'check') void compareWithBooks();
    },
    startPush() {
      const { push } = get();
      if (!session || !push || push.status === 'running' || push.status === 'pausing') return;
      const ticket = ++runs;
      const onChange = (state: PushState) => ticket === runs && set({ push: state });
      run = startPush({ ledger: session.ledger, state: push, onChange });
      void run.ended.then(() => {
        if (ticket !== runs) return;
        const ended = get().push;
        run = undefined;
        if (ended?.status === 'done') set({ step: 'result', known: NOTHING_KNOWN });
        if (ended?.status === 'failed') refused(ended.error);
      });
    },
    pausePush: () => run?.pause(),
    retryNow() {
      run?.retryNow();
      void readCategories();
      if (get().known.status === 'failed') void compareWithBooks();
    },
    startAgain() {
      const { source, categories } = get();
      knownRead.abort();
      readFile = undefined;
      set({ ...initialState, source, categories });
    },
  };
}

function withoutKnown(
  read: ImportResult,
  stored: readonly Transaction[],
): Pick<ImportState, 'result' | 'storedRows'> {
  const result = withoutStored(read, stored);
  const kept = new Set(result.entries.map(({ row }) => row));
  const gone = read.entries.filter(({ row }) => !kept.has(row));
  return { result, storedRows: new Set(gone.map(({ row }) => row)) };
}

const named = (categories: CategorySet['income']) =>
  categories.map(({ key, label }) => ({ key, label: capitalised(label) }));

function optionsOf({ file, reading, categories, categorising, corrections }: ImportState): ImportOptions {
  const { rules, income, expense } = categorising;
  const options: ImportOptions = {
    fileName: file?.name,
    ...reading,
    accountLabel: reading.accountLabel || undefined,
    corrections,
    // Rules and defaults are keys or labels of the source's categories, and mean nothing before those are known.
    ...(categories && {
      categories,
      rules: rules || undefined,
      categoryIncome: income || undefined,
      categoryExpense: expense || undefined,
    }),
  };
  return options;
}

function asImportError(error: unknown): ImportError {
  if (error instanceof ImportError) return error;
  return new ImportError('unreadable_file', 'The file cannot be read.');
}

/** The number of the rows that need a correction or have to be left out. */
export const invalidRows = ({ invalid }: ImportResult): number => new Set(invalid.map(({ row }) => row)).size;
