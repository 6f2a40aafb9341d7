/** Redis, and the Lua scripts of the two limits, one function each. They return undefined while Redis is unavailable, or not configured. */
import Redis from 'ioredis';
import type { Logger } from 'pino';
import type { Span } from '../../platform/tracing.ts';
import { LIMITS } from '../../proto/domain.ts';
import { type RedisAddress, VARIABLES } from './address.ts';
import { OPTIONS, oneServer, type RedisClient, sentinelOptions } from './client.ts';
import { clusterOf } from './cluster.ts';
import countLua from './count.lua' with { type: 'text' };
import dayWindowLua from './day-window.lua' with { type: 'text' };
import deadlineLua from './deadline.lua' with { type: 'text' };
import probeLua from './probe.lua' with { type: 'text' };
import readDayLua from './read-day.lua' with { type: 'text' };
import recordDayLua from './record-day.lua' with { type: 'text' };
import type { Call } from './server.ts';

const framed = (lua: string) => ({ lua: deadlineLua.replace('-- SCRIPT', () => lua) });

export const SCRIPTS = {
  count: framed(dayWindowLua + countLua),
  readDay: framed(dayWindowLua + readDayLua),
  recordDay: framed(dayWindowLua + recordDayLua),
  probe: framed(probeLua),
};

export interface LimitScripts {
  /**
   * Counts a request against its key's minute. For a write, also reads the account's day.
   * @param keyHash in hex
   */
  count(accountId: string, keyHash: string, request: CountedRequest): Promise<MinuteDecision | undefined>;
  /** The number of new entries that fit the account's day now, and the time until `entries` fit. */
  readDay(
    accountId: string,
    entries: number,
    span: Span | undefined,
  ): Promise<{ entriesLeft: number; retryAfterMs: number } | undefined>;
  /** Adds committed writes to the days of their accounts. Nobody waits for it. */
  recordDay(writes: readonly CommittedWrite[]): void;
}

export interface CountedRequest {
  /** It may create entries. */
  isWrite: boolean;
  span: Span | undefined;
}

/** The minute of a key, with a request counted or refused. */
export type MinuteDecision =
  /** `remaining`: requests left. `entriesLeft`: for a write, entries that fit the account's day; undefined while Redis is unavailable. */
  | { admitted: true; remaining: number; entriesLeft: number | undefined }
  /** `retryAfterMs`: until the key's next request can be admitted. */
  | { admitted: false; retryAfterMs: number };

export interface CommittedWrite {
  accountId: string;
  /** Created by it. */
  entries: number;
  /** The time of performance.now() before which the write had not begun. */
  begunAt: number;
}

const MINUTE_US = LIMITS.minuteWindowMs * 1000;
const DAY_US = LIMITS.dayWindowMs * 1000;
// Longer than the way from the commit to Redis. Each write is made older by it, so that none is older than its age when Redis reads that.
const TO_REDIS_MS_MAX = 1_000;

// All keys of an account have one slot.
const dayKey = (accountId: string) => `ledger:{${accountId}}:day`;
const minuteKey = (accountId: string, keyHash: string) => `ledger:{${accountId}}:minute:${keyHash}`;

export function createScripts(redis: RedisDeployment | undefined): LimitScripts {
  async function run<Reply>(
    script: keyof typeof SCRIPTS,
    keys: string[],
    args: (string | number)[],
    parent: Span | undefined,
  ): Promise<Reply | undefined> {
    if (!redis) return undefined;
    const span = parent?.child(`EVALSHA ${script}`, {
      'db.system.name': 'redis',
      'db.operation.name': 'EVALSHA',
      'db.stored_procedure.name': script,
    });
    const reply = await redis.run<Reply>({ script, keys, args });
    if (reply === undefined) span?.fail('unavailable');
    span?.end();
    return reply;
  }

  return {
    async count(accountId, keyHash, { isWrite, span }) {
      const keys = [minuteKey(accountId, keyHash), ...(isWrite ? [dayKey(accountId)] : [])];
      const args = [LIMITS.requestsPerMinute, MINUTE_US, LIMITS.entriesPerDay, DAY_US];
      type Reply = [admitted: 0 | 1, remaining: number, retryAfterUs: number, entriesLeft?: number];
      const reply = await run<Reply>('count', keys, args, span);
      if (!reply) return undefined;
      const [admitted, remaining, retryAfterUs, entriesLeft] = reply;
      return admitted === 1
        ? { admitted: true, remaining, entriesLeft }
        : { admitted: false, retryAfterMs: retryAfterUs / 1000 };
    },

    async readDay(accountId, entries, span) {
      const args = [LIMITS.entriesPerDay, DAY_US, entries];
      const reply = await run<[entriesLeft: number, retryAfterUs: number]>(
        'readDay',
        [dayKey(accountId)],
        args,
        span,
      );
      return reply && { entriesLeft: reply[0], retryAfterMs: reply[1] / 1000 };
    },

    recordDay(writes) {
      if (!redis) return;
      const bySlot = Map.groupBy(writes, ({ accountId }) => redis.slotOf(dayKey(accountId)));
      for (const ofSlot of bySlot.values()) {
        const arrivesAt = performance.now() + TO_REDIS_MS_MAX;
        const keys = ofSlot.map(({ accountId }) => dayKey(accountId));
        const figures = ofSlot.flatMap(({ entries, begunAt }) => [
          entries,
          Math.ceil((arrivesAt - begunAt) * 1000),
        ]);
        void redis.run({ script: 'recordDay', keys, args: [DAY_US, ...figures] });
      }
    },
  };
}

const FIRST_CONNECTION_MS_MAX = 1000;

export interface RedisDeployment {
  /**
   * Runs a script. Its last argument is the deadline, which is added here.
   * @param call its keys are of one slot: only a part of a cluster may be unavailable
   * @returns the script's reply. Undefined, at once or within 100 ms, while Redis is unavailable (refused, hung, read-only, or
   *   without a master). Then the script counts nothing, or has counted already
   */
  run<Reply>(call: Call): Promise<Reply | undefined>;
  /** Keys of one slot may be in one command. */
  slotOf(key: string): number;
  isAvailable(): Promise<boolean>;
  /** Whether every server replied to its last command. */
  isUp(): boolean;
  close(): void;
}

/** Waits at most one second for the first connection, because the gateway also serves without Redis. */
export async function connectRedis(address: RedisAddress, log: Logger): Promise<RedisDeployment> {
  const client = clientOf(address, log.child({ variable: VARIABLES[address.kind] }));
  const { servers, serverOf, slotOf, close } = client;
  const isUp = () => servers().every((server) => server.isUp);
  for (const end = performance.now() + FIRST_CONNECTION_MS_MAX; !isUp() && performance.now() < end; ) {
    await Bun.sleep(5);
  }

  return {
    async run(call) {
      return serverOf(call.keys[0] as string)?.run(call);
    },
    slotOf,
    async isAvailable() {
      const available = await Promise.all(servers().map((server) => server.isAvailable()));
      return available.every(Boolean);
    },
    isUp,
    close() {
      for (const server of servers()) server.close();
      close();
    },
  };
}

function clientOf(address: RedisAddress, log: Logger): RedisClient {
  const options = { ...OPTIONS, enableOfflineQueue: false, scripts: SCRIPTS } as const;
  switch (address.kind) {
    case 'server':
      return oneServer(new Redis(address.url, options), log);
    case 'sentinel':
      return oneServer(
        new Redis({ ...options, ...sentinelOptions(address.sentinels, address.masterName) }),
        log,
      );
    case 'cluster':
      return clusterOf(address.seeds, SCRIPTS, log);
  }
}
