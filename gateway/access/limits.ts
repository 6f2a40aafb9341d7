/**
 * The two limits (specification: Limits). Requests per minute and key are decided here; entries per day and account
 * are only shed here, where they certainly cannot fit: the database decides. Redis shares both between gateways.
 */
import type { RedisCommander } from 'ioredis';
import type { Span } from '../../platform/tracing.ts';
import { LIMITS } from '../../proto/vocabulary.ts';
import type { Metrics } from '../metrics.ts';
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

interface Refused {
  admitted: false;
  /** Until the next request of the key would be admitted. */
  retryAfterMs: number;
}

interface DayLeft {
  fitsNow: number;
  /** 0 when they fit now. */
  retryAfterMs: number;
}

/** In Redis, with the other gateways, or in this process alone. */
export type LimitsMode = 'shared' | 'in-process';

export interface Limits {
  /**
   * Counts a request against its key's minute and tells which account's key it is.
   * @param identify asks the worker for the account id, when no cache knows it; what it throws is passed on, and
   *   nothing is counted.
   * @param span of the request, where it is part of a trace
   */
  admit(keyHash: Buffer, identify: () => Promise<string>, span?: Span): Promise<Admitted | Refused>;
  /** Drops the account cached for a key. */
  forget(keyHash: Buffer): void;
  /**
   * How many new entries fit the account's day now, and after how long `entries` of them certainly will. Undefined where
   * that is not known here: they may fit.
   */
  dayLeft(accountId: string, entries: number, span?: Span): Promise<DayLeft | undefined>;
  /** Counts entries that were created by a write begun `ageMs` ago. */
  recordCreated(accountId: string, entries: number, ageMs: number): void;
  /** Where the limits are kept right now. */
  mode(): Promise<LimitsMode>;
  close(): void;
}

/** Commands that connectRedis is to define. */
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

// The cache only saves a question: the worker checks the key again in the transaction that does the work.
const IDENTITY_TTL_MS = 5 * 60 * 1000;
const SWEEP_EVERY_MS = 60_000;
// Longer than Redis takes to hear of a write.
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
 * The limits of this gateway, shared with the others through Redis.
 * @param redis undefined: the limits are kept in this process alone
 */
export function createLimits(redis: RedisStore | undefined, metrics: Metrics): Limits {
  // Also kept while Redis is there: when it goes away, the minute goes on where it was.
  const windows = new SlidingWindows(LIMITS.requestsPerMinute, LIMITS.minuteWindowMs);
  const sweeper = setInterval(() => windows.sweep(performance.now()), SWEEP_EVERY_MS);
  sweeper.unref();

  /**
   * @param key the first of the command's: they all have one hash tag
   * @param asking the span of this question, which it ends
   */
  async function ask<Answer>(
    key: string,
    command: (scripts: Scripts) => Promise<Answer>,
    asking?: Span,
  ): Promise<Answer | undefined> {
    const answer = await redis?.ask(key, (client) => command(client as Scripts));
    if (answer === undefined) asking?.fail('unavailable');
    asking?.end();
    return answer;
  }

  /** Begins the span of a script that a request waits for. */
  function asking(script: keyof typeof SCRIPTS, span: Span | undefined): Span | undefined {
    return redis && span?.child(`EVALSHA ${script}`, redisAttributes(script));
  }

  /** Undefined while Redis is away. */
  async function admitShared(key: string, identify: () => Promise<string>, span: Span | undefined) {
    const identity = identityOf(key);
    const admit = (accountId: string) =>
      ask(
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
        asking('admit', span),
      );
    let answer = await admit('');
    if (answer && answer.length === 0) answer = await admit(await identify());
    if (!answer || answer.length === 0) return undefined;
    return answer;
  }

  /** @returns the decision, and who made it */
  async function decide(
    key: string,
    identify: () => Promise<string>,
    span: Span | undefined,
  ): Promise<[Admitted | Refused, LimitsMode]> {
    // Dated before Redis dates it, so that this process never refuses what Redis would admit.
    const begun = performance.now();
    const full = windows.refusal(key, begun);
    if (full) return [full, 'in-process'];

    const shared = await admitShared(key, identify, span);
    if (shared?.[1] === 0) return [{ admitted: false, retryAfterMs: shared[3] / 1000 }, 'shared'];
    const accountId = shared ? shared[0] : await identify();

    // What was admitted here while Redis was away, Redis does not know.
    const refused = windows.refusal(key, performance.now());
    if (refused) return [refused, 'in-process'];
    const left = windows.record(key, shared ? begun : performance.now());
    const remaining = Math.min(left, shared?.[2] ?? left);
    return [{ admitted: true, accountId, remaining }, shared ? 'shared' : 'in-process'];
  }

  return {
    async admit(keyHash, identify, span) {
      const [decision, kept] = await decide(keyHash.toString('hex'), identify, span);
      metrics.minuteDecided(decision.admitted ? 'admitted' : 'refused', kept);
      return decision;
    },

    forget(keyHash) {
      const identity = identityOf(keyHash.toString('hex'));
      void ask(identity, (scripts) => scripts.del(identity));
    },

    async dayLeft(accountId, entries, span) {
      if (entries === 0) return undefined;
      const day = dayOf(accountId);
      const answer = await ask(
        day,
        (scripts) => scripts.dayFits(day, LIMITS.entriesPerDay, DAY_US, entries),
        asking('dayFits', span),
      );
      if (!answer) return undefined;
      const [fitsNow, retryAfterUs] = answer;
      if (entries > fitsNow) metrics.dayShed();
      return { fitsNow, retryAfterMs: retryAfterUs / 1000 };
    },

    recordCreated(accountId, entries, ageMs) {
      if (entries === 0) return;
      const day = dayOf(accountId);
      const ageUs = Math.ceil((ageMs + TO_REDIS_MS_MAX) * 1000);
      void ask(day, (scripts) => scripts.dayRecord(day, DAY_US, entries, ageUs));
    },

    async mode() {
      return (await redis?.isWhole()) ? 'shared' : 'in-process';
    },

    close() {
      clearInterval(sweeper);
      redis?.close();
    },
  };
}
