/** The actions of a visitor in the import, and their effects. No DOM: the views call this and show the state. */

import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { isKeyRefused, keyProblem, type Session } from '../key/session.ts';
import { nextTask } from '../page/next-task.ts';
import { booksOfFiles } from './books-of-files.ts';
import { labelled } from './categories.ts';
import { withSource } from './changes.ts';
import { following } from './comparing.ts';
import { type FileActions, fileActions } from './file-actions.ts';
import { closingsOfRules, rulesWithClosings } from './kept-lines.ts';
import type { Preferences } from './preferences.ts';
import { filesReader } from './read-file.ts';
import type { ReaderOf } from './reader.ts';
import { type RowActions, rowActions } from './row-actions.ts';
import { Sender } from './sender.ts';
import { type Facts, type ImportFile, type ImportState, NO_ACCOUNT, NO_BOOKS, NO_FILES } from './state.ts';
import { type StepActions, stepActions } from './step-actions.ts';

export interface Importer extends FileActions, RowActions, StepActions {
  state: ReadonlySignal<ImportState>;
  /** Undefined while there is no key. All sessions are of one account. Without the chosen source, another choice is needed. */
  setSession(session: Session | undefined): void;
  /** @param id empty: the rules or a column decide */
  chooseSource(id: string): void;
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
  const { onKeyRefused, readerOf, preferences } = options;
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

  /** The next files go on where these end. These ones are not read again. */
  const keepClosings = () => {
    const { categorising, files } = get();
    const rules = rulesWithClosings(categorising.rules, files);
    preferences?.keepRules(rules);
    set({ categorising: { ...categorising, rules } });
  };

  const readFiles = filesReader({ get, set, readerOf, workOut });
  const books = booksOfFiles({
    get,
    set,
    session: () => session,
    workOut,
    onError: (error) => void refused(error),
  });
  const sender = new Sender({
    get,
    set,
    onError: refused,
    onChanged: () => void books.read(),
    onImported: keepClosings,
  });

  const read = async (): Promise<void> => {
    const isShown = await readFiles();
    if (isShown && get().step === 'check') await books.read();
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

  const files = fileActions({ get, set, read, preferences });

  return {
    ...files,
    ...rowActions({ get, set, read, preferences }),
    ...stepActions({ get, set, session: () => session, books, sender, readCategories }),
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
      if (get().files.length === 0) void files.addFiles(options.files ?? []);
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
  };
}
