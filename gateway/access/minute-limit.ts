/**
 * The limit of requests per minute and key (docs/api/limits.md), an exact sliding window. Redis shares it between gateways;
 * for a write, the same script returns the rest of the account's day. While Redis is unavailable, this process keeps the minute.
 */
import type { Span } from '../../platform/tracing.ts';
import { LIMITS } from '../../proto/domain.ts';
import type { Caller } from '../http/request-context.ts';
import type { LimitScripts } from '../redis/scripts.ts';

interface CountedRequest {
  /** It may create entries. */
  isWrite: boolean;
  span: Span | undefined;
}

export interface MinuteLimit {
  /** Counts a request against its key's minute. */
  admit(caller: Caller, request: CountedRequest): Promise<Counted | Refused>;
  close(): void;
}

interface Counted {
  admitted: true;
  /** Requests left in the current minute. */
  remaining: number;
  /** For a write: entries that fit the account's day. Undefined while Redis is unavailable. */
  entriesLeft: number | undefined;
}

interface Refused {
  admitted: false;
  /** The time until the key's next request can be admitted. */
  retryAfterMs: number;
}

export interface MinuteLimitObserver {
  /** @param kept where the limit was kept: in Redis, or in this process */
  minuteDecided(decision: 'admitted' | 'refused', kept: 'shared' | 'in-process'): void;
}

const SWEEP_EVERY_MS = 60_000;

export function createMinuteLimit(scripts: LimitScripts, observer: MinuteLimitObserver): MinuteLimit {
  // Kept at all times, so that a key's minute continues when Redis becomes unavailable.
  const windows = new SlidingWindows(LIMITS.requestsPerMinute, LIMITS.minuteWindowMs);
  const sweeper = setInterval(() => windows.sweep(performance.now()), SWEEP_EVERY_MS);
  sweeper.unref();

  async function decide(
    key: string,
    accountId: string,
    request: CountedRequest,
  ): Promise<[Counted | Refused, 'shared' | 'in-process']> {
    // Read before the command to Redis, so that this process hardly ever refuses what Redis would admit: requests that overtake
    // each other differ by the timeout of a Redis command at most.
    const startedAt = performance.now();
    const full = windows.refusal(key, startedAt);
    if (full) return [full, 'in-process'];

    const shared = await scripts.admit(accountId, key, request);
    if (shared?.admitted === false) return [{ admitted: false, retryAfterMs: shared.retryAfterMs }, 'shared'];

    // Redis has no record of the requests that this process admitted while Redis was unavailable.
    const refused = windows.refusal(key, performance.now());
    if (refused) return [refused, 'in-process'];
    const left = windows.record(key, shared ? startedAt : performance.now());
    if (!shared) return [{ admitted: true, remaining: left, entriesLeft: undefined }, 'in-process'];
    const remaining = Math.min(left, shared.remaining);
    return [{ admitted: true, remaining, entriesLeft: shared.entriesLeft }, 'shared'];
  }

  return {
    async admit({ keyHash, accountId }, request) {
      const [decision, kept] = await decide(keyHash.toString('hex'), accountId, request);
      observer.minuteDecided(decision.admitted ? 'admitted' : 'refused', kept);
      return decision;
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
  refusal(key: string, now: number): Refused | undefined {
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
