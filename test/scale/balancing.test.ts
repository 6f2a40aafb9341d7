/** Workers behind one name: new ones are found, and those that are gone are left, while clients work. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { type Gateway, startGateway } from '../../local/servers/gateway.ts';
import { startWorker, type Worker } from '../../local/servers/worker.ts';
import { type ApiResponse, entry, TestAccount } from '../fixtures/client.ts';
import { freePort } from '../fixtures/free-port.ts';
import { sql, system } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';
import { type DnsServer, startDnsServer } from './dns-server.ts';

setDefaultTimeout(120_000);

// Twice the age that a connection reaches, and time for a machine that is busy.
const SECONDS = 30_000;

// Behind one name all have the same port.
const HOSTS = ['127.0.0.2', '127.0.0.3', '127.0.0.4'] as const;
const port = freePort();

let dns: DnsServer;
let gateway: Gateway;
const workers = new Map<string, Worker>();

/** Its statements are told from those of the others by their `application_name`. */
async function start(host: string): Promise<void> {
  workers.set(
    host,
    await startWorker({
      databaseUrl: `${system.databaseUrl}&application_name=${host}`,
      listenAddress: `${host}:${port}`,
    }),
  );
}

beforeAll(async () => {
  await start(HOSTS[0]);
  dns = await startDnsServer([HOSTS[0]]);
  gateway = await startGateway({
    workerAddress: `dns://${dns.address}/workers.test:${port}`,
    redisUrl: system.redisUrl,
    // The resolver that asks the name server that it is told, in the place of the system's.
    env: { GRPC_NODE_USE_ALTERNATIVE_RESOLVER: 'true' },
  });
});
afterAll(async () => {
  await gateway?.stop();
  await Promise.all([...workers.values()].map((worker) => worker.stop()));
  dns?.close();
});

/** Clients who write until they are stopped; none of their requests may fail. */
function beginLoad(account: TestAccount) {
  const answers: ApiResponse[] = [];
  let isStopped = false;
  const work = async () => {
    while (!isStopped) {
      answers.push(await account.post(entry(), { url: gateway.url }));
      await Bun.sleep(20);
    }
  };
  const clients = Promise.all([work(), work(), work()]);
  return {
    answers,
    async stop() {
      isStopped = true;
      await clients;
      expect(
        answers.filter(({ status }) => status !== 201).map(({ status, body }) => [status, body]),
      ).toEqual([]);
    },
  };
}

/** Whether the worker at `host` is asked for something. */
async function isAsked(host: string): Promise<boolean> {
  const begun = await lastStatement(host);
  await Bun.sleep(1_000);
  return (await lastStatement(host)) !== begun;
}

async function lastStatement(host: string): Promise<string> {
  const [row] = await sql<{ last: string }[]>`
    select coalesce(max(query_start)::text, '') as last from pg_stat_activity
     where application_name = ${host} and query like '%create_batches%'`;
  return row?.last ?? '';
}

const areAsked = async (hosts: readonly string[]) => (await Promise.all(hosts.map(isAsked))).every(Boolean);

test('a new worker behind the name gets its share within seconds, although the others live', async () => {
  const load = beginLoad(await TestAccount.create());
  await until('the first is asked', () => isAsked(HOSTS[0]));
  await start(HOSTS[1]);
  dns.addresses = HOSTS.slice(0, 2);
  await until('both are asked', () => areAsked(HOSTS.slice(0, 2)), SECONDS);
  await load.stop();
});

test('a worker that leaves the name is left while it lives, and can then be stopped', async () => {
  const load = beginLoad(await TestAccount.create());
  await until('both are asked', () => areAsked(HOSTS.slice(0, 2)), SECONDS);
  dns.addresses = [HOSTS[1]];
  await until('the first is asked no more', async () => !(await isAsked(HOSTS[0])), SECONDS);
  await workers.get(HOSTS[0])?.stop();
  await load.stop();
});

test('a worker is killed, and another one comes at another address: no request fails', async () => {
  await start(HOSTS[2]);
  dns.addresses = HOSTS.slice(1);
  const load = beginLoad(await TestAccount.create());
  await until('both are asked', () => areAsked(HOSTS.slice(1)), SECONDS);
  const killed = workers.get(HOSTS[1]) as Worker;
  process.kill(killed.pid, 'SIGKILL');
  await killed.died;
  dns.addresses = [HOSTS[2], HOSTS[0]];
  await start(HOSTS[0]);
  await until('the new one is asked', () => areAsked([HOSTS[2], HOSTS[0]]), SECONDS);
  await load.stop();
});
