/** The actions of a visitor in the import, and their effects. No DOM: the views call this and show the state. */

import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { RowCorrection } from '../../typescript/import/options.ts';
import { withoutKeptChoices } from '../../typescript/import/plan/kept-choices.ts';
import type { Decision } from '../../typescript/match/decision.ts';
import { isKeyRefused, keyProblem, type Session } from '../key/session.ts';
import { nextTask } from '../page/next-task.ts';
import { withAdded, withSheet } from './added-files.ts';
import { booksOfFiles } from './books-of-files.ts';
import {
  beforeLast,
  isOfColumns,
  isOfTable,
  NO_CHOICES,
  probableRows,
  withCorrection,
  withDecision,
  withParseOptions,
  withSource,
} from './changes.ts';
import { following } from './comparing.ts';
import { closingsOfRules, rulesWithClosings } from './kept-closings.ts';
import { chosenKind, rulesKeeping } from './kept-columns.ts';
import type { Preferences } from './preferences.ts';
import { filesReader } from './read-file.ts';
import type { ReaderOf } from './reader.ts';
import { createSender } from './sender.ts';
import { isRunning, readyToSend } from './sending.ts';
import type { UnreadSheet } from './sheets.ts';
import {
  type Categorising,
  canSend,
  type Facts,
  FOLLOWS,
  type ImportFile,
  type ImportState,
  labelled,
  NO_ACCOUNT,
  NO_BOOKS,
  NO_FILES,
  type ParseOptions,
  type Step,
} from './state.ts';

export interface Importer {
  state: ReadonlySignal<ImportState>;
  /** Undefined while there is no key. All sessions are of one account. Without the chosen source, another choice is needed. */
  setSession(session: Session | undefined): void;
  /** @param id empty: the rules or a column decide */
  chooseSource(id: string): void;
  /** The file is for the chosen source, although another one has its entries. */
  confirmSource(): void;
  /** Adds files. One with the content of a file that is open is not opened twice: a workbook's next sheet is. */
  addFiles(files: readonly ImportFile[]): Promise<void>;
  /** A sheet of an open workbook, as a file of its own. */
  addSheet(sheet: UnreadSheet): Promise<void>;
  removeFile(file: ImportFile): Promise<void>;
  setParseOptions(file: ImportFile, change: ParseOptions): Promise<void>;
  /** The reader finds out the use of the columns. The browser no longer keeps it. */
  forgetColumns(file: ImportFile): Promise<void>;
  setCategorising(change: Partial<Categorising>): Promise<void>;
  /** @param rates undefined: amounts in other currencies are refused */
  setRates(rates: ImportFile | undefined): Promise<void>;
  correct(rows: readonly number[], change: RowCorrection): Promise<void>;
  /** What these rows are, which the books probably have. Undefined: it is open again. */
  decide(rows: readonly number[], decision: Decision | undefined): void;
  /** About a row of any imported file. */
  decideByKey(key: string, decision: Decision): void;
  /** A row that the books probably have is the stored entry. The others are left out. */
  leaveOut(rows: readonly number[]): Promise<void>;
  /** Takes the last change back. */
  undo(): Promise<void>;
  go(step: Step): void;
  startSending(areDatesConfirmed?: boolean): void;
  pauseSending(): void;
  /** What waits for the service or has failed without it is tried again. */
  retryNow(): void;
  /** Back to an empty File step, with the same source. A read that is running is void. */
  startAgain(): void;
  refused: (error: unknown) => boolean;
  readerOf: ReaderOf;
}

export interface ImporterOptions {
  /** The key has stopped working: why, and what happens to the work. */
  onKeyRefused: (reason: string) => void;
  readerOf: ReaderOf;
  /** Of the account. Without it, nothing is kept. */
  preferences?: Preferences | undefined;
  /** The first session opens them. */
  files?: readonly ImportFile[] | undefined;
}

export function createImporter(options: ImporterOptions): Importer {
  const { onKeyRefused, readerOf, preferences, files = [] } = options;
  const categorising = { ...NO_ACCOUNT.categorising, rules: preferences?.rules() ?? '' };
  const kept = {
    ...(preferences && { decisions: preferences.decisions() }),
    closings: closingsOfRules(categorising.rules),
  };
  const facts = signal<Facts>({ ...NO_ACCOUNT, ...NO_FILES, ...kept, categorising });
  const follows = following();
  const state = computed(() => follows.state(facts.value));
  const get = () => state.peek();
  const set = (change: Partial<Facts>) => {
    facts.value = { ...facts.peek(), ...change };
  };
  let session: Session | undefined;
  const readFiles = filesReader({ get, set, readerOf, workOut: (change) => workOut(change) });
  const books = booksOfFiles({
    get,
    set,
    session: () => session,
    workOut: (change) => workOut(change),
    onError: (error) => void refused(error),
  });
  const sender = createSender({
    get,
    set,
    onError: (error) => refused(error),
    onChanged: () => void books.read(),
    onImported: () => keepClosings(),
  });

  const refused = (error: unknown): boolean => {
    if (!isKeyRefused(error)) return false;
    const kept =
      get().files.length > 0
        ? ' Your files and your edits are kept: enter another key of the account and go on.'
        : '';
    onKeyRefused(`The key has stopped working. ${keyProblem(error)}${kept}`);
    return true;
  };

  /** Works out what follows from a change before it is shown, in short tasks: the page responds in between. */
  const workOut = async (change: Partial<Facts>): Promise<void> => {
    await nextTask();
    follows.balances({ ...get(), ...change });
    await nextTask();
    follows.compared({ ...get(), ...change });
    await nextTask();
  };

  const read = async (): Promise<void> => {
    const isShown = await readFiles();
    if (isShown && get().step === 'check') await books.read();
  };

  const readAfter = (change: Partial<Facts>): Promise<void> => {
    set(change);
    return read();
  };

  const readCategories = async (): Promise<void> => {
    const { source, isByRules, allCategories } = get();
    if (!session || allCategories || !(source || isByRules)) return;
    try {
      set({ allCategories: labelled(await session.ledger.categories()), failure: undefined });
      await read();
    } catch (error) {
      if (!refused(error)) set({ failure: `The categories could not be read. ${keyProblem(error)}` });
    }
  };

  const addFiles = (added: readonly ImportFile[]) => readAfter({ files: withAdded(get().files, added) });
  const openFile = (file: ImportFile) => get().files.find((each) => each.file === file);
  const changeFile = (file: ImportFile, change: ParseOptions) =>
    set({
      files: get().files.map((each) => (each.file === file ? withParseOptions(each, change) : each)),
    });

  /** The next files go on where these end. These ones are not read again. */
  const keepClosings = () => {
    const { categorising, files } = get();
    const rules = rulesWithClosings(categorising.rules, files);
    preferences?.keepRules(rules);
    set({ categorising: { ...categorising, rules } });
  };

  const setCategorising = async (change: Partial<Categorising>) => {
    if (change.rules !== undefined) preferences?.keepRules(change.rules);
    const closings = change.rules === undefined ? {} : { closings: closingsOfRules(change.rules) };
    await readAfter({ categorising: { ...get().categorising, ...change }, ...closings });
  };

  /** Keeps the decisions too. */
  const decided = (change: Partial<Facts>) => {
    const before = get().decisions;
    set(change);
    preferences?.keepDecisions(get().decisions, before);
  };

  return {
    state,
    refused,
    readerOf,
    setSession(opened) {
      session = opened;
      if (!opened) return sender.pause();
      sender.recover();
      const { source, isByRules } = get();
      set({ sources: opened.sources });
      const isKept = isByRules || opened.sources.some(({ id }) => id === source?.id);
      if (!isKept) {
        sender.forget();
        books.cancel();
        set({ source: undefined, books: NO_BOOKS, sending: undefined, step: 'file' });
        const [only, ...others] = opened.sources;
        if (only && others.length === 0) set(withSource(get(), only));
      }
      if (get().files.length === 0) void addFiles(files);
      void readCategories().then(() => (get().step === 'check' ? books.read() : undefined));
    },
    chooseSource(id) {
      const source = session?.sources.find((each) => each.id === id);
      if (!source && id !== '') return;
      sender.forget();
      set(withSource(get(), source));
      void readCategories();
      void read();
    },
    confirmSource: () => set({ isSourceConfirmed: true }),
    addFiles,
    addSheet: (sheet) => readAfter({ files: withSheet(get().files, sheet) }),
    async removeFile(file) {
      // The corrections of the files that are left would be taken back in others.
      await readAfter({ files: get().files.filter((each) => each.file !== file), history: [] });
    },
    async setParseOptions(file, change) {
      const named = 'accountLabel' in change ? openFile(file) : undefined;
      changeFile(file, change);
      if (isOfTable(change)) set({ history: [] });
      await read();
      const { files, categorising } = get();
      if (!openFile(file) || !(isOfColumns(change) || named)) return;
      const rules = rulesKeeping(files, categorising.rules, named && chosenKind(named));
      if (rules !== categorising.rules) await setCategorising({ rules });
    },
    async forgetColumns(file) {
      const { kind } = openFile(file)?.read?.original.recognised ?? {};
      changeFile(file, NO_CHOICES);
      if (kind) await setCategorising({ rules: withoutKeptChoices(get().categorising.rules, kind) });
    },
    setCategorising,
    setRates: (rates) => readAfter({ rates }),
    correct: (rows, change) => readAfter(withCorrection(get(), rows, change)),
    decide: (rows, decision) => decided(withDecision(get(), rows, decision)),
    decideByKey: (key, decision) => decided({ decisions: new Map(get().decisions).set(key, decision) }),
    async leaveOut(rows) {
      const probable = probableRows(get());
      const others = rows.filter((row) => !probable.has(row));
      const change = withDecision(get(), rows, 'leave');
      // Both are one change for the visitor.
      const { history } = change;
      decided({ ...withCorrection({ ...get(), ...change }, others, { isLeftOut: true }), history });
      if (others.length > 0) await read();
    },
    async undo() {
      const before = beforeLast(get());
      if (!before) return;
      decided(before);
      await read();
    },
    go(step) {
      const { compared, sending, created, step: from } = get();
      if (!FOLLOWS[from].includes(step)) return;
      if (step === 'send') {
        if (!compared || !canSend(get())) return;
        const isStarted = sending?.status === 'paused' && sending.shown === compared;
        if (!isStarted && !isRunning(get())) set({ sending: readyToSend(compared, created) });
      }
      set({ step });
      if (step === 'check') void books.read();
    },
    startSending(areDatesConfirmed = false) {
      if (session) sender.start(session, areDatesConfirmed);
    },
    pauseSending: sender.pause,
    retryNow() {
      sender.retryNow();
      void readCategories();
      if (get().books.status === 'failed') void books.read();
    },
    startAgain() {
      books.cancel();
      set({ ...NO_FILES, closings: closingsOfRules(get().categorising.rules) });
    },
  };
}
