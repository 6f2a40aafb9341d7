/** Sending within the import: its begin, its changes of the state, and the step that follows. */
import { readBooks } from '../../typescript/books/stored-books.ts';
import type { Session } from '../key/session.ts';
import type { Store } from '../page/store.ts';
import { periodFor } from './comparing.ts';
import { type Sending, type SendingRun, startSending, unlikelyIn } from './sending.ts';
import { type ImportState, NO_BOOKS, withImported } from './state.ts';

export interface Sender {
  start(session: Session, areDatesConfirmed: boolean): void;
  pause(): void;
  retryNow(): void;
  /** Ignores the rest of a run. */
  forget(): void;
  isRunning(): boolean;
}

export interface SenderOptions {
  /** Not everything was sent, because the books have changed. */
  onChanged: () => void;
  onError: (error: unknown) => void;
}

export function createSender(
  { get, set }: Store<ImportState>,
  { onChanged, onError }: SenderOptions,
): Sender {
  let run: SendingRun | undefined;
  let runs = 0;

  const end = () => {
    run = undefined;
    const { sending } = get();
    if (!sending) return;
    set({ created: sending.created });
    if (sending.status === 'failed') return onError(sending.error);
    if (sending.status !== 'done') return;
    set({ imported: withImported(get()) });
    if (sending.changed.length === 0) return set({ step: 'result' });
    set({ step: 'check', changed: sending.changed });
    onChanged();
  };

  return {
    start({ ledger, sources }, areDatesConfirmed) {
      const { sending, read } = get();
      if (unlikelyIn(get()).length > 0 && !areDatesConfirmed) return;
      if (!sending || !read || sending.status === 'running' || sending.status === 'pausing') return;
      // They are about to change: the way back to the rows reads them again.
      set({ books: NO_BOOKS, changed: undefined });
      const ticket = ++runs;
      run = startSending({
        ledger,
        state: sending,
        readBooks: (signal, onPause) =>
          readBooks(
            ledger,
            sources,
            {
              ...periodFor(read),
              retryTimeoutMs: Number.POSITIVE_INFINITY,
              onProgress: (_, pause) => pause && onPause(pause),
            },
            signal,
          ),
        onChange: (state: Sending) => ticket === runs && set({ sending: state }),
      });
      void run.ended.then(() => ticket === runs && end());
    },
    pause: () => run?.pause(),
    retryNow: () => run?.retryNow(),
    forget() {
      runs++;
      run = undefined;
    },
    isRunning: () => run !== undefined,
  };
}
