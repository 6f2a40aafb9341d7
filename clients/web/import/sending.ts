/** Sends the entries: runs, pauses, waits, goes on. Every entry has a reference, so that repeating a part is safe. */

import { type Comparison, newEntries } from '../../typescript/books/comparison.ts';
import { outcomesForFile } from '../../typescript/books/outcomes.ts';
import { pushToSources } from '../../typescript/books/push-sources.ts';
import { unlikelyRows } from '../../typescript/books/unlikely.ts';
import { groupBy } from '../../typescript/group-by.ts';
import type { ImportResult, ReadEntry } from '../../typescript/import/index.ts';
import {
  type Ledger,
  LedgerError,
  type Outcome,
  type Pause,
  type PushProgress,
} from '../../typescript/index.ts';

export type SendingStatus = 'ready' | 'running' | 'pausing' | 'paused' | 'failed' | 'done';

export interface Sending {
  status: SendingStatus;
  /** The source of entries that have none of their own. */
  sourceId: string | undefined;
  /** What is sent, the new entries, those of each source together: fixed at the start. */
  entries: readonly ReadEntry[];
  /** What is not, because this source has it, and its outcomes. */
  stored: { entries: readonly ReadEntry[]; outcomes: readonly Outcome[] };
  /** What is not, because another source has it. */
  elsewhere: readonly { row: number; reason: string }[];
  /** One for each entry that was sent, in order. */
  outcomes: readonly Outcome[];
  /** Set while it waits. */
  wait: Pause | undefined;
  /** The time spent sending, without pauses, and what was sent in it. */
  activeMs: number;
  sent: number;
  error: LedgerError | undefined;
  /** Whether the connection was lost: entries whose response was lost are known afterwards. */
  wasUnreachable: boolean;
}

export function readyToSend(
  sourceId: string | undefined,
  entries: readonly ReadEntry[],
  comparison: Comparison,
): Sending {
  const groups = groupBy(newEntries(entries, comparison), ({ source }) => source?.id ?? sourceId);
  const stored = { entries: [] as ReadEntry[], outcomes: [] as Outcome[] };
  const elsewhere: { row: number; reason: string }[] = [];
  for (const [index, read] of entries.entries()) {
    const { standing, stored: { id } = { id: '' }, source, fields = [] } = comparison.rows[index] ?? {};
    if (standing === 'elsewhere') elsewhere.push({ row: read.row, reason: `It is in ${source?.name}.` });
    if (standing !== 'known' && standing !== 'conflict') continue;
    stored.entries.push(read);
    stored.outcomes.push({ status: standing, id, fields });
  }
  return {
    status: 'ready',
    sourceId,
    entries: [...groups.values()].flat(),
    stored,
    elsewhere,
    outcomes: [],
    wait: undefined,
    activeMs: 0,
    sent: 0,
    error: undefined,
    wasUnreachable: false,
  };
}

interface Sent {
  sending: Sending | undefined;
  result: ImportResult | undefined;
}

/** The dates of new entries that are likely to be mistyped. A person has to confirm them. */
export const unlikelyIn = ({ sending, result }: Sent) =>
  unlikelyRows(sending?.entries ?? [], result?.warnings ?? []);

/** What became of the entries that this source has, before the import or by it. */
export function settled({ stored, entries, outcomes }: Sending): { read: ReadEntry; outcome: Outcome }[] {
  const all = [...stored.entries, ...entries];
  return [...stored.outcomes, ...outcomes].map((outcome, index) => ({
    read: all[index] as ReadEntry,
    outcome,
  }));
}

export interface SendingCounts {
  created: number;
  known: number;
  conflicts: number;
  elsewhere: number;
  remaining: number;
}

export function countsOf(sending: Sending): SendingCounts {
  const all = settled(sending);
  const of = (status: Outcome['status']) => all.filter(({ outcome }) => outcome.status === status).length;
  return {
    created: of('created'),
    known: of('known'),
    conflicts: of('conflict'),
    elsewhere: sending.elsewhere.length,
    remaining: sending.entries.length - sending.outcomes.length,
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
  onChange: (state: Sending) => void;
}

/** Sends what has no outcome yet. A service that cannot be reached is waited for without limit. */
export function startSending({ ledger, state: initial, onChange }: SendingOptions): SendingRun {
  let state = initial;
  let isPauseWanted = false;
  let attempt = new AbortController();
  const change = (part: Partial<Sending>) => {
    state = { ...state, ...part };
    onChange(state);
  };

  /** @returns whether to go on */
  const sendRest = async (): Promise<boolean> => {
    const done = state.outcomes;
    const rest = state.entries.slice(done.length);
    let resumedAt = performance.now();
    const onProgress = ({ sent, pause }: PushProgress) => {
      const now = performance.now();
      // Waits do not count towards the rate.
      resumedAt = pause ? now + pause.until.getTime() - Date.now() : resumedAt;
      if (pause) {
        const wasUnreachable = state.wasUnreachable || pause.reason === 'unavailable';
        return change({ wait: pause, wasUnreachable });
      }
      change({ activeMs: state.activeMs + now - resumedAt, sent: done.length + sent, wait: undefined });
      resumedAt = now;
    };
    const result = await pushToSources(ledger, rest, state.sourceId, {
      onProgress,
      signal: attempt.signal,
      retryTimeoutMs: Number.POSITIVE_INFINITY,
    });
    // In the order of sending, so that what was sent comes first.
    const sent = outcomesForFile(rest, result.outcomes).filter((outcome) => outcome !== undefined);
    const outcomes = [...done, ...sent];
    change({ outcomes, sent: outcomes.length, wait: undefined });
    if (result.error) throw result.error;
    return result.stoppedBy !== undefined && !isPauseWanted;
  };

  const run = async () => {
    change({ status: 'running', error: undefined, wait: undefined });
    try {
      while (await sendRest()) attempt = new AbortController();
      change({ status: state.outcomes.length === state.entries.length ? 'done' : 'paused' });
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
