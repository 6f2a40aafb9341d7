/** Sends the entries: runs, pauses, waits, goes on. Every entry has a reference, so that repeating a part is safe. */

import { LedgerError, type Pause, type PushProgress } from '../../typescript/index.ts';
import { readBooks } from '../../typescript/match/stored-books.ts';
import { withoutEntry } from '../../typescript/send/outcomes.ts';
import { send } from '../../typescript/send/send.ts';
import { isKeyRefused, type Session } from '../key/session.ts';
import { periodFor } from './comparing.ts';
import { withImported } from './readings.ts';
import {
  isRunning,
  type Sending,
  type SendingEvent,
  TRANSITIONS,
  unlikelyIn,
  withCreated,
} from './sending.ts';
import type { Facts, ImportState } from './state.ts';

export interface Sender {
  start(session: Session, areDatesConfirmed: boolean): void;
  /** Stops after the running request. */
  pause(): void;
  /** Tries again at once if it waits for the service. */
  retryNow(): void;
  /** Goes on after a key that was refused. */
  recover(): void;
  /** Ignores the rest of a run. */
  forget: () => void;
}

interface SenderOptions {
  get: () => ImportState;
  set: (change: Partial<Facts>) => void;
  /** Not everything was sent, because the books have changed. */
  onChanged: () => void;
  /** Everything of the files is stored. */
  onImported: () => void;
  onError: (error: unknown) => void;
}

export function createSender({ get, set, onChanged, onImported, onError }: SenderOptions): Sender {
  /** Aborting it ends a part of the run: a pause, or a wait that is cut short. */
  let attempt = new AbortController();
  let runs = 0;

  const change = (part: Partial<Sending>, event?: SendingEvent) => {
    const { sending } = get();
    if (!sending) return;
    const status = event ? TRANSITIONS[sending.status][event] : sending.status;
    set({ sending: { ...sending, ...part, status } });
  };

  /** Sends the rest, after a comparison with the books of now. It waits without limit for a service that cannot be reached. */
  const sendRest = async ({ ledger, sources }: Session, sending: Sending, isCurrent: () => boolean) => {
    const { signal } = attempt;
    const { sent: before, shown, entries } = sending;
    let { activeMs, wasUnreachable } = sending;
    let resumedAt = performance.now();
    const onPause = (wait: Pause) => {
      // Waits do not count towards the rate.
      resumedAt = performance.now() + wait.until.getTime() - Date.now();
      wasUnreachable ||= wait.reason === 'unavailable';
      if (isCurrent()) change({ wait, wasUnreachable });
    };
    const onProgress = ({ sent, pause }: PushProgress) => {
      if (pause) return onPause(pause);
      const now = performance.now();
      activeMs += now - resumedAt;
      resumedAt = now;
      if (isCurrent()) change({ activeMs, sent: before + sent, wait: undefined });
    };
    const retryTimeoutMs = Number.POSITIVE_INFINITY;
    const period = {
      ...periodFor(shown.files),
      retryTimeoutMs,
      onProgress: (_: unknown, pause: Pause | undefined) => pause && onPause(pause),
    };
    const result = await send(ledger, shown, {
      readBooks: ({ isWhole = false, retryTimeoutMs: lookupMs = retryTimeoutMs } = {}) => {
        const days = isWhole ? { from: undefined, to: undefined } : {};
        return readBooks(ledger, sources, { ...period, ...days, retryTimeoutMs: lookupMs }, signal);
      },
      onProgress,
      signal,
      retryTimeoutMs,
    });
    const { outcomes, unknown, changed, error, stoppedBy, remaining } = result;
    const ids = outcomes.flatMap((outcome) => (outcome?.status === 'created' ? outcome.id : []));
    const created = new Set([...sending.created, ...ids]);
    if (isCurrent()) {
      const sent = entries.length - changed.length - remaining;
      change({
        outcomes: withCreated(outcomes, created),
        unknown,
        changed,
        created,
        sent,
        wait: undefined,
      });
    }
    if (error) throw error;
    return stoppedBy !== undefined;
  };

  const run = async (session: Session, isCurrent: () => boolean) => {
    change({ error: undefined, wait: undefined }, 'start');
    try {
      for (let sending = get().sending; sending?.status === 'running'; sending = get().sending) {
        attempt = new AbortController();
        const isInterrupted = await sendRest(session, sending, isCurrent);
        if (!isCurrent()) return;
        if (!isInterrupted) break;
      }
      const { sent = 0, changed = [], entries = [] } = get().sending ?? {};
      change({}, sent + changed.length === entries.length ? 'finish' : 'stop');
    } catch (error) {
      if (isCurrent()) change({ error: asLedgerError(error) }, 'fail');
    }
  };

  const end = () => {
    const { sending } = get();
    if (!sending) return;
    set({ created: sending.created });
    if (sending.status === 'failed') return onError(sending.error);
    if (sending.status !== 'done') return;
    set({ imported: withImported(get()) });
    if (sending.changed.length === 0) {
      if (withoutEntry(sending.shown.entries, sending.outcomes).length === 0) onImported();
      return set({ step: 'result' });
    }
    set({ step: 'check', changed: sending.changed });
    onChanged();
  };

  return {
    start(session, areDatesConfirmed) {
      const { sending, books } = get();
      if (unlikelyIn(sending).length > 0 && !areDatesConfirmed) return;
      if (!sending || isRunning(get()) || TRANSITIONS[sending.status].start !== 'running') return;
      // The books are about to change: the way back to the rows reads them again.
      set({ books: { ...books, status: 'unread' }, changed: undefined });
      const ticket = ++runs;
      const isCurrent = () => ticket === runs;
      void run(session, isCurrent).then(() => isCurrent() && end());
    },
    pause() {
      if (!isRunning(get())) return;
      change({}, 'pause');
      attempt.abort();
    },
    recover() {
      if (isKeyRefused(get().sending?.error)) change({ error: undefined }, 'recover');
    },
    retryNow() {
      if (get().sending?.wait?.reason === 'unavailable') attempt.abort();
    },
    forget: () => runs++,
  };
}

function asLedgerError(error: unknown): LedgerError {
  if (error instanceof LedgerError) return error;
  return new LedgerError('unexpected_response', 'The page failed. Import again: nothing is created twice.', {
    cause: error,
  });
}
