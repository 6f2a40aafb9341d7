/**
 * Creates any number of entries, one request after the other.
 *
 * Every request has an Idempotency-Key, so it is safe to repeat: one whose response was lost is sent again until its outcome is known, or
 * the time for that is over.
 */
import { chunkAt, ENTRIES_MAX, sizedEntries } from './chunks.ts';
import { LedgerError, unknownOutcome } from './errors.ts';
import type { Api } from './http.ts';
import { type PushCounts, type PushProgress, pushCounts } from './push-counts.ts';
import type { NewTransaction } from './resources.ts';
import {
  type LimitOptions,
  noWaits,
  type Pause,
  PUSH_RETRY_MS,
  type RetryOptions,
  sleep,
  type Waits,
} from './retries.ts';
import { type Outcome, sendWrite, type Write, writeOf } from './write.ts';

export interface PushOptions {
  /** Called after each request that has outcomes, and when a wait begins. */
  onProgress?: (progress: PushProgress) => void;
  /** Stops after the running request. Entries that were sent stay. */
  signal?: AbortSignal;
  /** At the daily cap: true (default) waits; false stops. */
  wait?: boolean;
  /** How long one request may wait at the daily cap, in all; 48 hours by default. A longer wait is not begun: the push stops as without `wait`. */
  capTimeoutMs?: number | undefined;
  /** How long to retry a service that fails or cannot be reached; 5 minutes by default. */
  retryTimeoutMs?: number;
  /** From the error of an earlier push with `unknown_outcome`: sends the same entries, at most one request of them, under its key. */
  idempotencyKey?: string | undefined;
  /** @internal The waits so far of the running request, which an earlier push has begun. */
  waits?: Waits;
}

export interface PushResult extends Omit<PushCounts, 'settled'> {
  /** One for each sent entry, in order. */
  outcomes: Outcome[];
  /** The number of entries without an outcome. */
  remaining: number;
  /** With `unknown_outcome`: how many of them, from the first on, may be stored. The others were not sent, or were refused. */
  unknown: number;
  /** The reason why entries were not sent; undefined if all were. */
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

/** The entries that an error names, by their indexes among all that were passed in. */
type EntryPlaces = Pick<LedgerError, 'issues' | 'index'>;

/** A push failed. `result` has the outcomes before the failure; `issues` and `index` count the entries that were passed in. */
export class PushError extends LedgerError {
  override readonly name = 'PushError';
  readonly result: PushResult;

  constructor(error: LedgerError, { issues, index }: EntryPlaces, result: PushResult) {
    super(error.code, error.message, { ...error, issues, index, cause: error });
    this.result = result;
  }
}

type Limits = Pick<RetryOptions, 'onPause' | keyof LimitOptions>;

/** @internal See Ledger.push. */
export async function pushEntries(
  api: Api,
  sourceId: string,
  entries: Iterable<NewTransaction>,
  options: PushOptions,
  limits: Limits,
): Promise<PushResult> {
  const push = new Push(
    (write, retries) => sendWrite(api, sourceId, write, retries),
    entries,
    options,
    limits,
  );
  return push.run();
}

/** The state of one call of `pushEntries`. */
class Push {
  readonly #send: (write: Write, options: RetryOptions) => Promise<Outcome[]>;
  readonly #options: PushOptions;
  readonly #limits: Limits;
  readonly #pending: ReturnType<typeof sizedEntries>;
  readonly #outcomes: Outcome[] = [];
  /** The request that is running. */
  #write: Write | undefined;
  #entriesMax = ENTRIES_MAX;
  /** The waits of the running request. */
  readonly #waits: Waits;

  constructor(
    send: (write: Write, options: RetryOptions) => Promise<Outcome[]>,
    entries: Iterable<NewTransaction>,
    options: PushOptions,
    limits: Limits,
  ) {
    this.#send = send;
    this.#options = options;
    this.#limits = limits;
    this.#waits = options.waits ?? noWaits();
    // Before anything is sent: an entry without JSON must not stop a push in its middle.
    this.#pending = sizedEntries(entries);
    const { idempotencyKey } = options;
    if (idempotencyKey === undefined) return;
    const chunk = chunkAt(this.#pending, 0);
    this.#write = {
      entries: chunk,
      idempotencyKey,
      isKeyNeeded: true,
      isUnanswered: true,
      sentAt: Date.now(),
    };
    if (chunk.length !== this.#pending.length || chunk.length === 0)
      throw new TypeError('idempotencyKey is for the entries of one request');
  }

  /** @throws PushError */
  async run(): Promise<PushResult> {
    try {
      while (this.#outcomes.length < this.#pending.length) {
        const stopped = await this.#sendNext();
        if (stopped) return stopped;
      }
      return this.#result();
    } catch (error) {
      return this.#failed(error);
    }
  }

  /** @returns the result if the push stops */
  async #sendNext(): Promise<PushResult | undefined> {
    const { signal, retryTimeoutMs = PUSH_RETRY_MS } = this.#options;
    const write = this.#write ?? writeOf(chunkAt(this.#pending, this.#outcomes.length, this.#entriesMax));
    this.#write = write;
    try {
      const onPause = (pause: Pause) => this.#report(pause);
      const retries = { ...this.#limits, signal, retryTimeoutMs, waits: this.#waits, onPause };
      this.#outcomes.push(...(await this.#send(write, retries)));
    } catch (error) {
      if (!(error instanceof LedgerError) || error.code !== 'daily_cap') throw error;
      return this.#atDailyCap(write, error);
    }
    this.#write = undefined;
    this.#entriesMax = ENTRIES_MAX;
    this.#waits.minute_limit = 0;
    this.#waits.daily_cap = 0;
    this.#report();
    return undefined;
  }

  /** Sends the entries that fit, or waits. @returns the result if the push stops */
  async #atDailyCap(write: Write, error: LedgerError): Promise<PushResult | undefined> {
    const { signal, wait = true, capTimeoutMs = 48 * 60 * 60_000 } = this.#options;
    const { remaining: fitsNow = 0, index = 0, retryAfterSeconds = 60 } = error;
    const waitMs = retryAfterSeconds * 1_000;
    const isWaiting = wait && this.#waits.daily_cap + waitMs <= capTimeoutMs;
    if (!write.isUnanswered) {
      this.#write = undefined;
      // The entries before the first one that does not fit are sent alone.
      if (index > 0 && index < write.entries.length) {
        this.#entriesMax = index;
        return undefined;
      }
    } else if (!isWaiting) throw error;
    const retryAt = new Date(Date.now() + waitMs);
    if (!isWaiting) return this.#result({ stoppedBy: 'daily_cap', fitsNow, retryAt });
    // This refusal shows that no attempt was stored before it.
    write.sentAt = retryAt.getTime();
    this.#report({ reason: 'daily_cap', until: retryAt });
    this.#waits.daily_cap += waitMs;
    await sleep(waitMs, signal);
    return undefined;
  }

  #failed(error: unknown): PushResult {
    const write = this.#write;
    const { signal } = this.#options;
    const isInterrupted = signal?.aborted && !write?.isUnanswered;
    if (isInterrupted) return this.#result({ stoppedBy: 'interrupted' });
    const key = write?.isKeyNeeded ? write.idempotencyKey : undefined;
    const failure = write?.isUnanswered ? unknownOutcome(error, key) : error;
    if (!(failure instanceof LedgerError)) throw failure;
    const unknown = write?.isUnanswered ? write.entries.length : 0;
    throw new PushError(failure, placesFrom(this.#outcomes.length, failure), this.#result({ unknown }));
  }

  #result(stop: Partial<PushResult> = {}): PushResult {
    const outcomes = this.#outcomes;
    const { settled, ...counts } = pushCounts(outcomes);
    return { ...NOTHING_SENT, outcomes, ...counts, remaining: this.#pending.length - settled, ...stop };
  }

  #report(pause?: Pause): void {
    const { onProgress } = this.#options;
    try {
      if (onProgress) onProgress({ ...pushCounts(this.#outcomes), total: this.#pending.length, pause });
      else if (pause) this.#limits.onPause?.(pause);
    } catch (cause) {
      const message = `${onProgress ? 'onProgress' : 'onPause'} failed: ${(cause as Error)?.message ?? cause}`;
      throw new LedgerError('callback_failed', message, { cause });
    }
  }
}

/** Counts from the first entry of the push, not of the request. */
const placesFrom = (start: number, { issues, index }: EntryPlaces): EntryPlaces => ({
  index: index === undefined ? undefined : start + index,
  issues: issues.map((issue) => {
    const [, first, rest = ''] = /^\/(\d+)(\/.*)?$/.exec(issue.path) ?? [];
    if (first === undefined) return issue;
    const index = start + Number(first);
    return { ...issue, index, path: `/${index}${rest}` };
  }),
});
