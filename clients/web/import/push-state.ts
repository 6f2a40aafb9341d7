/** The state of a push, and the events that change it. */

import type { LedgerError, Pause } from '../../typescript/index.ts';
import { type ComparedFiles, newEntries } from '../../typescript/match/compare.ts';
import type { FileEntry } from '../../typescript/match/row.ts';
import { countsOf, type EntryOutcome, outcomesInBooks } from '../../typescript/push/outcomes.ts';
import { pushReport } from '../../typescript/push/push-report.ts';
import { unlikelyOf } from '../../typescript/push/unlikely.ts';

type PushStatus = 'ready' | 'running' | 'pausing' | 'paused' | 'failed' | 'done';
/** `recover`: another key takes the place of the one that failed. */
export type PushEvent = 'start' | 'pause' | 'stop' | 'fail' | 'recover' | 'finish';

const MOVES: Record<PushStatus, Partial<Record<PushEvent, PushStatus>>> = {
  ready: { start: 'running' },
  running: { pause: 'pausing', stop: 'paused', fail: 'failed', finish: 'done' },
  pausing: { stop: 'paused', fail: 'failed', finish: 'done' },
  paused: { start: 'running' },
  failed: { start: 'running', recover: 'paused' },
  done: {},
};

/** The status after an event. An event that does not apply leaves it. */
export const statusAfter = (status: PushStatus, event: PushEvent): PushStatus =>
  MOVES[status][event] ?? status;

/** Whether requests are sent, or a pause waits for the last one. */
export const isRunning = ({ push }: { push: PushState | undefined }): boolean =>
  push?.status === 'running' || push?.status === 'pausing';

export interface PushState {
  status: PushStatus;
  /** The comparison that was shown before. Only its new entries are sent. */
  shown: ComparedFiles;
  /** The new entries of `shown`, which are to be sent. */
  newEntries: readonly FileEntry[];
  /** By the index of the entry in `shown`; undefined for an entry that is not sent yet. */
  outcomes: readonly (EntryOutcome | undefined)[];
  /** The indexes of entries that may be stored: a request got no readable response. */
  unknownIndexes: readonly number[];
  /** Entries that were new when they were shown, and are not now. They are not sent. */
  changed: readonly FileEntry[];
  /** Ids of the entries that these files have created, now or in an earlier part. */
  created: ReadonlySet<string>;
  /** The reason and the end of a wait, while it waits. */
  wait: Pause | undefined;
  /** The time spent sending, without pauses, and how many of `newEntries` are settled. */
  activeMs: number;
  settled: number;
  error: LedgerError | undefined;
  /** Whether the connection was lost: if the import is continued then, entries whose response was lost are known. */
  wasUnreachable: boolean;
}

/** @param created ids of the entries that the files have created before */
export function readyToPush(shown: ComparedFiles, created: ReadonlySet<string> = new Set()): PushState {
  return {
    status: 'ready',
    shown,
    newEntries: newEntries(shown),
    outcomes: withCreated(outcomesInBooks(shown), created),
    unknownIndexes: [],
    changed: [],
    created,
    wait: undefined,
    activeMs: 0,
    settled: 0,
    error: undefined,
    wasUnreachable: false,
  };
}

/** The created entries of the file are known from then on. */
export const withCreated = (
  outcomes: PushState['outcomes'],
  created: ReadonlySet<string>,
): PushState['outcomes'] =>
  outcomes.map((outcome) =>
    outcome?.status === 'known' && created.has(outcome.id) ? { status: 'created', id: outcome.id } : outcome,
  );

/** The dates of new entries that are likely to be mistyped. A person has to confirm them. */
export const unlikelyIn = (push: PushState | undefined) =>
  push ? unlikelyOf(push.newEntries, push.shown.files, []) : [];

/** The entries with an outcome. */
export const outcomesByEntry = ({
  shown,
  outcomes,
}: PushState): { read: FileEntry; outcome: EntryOutcome }[] =>
  shown.entries.flatMap((read, index) => {
    const outcome = outcomes[index];
    return outcome ? { read, outcome } : [];
  });

/** Counts the outcomes, and the entries that may be stored. */
export const countsOfPush = ({ outcomes, unknownIndexes }: PushState) => ({
  ...countsOf(outcomes),
  unknown: unknownIndexes.length,
});

/** Every row of the files with its outcome, as CSV. */
export const reportOf = ({ shown, outcomes, unknownIndexes, error }: PushState): string =>
  pushReport({ ...shown, outcomes, unknownIndexes }, error?.message);

/** Entries per second, and how long the rest takes at this rate; undefined before the first response. */
export function rateOf({
  newEntries,
  activeMs,
  settled,
}: PushState): { perSecond: number; leftMs: number } | undefined {
  if (settled === 0 || activeMs === 0) return undefined;
  const perSecond = (settled / activeMs) * 1_000;
  return { perSecond, leftMs: ((newEntries.length - settled) / perSecond) * 1_000 };
}
