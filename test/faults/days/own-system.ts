/** A system whose clocks a test sets: Postgres, Redis, a worker and gateways, all in the time zone of London. */
import { afterAll } from 'bun:test';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Client from 'ioredis';
import { startGateway } from '../../../local/servers/gateway.ts';
import { startPostgres } from '../../../local/servers/postgres.ts';
import { startRedis } from '../../../local/servers/redis.ts';
import { startWorker } from '../../../local/servers/worker.ts';
import type { ClientSecurity } from '../../../platform/mutual-tls.ts';
import { createAdminClient } from '../../../proto/admin-client.ts';
import { openOne } from '../../fixtures/database.ts';
import { stopEmpty } from '../../fixtures/no-leaks.ts';
import { Clock, canSetClocks } from './clock.ts';

export const [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS] = [1_000, 60_000, 3_600_000, 86_400_000];
const dayOf = (accountId: string) => `ledger:{${accountId}}:day`;
const TZ = 'Europe/London';

interface Options {
  gateways?: number;
  /** The time at which the clocks start. */
  at?: string;
  /** Settings beside the usual ones. */
  env?: { worker?: Record<string, string>; gateway?: Record<string, string> };
  /** Of the test's client of the Admin service. */
  security?: ClientSecurity;
}

export type OwnSystem = Awaited<ReturnType<typeof startOwnSystem>>;

/** Starts them. They stop after the file's last test. Without libfaketime nothing starts: the tests are skipped. */
export async function startOwnSystem({ gateways: count = 1, at, env = {}, security }: Options = {}) {
  if (!canSetClocks) return undefined as never;
  const directory = mkdtempSync(join(tmpdir(), 'ledger-days-'));
  // Postgres runs as another user.
  chmodSync(directory, 0o755);
  const clocks = {
    postgres: new Clock(directory, 'postgres'),
    redis: new Clock(directory, 'redis'),
    worker: new Clock(directory, 'worker'),
    gateways: Array.from({ length: count }, (_, n) => new Clock(directory, `gateway-${n}`)),
  };
  const all = [clocks.postgres, clocks.redis, clocks.worker, ...clocks.gateways];
  if (at !== undefined) for (const clock of all) clock.set(Date.parse(at));
  const logFile = (name: string) => join(directory, `${name}.log`);
  const under = (clock: Clock | undefined, name: string) => ({
    wrapper: clock?.wrapper ?? [],
    logFile: logFile(name),
  });

  const settings = { timezone: TZ, max_connections: '40', shared_buffers: '64MB' };
  const dataDir = join(directory, 'data');
  const postgres = await startPostgres({ dataDir, settings, ...under(clocks.postgres, 'postgres') });
  const redis = await startRedis(under(clocks.redis, 'redis'));
  if (!redis) throw new Error('neither Redis nor Valkey is on the PATH');
  const worker = await startWorker({
    databaseUrl: postgres.url,
    env: { TZ, ...env.worker },
    ...under(clocks.worker, 'worker'),
  });
  const gateways = await Promise.all(
    clocks.gateways.map((clock, n) =>
      startGateway({
        workerAddress: worker.address,
        redisUrl: redis.url,
        env: { TZ, ...env.gateway },
        ...under(clock, `gateway-${n}`),
      }),
    ),
  );
  const admin = createAdminClient(worker.adminAddress, '', security);
  const sql = openOne(postgres.url);
  const redisClient = new Client(redis.url);
  afterAll(async () => {
    admin.close();
    await sql.end();
    redisClient.disconnect();
    await stopEmpty(...gateways, worker);
    await redis.stop();
    await postgres.stop();
    for (const { pid } of [...gateways, worker, redis, postgres]) Clock.cleanUp(pid);
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    clocks,
    databaseUrl: postgres.url,
    redis,
    worker,
    gateways,
    admin,
    sql,
    /** The newest write of an account in Redis. The gateway records it after its response. */
    newestInRedis: (accountId: string) => redisClient.lindex(dayOf(accountId), -1),
    /** The lines of a gateway's log. */
    log: (gateway = 0) =>
      readFileSync(logFile(`gateway-${gateway}`), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    /** Sets all clocks to a moment, which may be before. */
    setAll(at: string | number): void {
      const ms = typeof at === 'string' ? Date.parse(at) : at;
      for (const clock of all) clock.set(ms);
    },
    /** Lets time pass on all clocks. */
    pass(ms: number): void {
      for (const clock of all) clock.add(ms);
    },
  };
}
