/**
 * The limit of requests per minute and key (specification: Limits), an exact sliding window. Redis shares it between gateways
 * and caches each key's account beside it, so that one round trip serves both. While Redis is down, this process keeps it.
 */
import type { Span } from '../../platform/tracing.ts';
import { LIMITS } from '../../proto/vocabulary.ts';
import type { RunCommand } from './scripts.ts';
import { SlidingWindows } from './sliding-window.ts';

export interface MinuteLimit {
  /**
   * Counts a request against its key's minute and returns the key's account.
   * @param identify gets the account id from the worker, called when it is not cached; if it throws, nothing is counted
   * @param span of the request
   */
  admit(keyHash: Buffer, identify: () => Promise<string>, span?: Span): Promise<Admitted | Rejected>;
  /** Removes a key's account from the cache. */
  forget(keyHash: Buffer): void;
  close(): void;
}

interface Admitted {
  admitted: true;
  accountId: string;
  /** Requests left in the current minute. */
  remaining: number;
}

interface Rejected {
  admitted: false;
  /** Until the key's next request can be admitted. */
  retryAfterMs: number;
}

export interface MinuteLimitObserver {
  /** @param mode where the limit was kept: in Redis, or in this process */
  minuteDecided(decision: 'admitted' | 'refused', mode: 'shared' | 'in-process'): void;
}

const MINUTE_US = LIMITS.minuteWindowMs * 1000;
// The cache only saves a request: the worker checks the key again in the transaction that does the work.
const IDENTITY_TTL_MS = 5 * 60 * 1000;
const SWEEP_EVERY_MS = 60_000;

export function createMinuteLimit(run: RunCommand, observer: MinuteLimitObserver): MinuteLimit {
  // Kept at all times, so that a key's minute continues when Redis goes down.
  const windows = new SlidingWindows(LIMITS.requestsPerMinute, LIMITS.minuteWindowMs);
  const sweeper = setInterval(() => windows.sweep(performance.now()), SWEEP_EVERY_MS);
  sweeper.unref();

  const identityKeyOf = (key: string) => `ledger:{${key}}:identity`;

  /** Undefined while Redis is down. */
  async function admitShared(key: string, identify: () => Promise<string>, span: Span | undefined) {
    const identityKey = identityKeyOf(key);
    const minuteKey = `ledger:{${key}}:minute`;
    const admit = (accountId: string) =>
      run(
        identityKey,
        (redis) =>
          redis.admit(
            identityKey,
            minuteKey,
            LIMITS.requestsPerMinute,
            MINUTE_US,
            accountId,
            IDENTITY_TTL_MS,
          ),
        { script: 'admit', span },
      );
    let reply = await admit('');
    if (reply && reply.length === 0) reply = await admit(await identify());
    if (!reply || reply.length === 0) return undefined;
    return reply;
  }

  async function decide(
    key: string,
    identify: () => Promise<string>,
    span: Span | undefined,
  ): Promise<[Admitted | Rejected, 'shared' | 'in-process']> {
    // Taken before Redis takes its time, so that this process hardly ever refuses what Redis would admit: requests that overtake
    // each other differ by the timeout of a Redis command at most.
    const startedAt = performance.now();
    const full = windows.rejection(key, startedAt);
    if (full) return [full, 'in-process'];

    const shared = await admitShared(key, identify, span);
    if (shared?.[1] === 0) return [{ admitted: false, retryAfterMs: shared[3] / 1000 }, 'shared'];
    const accountId = shared ? shared[0] : await identify();

    // Redis does not know what this process admitted while Redis was down.
    const rejected = windows.rejection(key, performance.now());
    if (rejected) return [rejected, 'in-process'];
    const left = windows.record(key, shared ? startedAt : performance.now());
    const remaining = Math.min(left, shared?.[2] ?? left);
    return [{ admitted: true, accountId, remaining }, shared ? 'shared' : 'in-process'];
  }

  return {
    async admit(keyHash, identify, span) {
      const [decision, mode] = await decide(keyHash.toString('hex'), identify, span);
      observer.minuteDecided(decision.admitted ? 'admitted' : 'refused', mode);
      return decision;
    },

    forget(keyHash) {
      const key = identityKeyOf(keyHash.toString('hex'));
      void run(key, (redis) => redis.del(key));
    },

    close() {
      clearInterval(sweeper);
    },
  };
}
