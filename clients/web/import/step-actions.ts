/** The actions of a visitor that lead from step to step: going on, sending, and starting again. */
import type { Session } from '../key/session.ts';
import type { BooksOfFiles } from './books-of-files.ts';
import { closingsOfRules } from './kept-lines.ts';
import { canSend } from './selectors.ts';
import type { Sender } from './sender.ts';
import { isRunning, readyToSend } from './sending.ts';
import { FOLLOWS, NO_FILES, type Step } from './state.ts';
import type { Store } from './store.ts';

interface StepActionsOptions extends Store {
  session: () => Session | undefined;
  books: BooksOfFiles;
  sender: Sender;
  readCategories: () => Promise<void>;
}

export type StepActions = ReturnType<typeof stepActions>;

/** Creates the actions between steps. */
export function stepActions({ get, set, session, books, sender, readCategories }: StepActionsOptions) {
  return {
    /** The file is for the chosen source, although another one has its entries. */
    confirmSource: () => set({ isSourceConfirmed: true }),
    go(step: Step): void {
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
    startSending(areDatesConfirmed = false): void {
      const opened = session();
      if (opened) sender.start(opened, areDatesConfirmed);
    },
    pauseSending: () => sender.pause(),
    /** What waits for the service or has failed without it is tried again. */
    retryNow(): void {
      sender.retryNow();
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
