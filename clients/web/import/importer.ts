/** The actions of a visitor in the import, and their effects. No DOM: the views call this and show the state. */

import type { ReadonlySignal } from '@preact/signals';
import { isKeyRefused, keyProblem, type Session } from '../key/session.ts';
import { booksOfFiles } from './books-of-files.ts';
import { type FileActions, fileActions } from './file-actions.ts';
import { closingsOfRules, rulesWithClosings } from './kept-lines.ts';
import type { Preferences } from './preferences.ts';
import { PushRunner } from './push-runner.ts';
import { filesReader } from './read-file.ts';
import type { ReaderOf } from './reader.ts';
import { type RowActions, rowActions } from './row-actions.ts';
import { type SessionActions, sessionActions } from './session-actions.ts';
import { type Facts, type GivenFile, type ImportState, NO_ACCOUNT, NO_FILES } from './state.ts';
import { type StepActions, stepActions } from './step-actions.ts';
import { createStore } from './store.ts';

export interface Importer extends FileActions, RowActions, StepActions, SessionActions {
  state: ReadonlySignal<ImportState>;
  handleRefusedKey: (error: unknown) => boolean;
  readerOf: ReaderOf;
}

/** The properties of the views: an import, and the state of it that they show. */
export interface ViewProps {
  importer: Importer;
  state: ImportState;
}

export interface ImporterOptions {
  /** The key has stopped working: why, and what happens to the work. */
  onKeyRefused: (reason: string) => void;
  readerOf: ReaderOf;
  /** The rules and decisions that the browser keeps for the account. Undefined: it keeps none. */
  preferences?: Preferences | undefined;
  /** Files that the first session opens. */
  files?: readonly GivenFile[] | undefined;
}

/** Creates an import: its state, and all actions of a visitor. */
export function createImporter(options: ImporterOptions): Importer {
  const { onKeyRefused, readerOf, preferences } = options;
  const store = createStore(initialFacts(preferences));
  const { get, set } = store;
  const current: { session: Session | undefined } = { session: undefined };
  const session = () => current.session;
  const handleRefusedKey = (error: unknown): boolean => {
    if (!isKeyRefused(error)) return false;
    onKeyRefused(keyRefusalText(error, get()));
    return true;
  };

  /** The next files go on where these end. These ones are not read again. */
  const keepClosings = () => {
    const { categorising, files } = get();
    const rules = rulesWithClosings(categorising.rules, files);
    preferences?.keepRules(rules);
    set({ categorising: { ...categorising, rules } });
  };

  const books = booksOfFiles(store, session, handleRefusedKey);
  const runner = new PushRunner({
    ...store,
    onError: handleRefusedKey,
    onChanged: () => void books.read(),
    onPushed: keepClosings,
  });

  const readFiles = filesReader(store, readerOf);
  const read = async (): Promise<void> => {
    const isShown = await readFiles();
    if (isShown && get().step === 'check') await books.read();
  };

  const editing = { ...store, read, preferences };
  const files = fileActions(editing);
  const openFiles = () => {
    if (get().files.length === 0) void files.addFiles(options.files ?? []);
  };
  const { readCategories, ...sessions } = sessionActions({
    ...store,
    read,
    current,
    books,
    runner,
    handleRefusedKey,
    openFiles,
  });

  return {
    ...files,
    ...rowActions(editing),
    ...stepActions({ ...store, session, books, runner, readCategories }),
    ...sessions,
    state: store.state,
    handleRefusedKey,
    readerOf,
  };
}

/** With the rules and the decisions that the browser keeps. */
function initialFacts(preferences: Preferences | undefined): Facts {
  const categorising = { ...NO_ACCOUNT.categorising, rules: preferences?.rules() ?? '' };
  return {
    ...NO_ACCOUNT,
    ...NO_FILES,
    ...(preferences && { decisions: preferences.decisions() }),
    closings: closingsOfRules(categorising.rules),
    categorising,
  };
}

function keyRefusalText(error: unknown, { files }: ImportState): string {
  const work =
    files.length > 0
      ? ' Your files and your edits are kept: enter another key of the account and go on.'
      : '';
  return `The key has stopped working. ${keyProblem(error)}${work}`;
}
