/** The state of sending, and the events that change it. */

import type { LedgerError, Pause } from '../../typescript/index.ts';
import { type ComparedFiles, newEntries } from '../../typescript/match/compare.ts';
import type { FileEntry } from '../../typescript/match/row.ts';
import { countsOf, type EntryOutcome, outcomesInBooks } from '../../typescript/send/outcomes.ts';
import { pushReport } from '../../typescript/send/push-report.ts';
import { unlikelyOf } from '../../typescript/send/unlikely.ts';

type SendingStatus = 'ready' | 'running' | 'pausing' | 'paused' | 'failed' | 'done';
/** `recover`: another key takes the place of the one that failed. */
export type SendingEvent = 'start' | 'pause' | 'stop' | 'fail' | 'recover' | 'finish';

const MOVES: Record<SendingStatus, Partial<Record<SendingEvent, SendingStatus>>> = {
  ready: { start: 'running' },
  running: { pause: 'pausing', stop: 'paused', fail: 'failed', finish: 'done' },
  pausing: { stop: 'paused', fail: 'failed', finish: 'done' },
  paused: { start: 'running' },
  failed: { start: 'running', recover: 'paused' },
  done: {},
};

/** The status after an event. An event that does not apply leaves it. */
export const statusAfter = (status: SendingStatus, event: SendingEvent): SendingStatus =>
  MOVES[status][event] ?? status;

/** Whether requests are sent, or a pause waits for the last one. */
export const isRunning = ({ sending }: { sending: Sending | undefined }): boolean =>
  sending?.status === 'running' || sending?.status === 'pausing';

export interface Sending {
  status: SendingStatus;
  /** The comparison that was shown before. Nothing else is sent than what is new in it. */
  shown: ComparedFiles;
  /** The new entries of `shown`, which are to be sent. */
  entries: readonly FileEntry[];
  /** By the index of the entry in `shown`; undefined for what is not sent yet. */
  outcomes: readonly (EntryOutcome | undefined)[];
  /** The indexes of entries that may be stored: a request got no readable response. */
  unknown: readonly number[];
  /** Entries that were new when they were shown, and are something else now. It is not sent. */
  changed: readonly FileEntry[];
  /** Ids of the entries that these files have created, now or in an earlier part. */
  created: ReadonlySet<string>;
  /** The reason and the end of a wait, while it waits. */
  wait: Pause | undefined;
  /** The time spent sending, without pauses, and how many of `entries` are settled. */
  activeMs: number;
  sent: number;
  error: LedgerError | undefined;
  /** Whether the connection was lost: if the import is continued then, entries whose response was lost are known. */
  wasUnreachable: boolean;
}

/** @param created ids of the entries that the files have created before */
export function readyToSend(shown: ComparedFiles, created: ReadonlySet<string> = new Set()): Sending {
  return {
    status: 'ready',
    shown,
    entries: newEntries(shown),
    outcomes: withCreated(outcomesInBooks(shown), created),
    unknown: [],
    changed: [],
    created,
    wait: undefined,
    activeMs: 0,
    sent: 0,
    error: undefined,
    wasUnreachable: false,
  };
}

/** The created entries of the file are known from then on. */
export const withCreated = (
  outcomes: Sending['outcomes'],
  created: ReadonlySet<string>,
): Sending['outcomes'] =>
  outcomes.map((outcome) =>
    outcome?.status === 'known' && created.has(outcome.id) ? { status: 'created', id: outcome.id } : outcome,
  );

/** The dates of new entries that are likely to be mistyped. A person has to confirm them. */
export const unlikelyIn = (sending: Sending | undefined) =>
  sending ? unlikelyOf(sending.entries, sending.shown.files, []) : [];

/** The entries with what became of them. */
export const outcomesByEntry = ({ shown, outcomes }: Sending): { read: FileEntry; outcome: EntryOutcome }[] =>
  shown.entries.flatMap((read, index) => {
    const outcome = outcomes[index];
    return outcome ? { read, outcome } : [];
  });

/** With the remaining entries that may be stored. */
export const sendingCounts = ({ outcomes, unknown }: Sending) => ({
  ...countsOf(outcomes),
  unknown: unknown.length,
});

/** Every row of the files with its outcome, as CSV. */
export const reportOf = ({ shown, outcomes, unknown, error }: Sending): string =>
  pushReport({ ...shown, outcomes, unknown }, error?.message);

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
