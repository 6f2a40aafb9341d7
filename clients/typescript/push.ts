/**
 * Creates any number of entries, one request after the other.
 *
 * Every request has an Idempotency-Key, so it is safe to repeat: one whose response was lost is sent again until its outcome is known.
 */
import { chunkAt, ENTRIES_MAX, sizedEntries } from './chunks.ts';
import {
  type ErrorCode,
  foreignResponse,
  type Issue,
  LedgerError,
  mayBeStored,
  unknownOutcome,
} from './errors.ts';
import { type Api, execute } from './http.ts';
import type { CreateResult, NewTransaction } from './resources.ts';
import { type LimitOptions, type Pause, type RetryOptions, sleep, withRetries } from './retries.ts';

/** The outcome of one entry. */
export type Outcome =
  | { status: 'created'; id: string }
  /** An entry with its reference was already stored. */
  | { status: 'known'; id: string }
  /** As `known`, but the stored entry differs in `fields`. The stored entry stays unchanged. */
  | { status: 'conflict'; id: string; fields: readonly string[] };

export interface PushProgress {
  /** Entries with an outcome, of `total`. */
  sent: number;
  total: number;
  created: number;
  deduplicated: number;
  /** Set while the push waits. */
  pause: Pause | undefined;
}

export interface PushOptions {
  /** Called after each request, and when a wait begins. */
  onProgress?: (progress: PushProgress) => void;
  /** Stops after the running request. Entries that were sent stay. */
  signal?: AbortSignal;
  /** At the daily cap: true (default) waits; false stops. */
  wait?: boolean;
  /** How long one request may wait at the daily cap, in all; 48 hours by default. A longer wait is not begun: the push stops as without `wait`. */
  capTimeoutMs?: number;
  /** How long to retry a service that fails or cannot be reached; 5 minutes by default. */
  retryTimeoutMs?: number;
  /** From the error of an earlier push with `unknown_outcome`: sends the same entries, at most one request of them, under its key. */
  idempotencyKey?: string | undefined;
}

export interface PushResult {
  /** One for each sent entry, in order. */
  outcomes: Outcome[];
  created: number;
  /** Entries that are known or in conflict. */
  deduplicated: number;
  /** Entries without an outcome. */
  remaining: number;
  /** With `unknown_outcome`: how many of them, from the first on, may be stored. The others were not sent, or were refused. */
  unknown: number;
  /** Undefined when all were sent. */
  stoppedBy: 'daily_cap' | 'interrupted' | undefined;
  /** With `daily_cap`: how many entries fit now, and when the next request fits. */
  fitsNow: number | undefined;
  retryAt: Date | undefined;
}

/** The result of a push that has sent nothing. */
export const NOTHING_SENT: PushResult = {
  outcomes: [],
  created: 0,
  deduplicated: 0,
  remaining: 0,
  unknown: 0,
  stoppedBy: undefined,
  fitsNow: undefined,
  retryAt: undefined,
};

/** A push failed. `result` has the outcomes before the failure; `issues` and `index` count the entries that were passed in. */
export class PushError extends LedgerError {
  override readonly name = 'PushError';
  readonly result: PushResult;

  constructor(error: LedgerError, issues: readonly Issue[], result: PushResult) {
    const index = error.index === undefined ? undefined : result.outcomes.length + error.index;
    super(error.code as ErrorCode, error.message, { ...error, issues, index, cause: error });
    this.result = result;
  }
}

/** A request of a push. */
interface Write {
  body: NewTransaction[];
  /** Constant over all attempts: the service recognises a repetition by it, and repeats the outcomes of the first attempt. */
  idempotencyKey: string;
  /** Whether a repetition without the key could store entries twice: some have no reference. */
  isKeyNeeded: boolean;
  /**
   * Whether an attempt got no readable response. Then the request is only repeated as it is, and only a success settles its outcome: the
   * service may refuse a repetition before it looks for the first attempt, or while that still runs.
   */
  isUnanswered: boolean;
  /** When the first attempt was sent that may be stored. */
  sentAt: number;
}

/** The service remembers a key for 24 hours. A computer may sleep for longer between two attempts. */
const KEY_MS_MAX = 23 * 60 * 60 * 1_000;

function writeOf(body: NewTransaction[]): Write {
  return {
    body,
    idempotencyKey: randomKey(),
    isKeyNeeded: body.some(({ externalRef }) => externalRef === undefined),
    isUnanswered: false,
    sentAt: Date.now(),
  };
}

/** @internal See Ledger.push. */
export async function pushEntries(
  api: Api,
  sourceId: string,
  entries: Iterable<NewTransaction>,
  {
    onProgress,
    signal,
    wait = true,
    capTimeoutMs = 48 * 60 * 60_000,
    retryTimeoutMs = 5 * 60_000,
    idempotencyKey,
  }: PushOptions,
  { onPause, ...limits }: Pick<RetryOptions, 'onPause' | keyof LimitOptions>,
): Promise<PushResult> {
  // Before anything is sent: an entry without JSON must not stop a push in its middle.
  const pending = sizedEntries(entries);
  const outcomes: Outcome[] = [];
  const result = (stop: Partial<PushResult> = {}): PushResult => {
    const created = outcomes.filter(({ status }) => status === 'created').length;
    const counts = { created, deduplicated: outcomes.length - created };
    return { ...NOTHING_SENT, outcomes, ...counts, remaining: pending.length - outcomes.length, ...stop };
  };
  const report = (pause?: Pause) => {
    const { created, deduplicated } = result();
    try {
      if (onProgress)
        onProgress({ sent: outcomes.length, total: pending.length, created, deduplicated, pause });
      else if (pause) onPause?.(pause);
    } catch (cause) {
      const message = `${onProgress ? 'onProgress' : 'onPause'} failed: ${(cause as Error)?.message ?? cause}`;
      throw new LedgerError('callback_failed', message, { cause });
    }
  };

  let entriesMax = ENTRIES_MAX;
  /** Of the running request. */
  let capWaitMs = 0;
  let write: Write | undefined;
  if (idempotencyKey !== undefined) {
    const body = chunkAt(pending, 0);
    write = { body, idempotencyKey, isKeyNeeded: true, isUnanswered: true, sentAt: Date.now() };
    if (write.body.length !== pending.length || pending.length === 0)
      throw new TypeError('idempotencyKey is for the entries of one request');
  }
  try {
    while (outcomes.length < pending.length) {
      const current = write ?? writeOf(chunkAt(pending, outcomes.length, entriesMax));
      try {
        write = current;
        const options = { ...limits, signal, retryTimeoutMs, onPause: report };
        outcomes.push(...(await sendWrite(api, sourceId, current, options)));
        write = undefined;
        entriesMax = ENTRIES_MAX;
        capWaitMs = 0;
      } catch (error) {
        if (!(error instanceof LedgerError) || error.code !== 'daily_cap') throw error;
        const { remaining: fitsNow = 0, index = 0, retryAfterSeconds = 60 } = error;
        const isWaiting = wait && capWaitMs + retryAfterSeconds * 1_000 <= capTimeoutMs;
        if (!current.isUnanswered) {
          write = undefined;
          // The entries before the first one that does not fit are sent alone.
          if (index > 0 && index < current.body.length) {
            entriesMax = index;
            continue;
          }
        } else if (!isWaiting) throw error;
        const retryAt = new Date(Date.now() + retryAfterSeconds * 1_000);
        if (!isWaiting) return result({ stoppedBy: 'daily_cap', fitsNow, retryAt });
        // This refusal shows that no attempt was stored before it.
        current.sentAt = retryAt.getTime();
        report({ reason: 'daily_cap', until: retryAt });
        capWaitMs += retryAfterSeconds * 1_000;
        await sleep(retryAfterSeconds * 1_000, signal);
        continue;
      }
      report();
    }
    return result();
  } catch (error) {
    if (signal?.aborted && !write?.isUnanswered) return result({ stoppedBy: 'interrupted' });
    const key = write?.isKeyNeeded ? write.idempotencyKey : undefined;
    const failure = write?.isUnanswered ? unknownOutcome(error, key) : error;
    if (!(failure instanceof LedgerError)) throw failure;
    const unknown = write?.isUnanswered ? write.body.length : 0;
    throw new PushError(failure, ownIssues(outcomes.length, failure), result({ unknown }));
  }
}

/** Sends one request until the service responds. */
async function sendWrite(
  api: Api,
  sourceId: string,
  write: Write,
  options: RetryOptions,
): Promise<Outcome[]> {
  const { body, idempotencyKey, isKeyNeeded } = write;
  const path = `/api/v1/sources/${encodeURIComponent(sourceId)}/transactions`;
  const attempt = async () => {
    if (!write.isUnanswered) write.sentAt = Date.now();
    if (isKeyNeeded && Date.now() - write.sentAt > KEY_MS_MAX) {
      const message =
        'It is too late for another attempt: the service may have forgotten the Idempotency-Key.';
      throw new LedgerError('too_late' as ErrorCode, message);
    }
    try {
      const result = await execute(api, 'CreateResult', path, { body, idempotencyKey });
      const outcomes = outcomesOf(body, result);
      if (!outcomes) throw foreignResponse(api.baseUrl, 'other entries than were sent');
      return outcomes;
    } catch (error) {
      write.isUnanswered ||= mayBeStored(error);
      throw error;
    }
  };
  return withRetries(attempt, { ...options, isWrite: true });
}

/** 128 random bits. crypto.randomUUID is missing on pages without HTTPS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/**
 * The response lists created and known entries apart, each in the order of sending.
 * @returns undefined if it is not about these entries
 */
function outcomesOf(
  entries: readonly NewTransaction[],
  { transactions, existing, conflicts = [] }: CreateResult,
): Outcome[] | undefined {
  if (transactions.length + existing.length !== entries.length) return undefined;
  const differing = new Map(conflicts.map(({ index, fields }) => [index, fields]));
  let [created, known] = [0, 0];
  const outcomes = entries.map(({ externalRef = null }, index): Outcome => {
    const next = transactions[created];
    // Of two entries with one reference, the first is created.
    if (next && next.externalRef === externalRef) {
      created++;
      return { status: 'created', id: next.id };
    }
    const id = existing[known++]?.id ?? '';
    const fields = differing.get(index);
    return fields ? { status: 'conflict', id, fields } : { status: 'known', id };
  });
  return created === transactions.length ? outcomes : undefined;
}

/** Issues whose paths count from the first entry of the push, not of the request. */
function ownIssues(start: number, { issues }: LedgerError): Issue[] {
  return issues.map((issue) => {
    const [, first, rest = ''] = /^\/(\d+)(\/.*)?$/.exec(issue.path) ?? [];
    if (first === undefined) return issue;
    const index = start + Number(first);
    return { ...issue, index, path: `/${index}${rest}` };
  });
}
