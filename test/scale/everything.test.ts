/**
 * Three gateways, three workers, a Redis Cluster and PgBouncer, under load: one of each is killed, one after the other, and
 * no acknowledged entry is lost, none is doubled, and no client has to give up.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { type Gateway, startGateway } from '../../local/servers/gateway.ts';
import { startWorker, type Worker } from '../../local/servers/worker.ts';
import { batch, expectCountsToEqualRows, rowsOf } from '../fixtures/books.ts';
import { type ApiResponse, TestAccount } from '../fixtures/client.ts';
import { type Metrics, scrape } from '../fixtures/metrics.ts';
import { sql, system } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';
import { createPooledRole, type PgBouncer, pgBouncerProgram, startPgBouncer } from './pgbouncer.ts';
import { type Cluster, startRedisCluster } from './redis-cluster.ts';

setDefaultTimeout(240_000);

const ROLE = 'everybodys_worker';
const STATEMENT_TIMEOUT_MS = 4_000;
const OF_EACH = 3;
const CLIENTS = 12;
// Between two blows: about as many batches as it takes to have all parts at work.
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
    Array.from({ length: OF_EACH }, () =>
      startWorker({
        databaseUrl: `${pooler.url}?prepare=false`,
        env: { STATEMENT_TIMEOUT_MS: String(STATEMENT_TIMEOUT_MS) },
      }),
    ),
  );
  gateways = await Promise.all(
    Array.from({ length: OF_EACH }, () =>
      startGateway({
        workerAddress: `ipv4:${workers.map(({ address }) => address)}`,
        env: { REDIS_CLUSTER: redis.seeds },
      }),
    ),
  );
});
afterAll(async () => {
  await Promise.all((gateways ?? []).map((gateway) => gateway.stop()));
  await Promise.all((workers ?? []).map((worker) => worker.stop()));
  await Promise.all([pooler?.stop(), redis?.stop()]);
  await sql.unsafe(`drop role if exists ${ROLE}`);
});

const ATTEMPTS_MAX = 40;
const BACKOFF_MS_MAX = 500;

interface Client {
  account: TestAccount;
  acknowledged: string[];
  /** Attempts that were not answered, or with a 5xx. */
  repeated: number;
  /** What no attempt could save. */
  givenUp: (ApiResponse | Error)[];
}

/** Clients with an account each, who send batches until they are stopped: each again, elsewhere, until it is acknowledged. */
function beginWrites(accounts: readonly TestAccount[]) {
  let isStopped = false;
  let acknowledgedBatches = 0;
  const write = async (account: TestAccount, number: number): Promise<Client> => {
    const client: Client = { account, acknowledged: [], repeated: 0, givenUp: [] };
    for (let n = 0; !isStopped; n++) {
      const entries = batch(`batch ${n}`, 5);
      for (let attempt = 0; ; attempt++) {
        const { url = '' } = gateways[(number + n + attempt) % gateways.length] ?? {};
        const answer = await account.post(entries, { url }).catch((error: Error) => error);
        if (!(answer instanceof Error) && (answer.status === 201 || answer.status === 200)) {
          const { transactions, existing } = answer.body;
          client.acknowledged.push(...[...transactions, ...existing].map(({ id }: { id: string }) => id));
          acknowledgedBatches++;
          break;
        }
        const mayPass = answer instanceof Error || answer.status >= 500;
        if (!mayPass || attempt === ATTEMPTS_MAX) {
          client.givenUp.push(answer);
          break;
        }
        client.repeated++;
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
  if (!one) throw new Error('there is none to kill');
  process.kill(one.pid, 'SIGKILL');
  await one.died;
};

/** What the living show together. */
async function shown(): Promise<{ gateways: Metrics[]; workers: Metrics[] }> {
  const read = async (processes: readonly { metricsAddress: string }[]) => {
    const found = await Promise.allSettled(processes.map(({ metricsAddress }) => scrape(metricsAddress)));
    return found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  };
  return { gateways: await read(gateways), workers: await read(workers) };
}

const sum = (all: readonly Metrics[], name: string, labels: Record<string, string> = {}) =>
  all.reduce((total, metrics) => total + metrics.sum(name, labels), 0);

/** Of the gateways that live, at workers. */
async function failedAttempts(): Promise<number> {
  const { gateways } = await shown();
  const attempts = 'grpc_client_handling_seconds_count';
  return sum(gateways, attempts) - sum(gateways, attempts, { grpc_code: 'OK' });
}

async function report(what: string, batches: number): Promise<void> {
  const now = await shown();
  const figures = [
    `${batches} batches acknowledged`,
    `gateways ${now.gateways.length}, workers ${now.workers.length}`,
    `entries created ${sum(now.workers, 'ledger_entries_created_total')}`,
    `attempts at workers that failed ${await failedAttempts()}`,
    `minutes decided shared ${sum(now.gateways, 'ledger_minute_decisions_total', { kept: 'shared' })}`,
    `alone ${sum(now.gateways, 'ledger_minute_decisions_total', { kept: 'in-process' })}`,
    `redis up for ${sum(now.gateways, 'ledger_redis_up')}, database up for ${sum(now.workers, 'ledger_database_up')}`,
  ];
  console.log(`${what}: ${figures.join('; ')}`);
}

test('one of each is killed under load: nothing is lost, nothing is doubled, nobody gives up', async () => {
  const accounts = await Promise.all(Array.from({ length: CLIENTS }, () => TestAccount.create()));
  const writes = beginWrites(accounts);
  const goOn = async (what: string) => {
    const before = writes.acknowledgedBatches();
    await until(`${what}: the load goes on`, () => writes.acknowledgedBatches() > before + BATCHES_BETWEEN);
    await report(what, writes.acknowledgedBatches());
  };
  await goOn('all at work');
  await kill(workers[0]);
  await goOn('a worker was killed');
  await kill(gateways[0]);
  await goOn('a gateway was killed');
  await kill(redis.master(1));
  await goOn('a master of Redis was killed');
  const { port } = pooler;
  await kill(pooler);
  await pooler.stop();
  const alive = gateways.slice(1);
  // For long enough that attempts fail, and clients are told so.
  await until('no gateway is ready', async () => {
    const answers = await Promise.all(alive.map(({ url }) => fetch(`${url}/readyz`)));
    return answers.every(({ status }) => status === 503);
  });
  expect(await failedAttempts()).toBeGreaterThan(0);
  pooler = await startPooler(port);
  await goOn('PgBouncer was killed, and started again');

  await until('the limits are shared again', async () => {
    const answers = await Promise.all(alive.map(({ url }) => fetch(`${url}/readyz`)));
    const states = await Promise.all(answers.map((answer) => answer.json() as Promise<{ limits: string }>));
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
    // Whatever was sent was acknowledged in the end, and nothing else is there.
    expect(rows).toHaveLength(acknowledged.length);
    await expectCountsToEqualRows(account);
  }
  const repeated = clients.reduce((total, client) => total + client.repeated, 0);
  expect(repeated).toBeGreaterThan(0);
  console.log(
    `${stored} entries stored, each acknowledged; ${repeated} requests were repeated by their clients`,
  );
});
