/** The actions of a visitor that lead from step to step: going on, sending, and starting again. */
import type { Session } from '../key/session.ts';
import type { BooksOfFiles } from './books-of-files.ts';
import { closingsOfRules } from './kept-lines.ts';
import type { Sender } from './sender.ts';
import { isRunning, readyToSend } from './sending.ts';
import { canSend, type Facts, FOLLOWS, type ImportState, NO_FILES, type Step } from './state.ts';

export interface StepActions {
  /** The file is for the chosen source, although another one has its entries. */
  confirmSource(): void;
  go(step: Step): void;
  startSending(areDatesConfirmed?: boolean): void;
  pauseSending(): void;
  /** What waits for the service or has failed without it is tried again. */
  retryNow(): void;
  /** Back to an empty File step, with the same source. A read that is running is void. */
  startAgain(): void;
}

interface StepActionsOptions {
  get: () => ImportState;
  set: (change: Partial<Facts>) => void;
  session: () => Session | undefined;
  books: BooksOfFiles;
  sender: Sender;
  readCategories: () => Promise<void>;
}

export function stepActions(options: StepActionsOptions): StepActions {
  const { get, set, books, sender, readCategories } = options;
  return {
    confirmSource: () => set({ isSourceConfirmed: true }),
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
      const session = options.session();
      if (session) sender.start(session, areDatesConfirmed);
    },
    pauseSending: () => sender.pause(),
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
