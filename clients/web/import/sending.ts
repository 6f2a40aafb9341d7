/** Sends the entries: runs, pauses, waits, goes on. Every entry has a reference, so that repeating a part is safe. */

import type { Compared } from '../../typescript/books/compared.ts';
import type { FileEntry } from '../../typescript/books/joined-files.ts';
import { outcomesOfRows, type RowOutcome } from '../../typescript/books/outcomes.ts';
import { send } from '../../typescript/books/send.ts';
import { isSent } from '../../typescript/books/standing.ts';
import type { Books } from '../../typescript/books/stored-books.ts';
import { unlikelyRows } from '../../typescript/books/unlikely.ts';
import type { ImportResult } from '../../typescript/import/index.ts';
import { type Ledger, LedgerError, type Pause, type PushProgress } from '../../typescript/index.ts';

export type SendingStatus = 'ready' | 'running' | 'pausing' | 'paused' | 'failed' | 'done';

export interface Sending {
  status: SendingStatus;
  /** The comparison that was shown before. Nothing else is sent than what is new in it. */
  shown: Compared;
  /** What is new in it. */
  entries: readonly FileEntry[];
  /** By the index of the entry in `shown`; undefined for what is not sent yet. */
  outcomes: readonly (RowOutcome | undefined)[];
  /** What was new when it was shown, and is something else now. It is not sent. */
  changed: readonly FileEntry[];
  /** Ids of the entries that this file has created, now or in an earlier part. */
  created: ReadonlySet<string>;
  /** Set while it waits. */
  wait: Pause | undefined;
  /** The time spent sending, without pauses, and how many of `entries` are settled. */
  activeMs: number;
  sent: number;
  error: LedgerError | undefined;
  /** Whether the connection was lost: entries whose response was lost are known afterwards. */
  wasUnreachable: boolean;
}

/** @param created ids of the entries that the file has created before */
export function readyToSend(shown: Compared, created: ReadonlySet<string> = new Set()): Sending {
  return {
    status: 'ready',
    shown,
    entries: shown.entries.filter((_, index) => isNew(shown, index)),
    outcomes: withCreated(outcomesOfRows(shown.comparison), created),
    changed: [],
    created,
    wait: undefined,
    activeMs: 0,
    sent: 0,
    error: undefined,
    wasUnreachable: false,
  };
}

/** What the file has created is known from then on. */
const withCreated = (outcomes: Sending['outcomes'], created: ReadonlySet<string>): Sending['outcomes'] =>
  outcomes.map((outcome) =>
    outcome?.status === 'known' && created.has(outcome.id) ? { status: 'created', id: outcome.id } : outcome,
  );

const isNew = ({ comparison }: Compared, index: number): boolean => {
  const row = comparison.rows[index];
  return row !== undefined && isSent(row);
};

interface Sent {
  sending: Sending | undefined;
  result: ImportResult | undefined;
}

/** The dates of new entries that are likely to be mistyped. A person has to confirm them. */
export const unlikelyIn = ({ sending, result }: Sent) =>
  unlikelyRows(sending?.entries ?? [], result?.warnings ?? []);

/** The entries with what became of them. */
export const settled = ({ shown, outcomes }: Sending): { read: FileEntry; outcome: RowOutcome }[] =>
  shown.entries.flatMap((read, index) => {
    const outcome = outcomes[index];
    return outcome ? { read, outcome } : [];
  });

export interface SendingCounts {
  created: number;
  known: number;
  conflicts: number;
  elsewhere: number;
  /** Probably in the books, and left out. */
  probable: number;
  remaining: number;
}

export function countsOf({ outcomes }: Sending): SendingCounts {
  const of = (...statuses: RowOutcome['status'][]) =>
    outcomes.filter((outcome) => outcome && statuses.includes(outcome.status)).length;
  return {
    created: of('created'),
    known: of('known'),
    conflicts: of('conflict'),
    elsewhere: of('elsewhere'),
    probable: of('probably known', 'probably a correction'),
    remaining: outcomes.filter((outcome) => outcome === undefined).length,
  };
}

/** Entries per second, and how long the rest takes at this rate; undefined before the first response. */
export function rateOf({
  entries,
  activeMs,
  sent,
}: Sending): { perSecond: number; leftMs: number } | undefined {
  if (sent === 0 || activeMs === 0) return undefined;
  const perSecond = (sent / activeMs) * 1_000;
  return { perSecond, leftMs: ((entries.length - sent) / perSecond) * 1_000 };
}

export interface SendingRun {
  /** Stops after the running request. */
  pause(): void;
  /** Tries again at once if it waits for the service. */
  retryNow(): void;
  /** Resolves when it is done, paused or failed. Never rejects. */
  ended: Promise<void>;
}

export interface SendingOptions {
  ledger: Ledger;
  state: Sending;
  /** Reads the books of now. */
  readBooks: (signal: AbortSignal, onPause: (pause: Pause) => void) => Promise<Books>;
  onChange: (state: Sending) => void;
}

/**
 * Sends what has no outcome yet, after a comparison with the books of now. A service that cannot be reached is waited for without limit.
 */
export function startSending({ ledger, state: initial, readBooks, onChange }: SendingOptions): SendingRun {
  let state = initial;
  let isPauseWanted = false;
  let attempt = new AbortController();
  const change = (part: Partial<Sending>) => {
    state = { ...state, ...part };
    onChange(state);
  };

  /** @returns whether to go on */
  const sendRest = async (): Promise<boolean> => {
    const before = state.sent;
    const { signal } = attempt;
    let resumedAt = performance.now();
    const onPause = (wait: Pause) => {
      // Waits do not count towards the rate.
      resumedAt = performance.now() + wait.until.getTime() - Date.now();
      change({ wait, wasUnreachable: state.wasUnreachable || wait.reason === 'unavailable' });
    };
    const onProgress = ({ sent, pause }: PushProgress) => {
      if (pause) return onPause(pause);
      const now = performance.now();
      change({ activeMs: state.activeMs + now - resumedAt, sent: before + sent, wait: undefined });
      resumedAt = now;
    };
    const result = await send(ledger, state.shown, {
      readBooks: () => readBooks(signal, onPause),
      onProgress,
      signal,
      retryTimeoutMs: Number.POSITIVE_INFINITY,
    });
    const { changed, error, stoppedBy, remaining } = result;
    const ids = result.outcomes.flatMap((outcome) => (outcome?.status === 'created' ? outcome.id : []));
    const created = new Set([...state.created, ...ids]);
    change({
      ...{ outcomes: withCreated(result.outcomes, created), changed, created },
      ...{ sent: state.entries.length - changed.length - remaining, wait: undefined },
    });
    if (error) throw error;
    return stoppedBy !== undefined && !isPauseWanted;
  };

  const run = async () => {
    change({ status: 'running', error: undefined, wait: undefined });
    try {
      while (await sendRest()) attempt = new AbortController();
      const isDone = state.sent + state.changed.length === state.entries.length;
      change({ status: isDone ? 'done' : 'paused' });
    } catch (error) {
      change({ status: 'failed', error: asLedgerError(error) });
    }
  };

  return {
    pause() {
      isPauseWanted = true;
      change({ status: 'pausing' });
      attempt.abort();
    },
    retryNow() {
      if (state.wait?.reason === 'unavailable') attempt.abort();
    },
    ended: run(),
  };
}

function asLedgerError(error: unknown): LedgerError {
  if (error instanceof LedgerError) return error;
  return new LedgerError('unexpected_response', 'The page failed. Import again: nothing is created twice.', {
    cause: error,
  });
}
