/**
 * Three gateways, three workers, a Redis Cluster and PgBouncer under load. The test kills one of each: no acknowledged entry
 * is lost or doubled, and no client has to give up.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { type Gateway, startGateway } from '../../local/servers/gateway.ts';
import { startWorker, type Worker } from '../../local/servers/worker.ts';
import { batch, expectCountsToEqualRows, rowsOf } from '../fixtures/books.ts';
import { type ApiResponse, TestAccount } from '../fixtures/client.ts';
import { type Metrics, scrape } from '../fixtures/metrics.ts';
import { stopEmpty } from '../fixtures/nothing-held.ts';
import { sql, system } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';
import { createPooledRole, type PgBouncer, pgBouncerProgram, startPgBouncer } from './pgbouncer.ts';
import { type Cluster, startRedisCluster } from './redis-cluster.ts';

setDefaultTimeout(240_000);

const ROLE = 'pooled_worker_of_all';
const STATEMENT_TIMEOUT_MS = 4_000;
const INSTANCES = 3;
const CLIENTS = 12;
// Between two kills, so that all processes are in use again.
const BATCHES_BETWEEN = 300;

let redis: Cluster;
let pooler: PgBouncer;
let workers: Worker[];
let gateways: Gateway[];

const startPooler = async (port?: number) =>
  startPgBouncer({
    program: await pgBouncerProgram(),
    databaseUrl: system.databaseUrl,
    role: ROLE,
    poolSize: 8,
    ...(port !== undefined && { port }),
  });

beforeAll(async () => {
  await createPooledRole(ROLE, STATEMENT_TIMEOUT_MS);
  [redis, pooler] = await Promise.all([startRedisCluster(), startPooler()]);
  workers = await Promise.all(
    Array.from({ length: INSTANCES }, () =>
      startWorker({
        databaseUrl: `${pooler.url}?prepare=false`,
        env: { STATEMENT_TIMEOUT_MS: String(STATEMENT_TIMEOUT_MS) },
      }),
    ),
  );
  gateways = await Promise.all(
    Array.from({ length: INSTANCES }, () =>
      startGateway({
        workerAddress: `ipv4:${workers.map(({ address }) => address)}`,
        env: { REDIS_CLUSTER: redis.seeds },
      }),
    ),
  );
});
afterAll(async () => {
  await stopEmpty(...(gateways ?? []), ...(workers ?? []));
  await Promise.all([pooler?.stop(), redis?.stop()]);
  await sql.unsafe(`drop role if exists ${ROLE}`);
});

const ATTEMPTS_MAX = 40;
const BACKOFF_MS_MAX = 500;

interface Client {
  account: TestAccount;
  acknowledged: string[];
  /** Attempts without a response or with a 5xx. */
  retries: number;
  /** The last responses of requests that never succeeded. */
  givenUp: (ApiResponse | Error)[];
}

/** Clients that write batches until `stop`, one account each. They retry on the next gateway until a success. */
function beginWrites(accounts: readonly TestAccount[]) {
  let isStopped = false;
  let acknowledgedBatches = 0;
  const write = async (account: TestAccount, number: number): Promise<Client> => {
    const client: Client = { account, acknowledged: [], retries: 0, givenUp: [] };
    for (let n = 0; !isStopped; n++) {
      const entries = batch(`batch ${n}`, 5);
      for (let attempt = 0; ; attempt++) {
        const { url = '' } = gateways[(number + n + attempt) % gateways.length] ?? {};
        const response = await account.post(entries, { url }).catch((error: Error) => error);
        if (!(response instanceof Error) && (response.status === 201 || response.status === 200)) {
          const { transactions, existing } = response.body;
          client.acknowledged.push(...[...transactions, ...existing].map(({ id }: { id: string }) => id));
          acknowledgedBatches++;
          break;
        }
        const isTransient = response instanceof Error || response.status >= 500;
        if (!isTransient || attempt === ATTEMPTS_MAX) {
          client.givenUp.push(response);
          break;
        }
        client.retries++;
        await Bun.sleep(Math.min(10 * 2 ** attempt, BACKOFF_MS_MAX));
      }
    }
    return client;
  };
  const clients = Promise.all(accounts.map(write));
  return {
    acknowledgedBatches: () => acknowledgedBatches,
    stop() {
      isStopped = true;
      return clients;
    },
  };
}

const kill = async (one: { pid: number; died: Promise<unknown> } | undefined) => {
  if (!one) throw new Error('there is no process to kill');
  process.kill(one.pid, 'SIGKILL');
  await one.died;
};

/** The metrics of the running gateways and workers. */
async function metricsOfAll(): Promise<{ gateways: Metrics[]; workers: Metrics[] }> {
  const read = async (processes: readonly { metricsAddress: string }[]) => {
    const found = await Promise.allSettled(processes.map(({ metricsAddress }) => scrape(metricsAddress)));
    return found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  };
  return { gateways: await read(gateways), workers: await read(workers) };
}

const sum = (all: readonly Metrics[], name: string, labels: Record<string, string> = {}) =>
  all.reduce((total, metrics) => total + metrics.sum(name, labels), 0);

/** The failed RPCs of the running gateways. */
async function failedAttempts(): Promise<number> {
  const { gateways } = await metricsOfAll();
  const attempts = 'grpc_client_handling_seconds_count';
  return sum(gateways, attempts) - sum(gateways, attempts, { grpc_code: 'OK' });
}

async function report(what: string, batches: number): Promise<void> {
  const now = await metricsOfAll();
  const facts = [
    `${batches} batches acknowledged`,
    `gateways ${now.gateways.length}, workers ${now.workers.length}`,
    `entries created ${sum(now.workers, 'ledger_entries_created_total')}`,
    `failed RPCs ${await failedAttempts()}`,
    `rate limit decisions in Redis ${sum(now.gateways, 'ledger_minute_decisions_total', { kept: 'shared' })}`,
    `in process ${sum(now.gateways, 'ledger_minute_decisions_total', { kept: 'in-process' })}`,
    `redis up for ${sum(now.gateways, 'ledger_redis_up')}, database up for ${sum(now.workers, 'ledger_database_up')}`,
  ];
  console.log(`${what}: ${facts.join('; ')}`);
}

test('one of each is killed under load: no entry is lost or doubled, and no client gives up', async () => {
  const accounts = await Promise.all(Array.from({ length: CLIENTS }, () => TestAccount.create()));
  const writes = beginWrites(accounts);
  const expectProgress = async (what: string) => {
    const before = writes.acknowledgedBatches();
    await until(
      `${what}: more acknowledged batches`,
      () => writes.acknowledgedBatches() > before + BATCHES_BETWEEN,
    );
    await report(what, writes.acknowledgedBatches());
  };
  await expectProgress('all running');
  await kill(workers[0]);
  await expectProgress('a worker was killed');
  await kill(gateways[0]);
  await expectProgress('a gateway was killed');
  await kill(redis.master(1));
  await expectProgress('a master of Redis was killed');
  const { port } = pooler;
  await kill(pooler);
  await pooler.stop();
  const alive = gateways.slice(1);
  // Long enough for RPCs and requests to fail.
  await until('no gateway is ready', async () => {
    const responses = await Promise.all(alive.map(({ url }) => fetch(`${url}/readyz`)));
    return responses.every(({ status }) => status === 503);
  });
  expect(await failedAttempts()).toBeGreaterThan(0);
  pooler = await startPooler(port);
  await expectProgress('PgBouncer was killed and started again');

  await until('the limits are shared again', async () => {
    const responses = await Promise.all(alive.map(({ url }) => fetch(`${url}/readyz`)));
    const states = await Promise.all(
      responses.map((response) => response.json() as Promise<{ limits: string }>),
    );
    return states.every(({ limits }) => limits === 'shared');
  });
  const clients = await writes.stop();
  await report('at the end', writes.acknowledgedBatches());

  let stored = 0;
  for (const { account, acknowledged, givenUp } of clients) {
    expect(givenUp).toEqual([]);
    const rows = await rowsOf(account.accountId);
    stored += rows.length;
    const ids = new Set(rows.map(({ id }) => id));
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    expect(new Set(rows.map(({ externalRef }) => externalRef)).size).toBe(rows.length);
    // Every request has succeeded in the end, so there are no other rows.
    expect(rows).toHaveLength(acknowledged.length);
    await expectCountsToEqualRows(account);
  }
  const retries = clients.reduce((total, client) => total + client.retries, 0);
  expect(retries).toBeGreaterThan(0);
  console.log(
    `${stored} entries stored, each acknowledged; ${retries} requests were retried by their clients`,
  );
});
