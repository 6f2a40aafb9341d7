/** The actions of a visitor on the key and on the chosen source, and the categories that follow from both. */
import { keyProblem, type Session } from '../key/session.ts';
import type { BooksOfFiles } from './books-of-files.ts';
import { withCapitals } from './categories.ts';
import { withSource } from './changes.ts';
import type { PushRunner } from './push-runner.ts';
import { DUE_BOOKS } from './state.ts';
import type { Store } from './store.ts';

export interface SessionActions {
  /** Undefined while there is no key. All sessions are of one account. Without the chosen source, another choice is needed. */
  setSession(session: Session | undefined): void;
  /** @param id empty: the rules or a column decide */
  chooseSource(id: string): void;
}

interface SessionActionsOptions extends Store {
  read: () => Promise<void>;
  /** The session of the import: the actions change it. */
  current: { session: Session | undefined };
  books: BooksOfFiles;
  runner: PushRunner;
  handleRefusedKey: (error: unknown) => boolean;
  /** Opens the files that wait for a session. */
  openFiles: () => void;
}

/** Creates the actions on the key and the source, and the reading of categories. */
export function sessionActions(
  options: SessionActionsOptions,
): SessionActions & { readCategories: () => Promise<void> } {
  const { get, set, read, current, books, runner, handleRefusedKey, openFiles } = options;

  const readCategories = async (): Promise<void> => {
    const { session } = current;
    const { source, isByRules, allCategories } = get();
    if (!session || allCategories || !(source || isByRules)) return;
    try {
      set({ allCategories: withCapitals(await session.ledger.categories()), failure: undefined });
      await read();
    } catch (error) {
      if (!handleRefusedKey(error))
        set({ failure: `The categories could not be read. ${keyProblem(error)}` });
    }
  };

  return {
    readCategories,
    setSession(opened) {
      current.session = opened;
      if (!opened) return runner.pause();
      runner.recover();
      const { source, isByRules } = get();
      set({ sources: opened.sources });
      const isSourceKnown = isByRules || opened.sources.some(({ id }) => id === source?.id);
      if (!isSourceKnown) {
        runner.forget();
        books.cancel();
        set({ source: undefined, books: DUE_BOOKS, push: undefined, step: 'file' });
        const [only, ...others] = opened.sources;
        if (only && others.length === 0) set(withSource(get(), only));
      }
      openFiles();
      void readCategories().then(() => (get().step === 'check' ? books.read() : undefined));
    },
    chooseSource(id) {
      const source = current.session?.sources.find((each) => each.id === id);
      if (!source && id !== '') return;
      runner.forget();
      set(withSource(get(), source));
      void readCategories();
      void read();
    },
  };
}
