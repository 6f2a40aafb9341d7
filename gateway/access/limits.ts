/**
 * The two limits (docs/api/limits.md).
 *
 *   requests per minute and key      an exact sliding window that all gateways share in Redis. While Redis is unavailable, this process
 *                                    keeps it
 *   entries per day and account      a pre-check: refuses early a write that certainly exceeds the cap, by a sliding window of created
 *                                    entries in Redis. The database decides: it counts again in the transaction of the write
 */
import type { Span } from '../../platform/tracing.ts';
import type { DailyCapReached__Output as DailyCapReached } from '../../proto/contract.ts';
import { LIMITS } from '../../proto/domain.ts';
import type { Caller } from '../http/request-context.ts';
import type { CommittedWrite, CountedRequest, LimitScripts, MinuteDecision } from '../redis/scripts.ts';

export interface Limits {
  count(caller: Caller, request: CountedRequest): Promise<MinuteDecision>;
  /**
   * The refusal of a write, if it certainly exceeds the daily cap. Undefined also while Redis is unavailable.
   * @param entriesLeft the number that fitted when the request was admitted
   */
  dailyCapRefusal(
    accountId: string,
    write: SentWrite,
    entriesLeft: number | undefined,
    span?: Span,
  ): Promise<DailyCapReached | undefined>;
  recordCreated(write: CommittedWrite): void;
  close(): void;
}

interface SentWrite {
  entries: readonly { externalRef?: string | undefined }[];
  idempotencyKey: string | undefined;
}

/** Only the database recognises a request or an entry that is repeated, and repeating creates nothing. */
const isCertainlyNew = ({ entries, idempotencyKey }: SentWrite) =>
  idempotencyKey === undefined && entries.every(({ externalRef }) => externalRef === undefined);

export interface LimitsObserver {
  /** @param kept where the minute was kept: in Redis, or in this process */
  minuteDecided(decision: 'admitted' | 'refused', kept: 'shared' | 'in-process'): void;
  writeRefused(): void;
}

const SWEEP_EVERY_MS = 60_000;

export function createLimits(scripts: LimitScripts, observer: LimitsObserver): Limits {
  // Kept at all times, so that a key's minute continues when Redis becomes unavailable.
  const windows = new SlidingWindows(LIMITS.requestsPerMinute, LIMITS.minuteWindowMs);
  const sweeper = setInterval(() => windows.sweep(performance.now()), SWEEP_EVERY_MS);
  sweeper.unref();
  /** The writes of one turn of the event loop. */
  let created: CommittedWrite[] = [];

  async function decide(
    key: string,
    accountId: string,
    request: CountedRequest,
  ): Promise<[MinuteDecision, 'shared' | 'in-process']> {
    // Read before the command to Redis, so that this process hardly ever refuses what Redis would admit: requests that overtake
    // each other differ by the timeout of a Redis command at most.
    const startedAt = performance.now();
    const refusal = windows.refusal(key, startedAt);
    if (refusal) return [refusal, 'in-process'];

    const shared = await scripts.count(accountId, key, request);
    if (shared?.admitted === false) return [shared, 'shared'];

    // Redis has no record of the requests that this process admitted while Redis was unavailable.
    const refusedMeanwhile = windows.refusal(key, performance.now());
    if (refusedMeanwhile) return [refusedMeanwhile, 'in-process'];
    const left = windows.record(key, shared ? startedAt : performance.now());
    return shared
      ? [{ ...shared, remaining: Math.min(left, shared.remaining) }, 'shared']
      : [{ admitted: true, remaining: left, entriesLeft: undefined }, 'in-process'];
  }

  return {
    async count({ keyHash, accountId }, request) {
      const [minute, kept] = await decide(keyHash.toString('hex'), accountId, request);
      observer.minuteDecided(minute.admitted ? 'admitted' : 'refused', kept);
      return minute;
    },

    async dailyCapRefusal(accountId, write, entriesLeft, span) {
      const { length } = write.entries;
      if (entriesLeft === undefined || length <= entriesLeft || !isCertainlyNew(write)) return undefined;
      // Entries may have left the window while the body arrived.
      const day = await scripts.readDay(accountId, length, span);
      if (!day || length <= day.entriesLeft) return undefined;
      observer.writeRefused();
      return { ...day, index: day.entriesLeft };
    },

    recordCreated(write) {
      if (write.entries === 0) return;
      if (created.length === 0) {
        setImmediate(() => {
          scripts.recordDay(created);
          created = [];
        });
      }
      created.push(write);
    },

    close() {
      clearInterval(sweeper);
    },
  };
}

/** An exact sliding window per key in this process. It counts every request, and decides alone while Redis is unavailable. */
export class SlidingWindows {
  /** The times of admission of each key, oldest first. */
  readonly #windows = new Map<string, number[]>();

  constructor(
    readonly limit: number,
    readonly windowMs: number,
  ) {}

  /**
   * Undefined while the key's window has room.
   * @param now ms, of a monotonic clock
   */
  refusal(key: string, now: number): MinuteDecision | undefined {
    const times = this.#timesOf(key, now);
    if (times.length < this.limit) return undefined;
    return { admitted: false, retryAfterMs: (times[0] as number) + this.windowMs - now };
  }

  /** Counts a request admitted at `now`. @returns how many more the window has room for */
  record(key: string, now: number): number {
    const times = this.#timesOf(key, now);
    this.#windows.set(key, times);
    return this.limit - times.push(now);
  }

  /** Removes the keys that admitted nothing within the last window. */
  sweep(now: number): void {
    for (const key of this.#windows.keys()) {
      if (this.#timesOf(key, now).length === 0) this.#windows.delete(key);
    }
  }

  /** Drops the times that have left the window. */
  #timesOf(key: string, now: number): number[] {
    const times = this.#windows.get(key) ?? [];
    while (times[0] !== undefined && times[0] <= now - this.windowMs) times.shift();
    return times;
  }
}
