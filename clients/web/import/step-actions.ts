/** The actions of a visitor that lead from step to step: going on, pushing, and starting again. */
import type { Session } from '../key/session.ts';
import type { BooksOfFiles } from './books-of-files.ts';
import { closingsOfRules } from './kept-lines.ts';
import type { PushRunner } from './push-runner.ts';
import { isRunning, readyToPush } from './push-state.ts';
import { canPush } from './selectors.ts';
import { FOLLOWS, NO_FILES, type Step } from './state.ts';
import type { Store } from './store.ts';

interface StepActionsOptions extends Store {
  session: () => Session | undefined;
  books: BooksOfFiles;
  runner: PushRunner;
  readCategories: () => Promise<void>;
}

export type StepActions = ReturnType<typeof stepActions>;

/** Creates the actions between steps. */
export function stepActions({ get, set, session, books, runner, readCategories }: StepActionsOptions) {
  return {
    /** The file is for the chosen source, although another one has its entries. */
    confirmSource: () => set({ isSourceConfirmed: true }),
    go(step: Step): void {
      const { compared, push, created, step: from } = get();
      if (!FOLLOWS[from].includes(step)) return;
      if (step === 'push') {
        if (!compared || !canPush(get())) return;
        const isStarted = push?.status === 'paused' && push.shown === compared;
        if (!isStarted && !isRunning(get())) set({ push: readyToPush(compared, created) });
      }
      set({ step });
      if (step === 'check') void books.read();
    },
    startPush(areDatesConfirmed = false): void {
      const opened = session();
      if (opened) runner.start(opened, areDatesConfirmed);
    },
    pausePush: () => runner.pause(),
    /** What waits for the service or has failed without it is tried again. */
    retryNow(): void {
      runner.retryNow();
      void readCategories();
      if (get().books.status === 'failed') void books.read();
    },
    /** Back to an empty File step, with the same source. A read that is running is void. */
    startAgain(): void {
      books.cancel();
      set({ ...NO_FILES, closings: closingsOfRules(get().categorising.rules) });
    },
  };
}
