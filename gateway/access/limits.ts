/**
 * The two limits (specification: Limits), shared between gateways through Redis. The minute limit of a key is decided here.
 * The daily cap of an account is only pre-checked here, to refuse what certainly exceeds it: the database decides.
 */
import type { RedisCommander } from 'ioredis';
import type { Span } from '../../platform/tracing.ts';
import { LIMITS } from '../../proto/vocabulary.ts';
import type { RedisStore } from '../redis/store.ts';
import admitLua from './admit.lua' with { type: 'text' };
import dayFitsLua from './day-fits.lua' with { type: 'text' };
import dayRecordLua from './day-record.lua' with { type: 'text' };
import { SlidingWindows } from './sliding-window.ts';

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

interface DayLeft {
  fitsNow: number;
  /** 0 when they fit now. */
  retryAfterMs: number;
}

/** Kept in Redis, or in this process while Redis is down. */
export type LimitsMode = 'shared' | 'in-process';

export interface Limits {
  /**
   * Counts a request against its key's minute and returns the key's account.
   * @param identify gets the account id from the worker, called when it is not cached; if it throws, nothing is counted
   * @param span of the request
   */
  admit(keyHash: Buffer, identify: () => Promise<string>, span?: Span): Promise<Admitted | Rejected>;
  /** Removes a key's account from the cache. */
  forget(keyHash: Buffer): void;
  /**
   * How many new entries the daily cap allows now, and when `entries` of them certainly fit. Undefined when not known
   * here: they may fit.
   */
  dayLeft(accountId: string, entries: number, span?: Span): Promise<DayLeft | undefined>;
  /** Counts entries created by a write that began `ageMs` ago. */
  recordCreated(accountId: string, entries: number, ageMs: number): void;
  mode(): Promise<LimitsMode>;
  close(): void;
}

/** Called with each decision. */
export interface LimitsObserver {
  minuteDecided(decision: 'admitted' | 'refused', mode: LimitsMode): void;
  /** The pre-check of the daily cap refused a write. */
  dayShed(): void;
}

/** The Lua scripts, by the command names under which connectRedis defines them. */
export const SCRIPTS = {
  admit: { lua: admitLua, numberOfKeys: 2 },
  dayFits: { lua: dayFitsLua, numberOfKeys: 1 },
  dayRecord: { lua: dayRecordLua, numberOfKeys: 1 },
};

interface Scripts extends RedisCommander {
  admit(
    ...args: [string, string, limit: number, windowUs: number, accountId: string, ttlMs: number]
  ): Promise<[] | [accountId: string, admitted: 0 | 1, remaining: number, retryAfterUs: number]>;
  dayFits(
    ...args: [string, cap: number, windowUs: number, entries: number]
  ): Promise<[fitsNow: number, retryAfterUs: number]>;
  dayRecord(...args: [string, windowUs: number, entries: number, ageUs: number]): Promise<1>;
}

// The cache only saves a request: the worker checks the key again in the transaction that does the work.
const IDENTITY_TTL_MS = 5 * 60 * 1000;
const SWEEP_EVERY_MS = 60_000;
// More than the time from the commit to Redis.
const TO_REDIS_MS_MAX = 1_000;

const MINUTE_US = LIMITS.minuteWindowMs * 1000;
const DAY_US = LIMITS.dayWindowMs * 1000;

const redisAttributes = (script: keyof typeof SCRIPTS) => ({
  'db.system.name': 'redis',
  'db.operation.name': 'EVALSHA',
  'db.stored_procedure.name': script,
});

const identityOf = (key: string) => `ledger:{${key}}:identity`;
const dayOf = (accountId: string) => `ledger:{${accountId}}:day`;

/**
 * @param redis undefined: the limits are kept in this process
 */
export function createLimits(redis: RedisStore | undefined, observer: LimitsObserver): Limits {
  // Kept at all times, so that a key's minute continues when Redis goes down.
  const windows = new SlidingWindows(LIMITS.requestsPerMinute, LIMITS.minuteWindowMs);
  const sweeper = setInterval(() => windows.sweep(performance.now()), SWEEP_EVERY_MS);
  sweeper.unref();

  /**
   * Runs a command in Redis. Undefined while Redis is down.
   * @param key the command's first key: all of its keys share a hash tag
   * @param span of the command, which this ends
   */
  async function run<Reply>(
    key: string,
    command: (scripts: Scripts) => Promise<Reply>,
    span?: Span,
  ): Promise<Reply | undefined> {
    const reply = await redis?.run(key, (client) => command(client as Scripts));
    if (reply === undefined) span?.fail('unavailable');
    span?.end();
    return reply;
  }

  function scriptSpan(script: keyof typeof SCRIPTS, request: Span | undefined): Span | undefined {
    return redis && request?.child(`EVALSHA ${script}`, redisAttributes(script));
  }

  /** Undefined while Redis is down. */
  async function admitShared(key: string, identify: () => Promise<string>, span: Span | undefined) {
    const identity = identityOf(key);
    const admit = (accountId: string) =>
      run(
        identity,
        (scripts) =>
          scripts.admit(
            identity,
            `ledger:{${key}}:minute`,
            LIMITS.requestsPerMinute,
            MINUTE_US,
            accountId,
            IDENTITY_TTL_MS,
          ),
        scriptSpan('admit', span),
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
  ): Promise<[Admitted | Rejected, LimitsMode]> {
    // Taken before Redis takes its time, so that this process never refuses what Redis would admit.
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
      const identity = identityOf(keyHash.toString('hex'));
      void run(identity, (scripts) => scripts.del(identity));
    },

    async dayLeft(accountId, entries, span) {
      if (entries === 0) return undefined;
      const day = dayOf(accountId);
      const reply = await run(
        day,
        (scripts) => scripts.dayFits(day, LIMITS.entriesPerDay, DAY_US, entries),
        scriptSpan('dayFits', span),
      );
      if (!reply) return undefined;
      const [fitsNow, retryAfterUs] = reply;
      if (entries > fitsNow) observer.dayShed();
      return { fitsNow, retryAfterMs: retryAfterUs / 1000 };
    },

    recordCreated(accountId, entries, ageMs) {
      if (entries === 0) return;
      const day = dayOf(accountId);
      const ageUs = Math.ceil((ageMs + TO_REDIS_MS_MAX) * 1000);
      void run(day, (scripts) => scripts.dayRecord(day, DAY_US, entries, ageUs));
    },

    async mode() {
      return (await redis?.isAvailable()) ? 'shared' : 'in-process';
    },

    close() {
      clearInterval(sweeper);
      redis?.close();
    },
  };
}
