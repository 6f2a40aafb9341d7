/** Workers behind one DNS name: under load the gateway finds new ones and leaves removed ones. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { type Gateway, startGateway } from '../../local/servers/gateway.ts';
import { startWorker, type Worker } from '../../local/servers/worker.ts';
import { type ApiResponse, entry, TestAccount } from '../fixtures/client.ts';
import { freePort } from '../fixtures/free-port.ts';
import { stopEmpty } from '../fixtures/nothing-held.ts';
import { sql, system } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';
import { type DnsServer, startDnsServer } from './dns-server.ts';

setDefaultTimeout(120_000);

// Twice the maximum age of a connection, plus a margin for a loaded machine.
const REBALANCED_MS_MAX = 30_000;

// The addresses of one DNS name share a port.
const HOSTS = ['127.0.0.2', '127.0.0.3', '127.0.0.4'] as const;
const port = freePort();

let dns: DnsServer;
let gateway: Gateway;
const workers = new Map<string, Worker>();

/** Its `application_name` identifies its statements. */
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
    // The resolver of the library that uses the name server of the target instead of the system's.
    env: { GRPC_NODE_USE_ALTERNATIVE_RESOLVER: 'true' },
  });
});
afterAll(async () => {
  await stopEmpty(gateway, ...workers.values());
  dns?.close();
});

/** Clients that write until `stop`; none of their requests may fail. */
function beginLoad(account: TestAccount) {
  const responses: ApiResponse[] = [];
  let isStopped = false;
  const work = async () => {
    while (!isStopped) {
      responses.push(await account.post(entry(), { url: gateway.url }));
      await Bun.sleep(20);
    }
  };
  const clients = Promise.all([work(), work(), work()]);
  return {
    responses,
    async stop() {
      isStopped = true;
      await clients;
      expect(
        responses.filter(({ status }) => status !== 201).map(({ status, body }) => [status, body]),
      ).toEqual([]);
    },
  };
}

/** Whether the worker at `host` receives requests. */
async function isInUse(host: string): Promise<boolean> {
  const begun = await lastStatement(host);
  await Bun.sleep(1_000);
  return (await lastStatement(host)) !== begun;
}

async function lastStatement(host: string): Promise<string> {
  const [row] = await sql<{ last: string }[]>`
    select coalesce(max(query_start)::text, '') as last from pg_stat_activity
     where application_name = ${host} and query like '%ledger.write_%'`;
  return row?.last ?? '';
}

const areInUse = async (hosts: readonly string[]) => (await Promise.all(hosts.map(isInUse))).every(Boolean);

test('a new worker behind the name gets requests within seconds, while the others still run', async () => {
  const load = beginLoad(await TestAccount.create());
  await until('requests at the first', () => isInUse(HOSTS[0]));
  await start(HOSTS[1]);
  dns.addresses = HOSTS.slice(0, 2);
  await until('requests at both', () => areInUse(HOSTS.slice(0, 2)), REBALANCED_MS_MAX);
  await load.stop();
});

test('a running worker that is removed from the name gets no more requests, and can then be stopped', async () => {
  const load = beginLoad(await TestAccount.create());
  await until('requests at both', () => areInUse(HOSTS.slice(0, 2)), REBALANCED_MS_MAX);
  dns.addresses = [HOSTS[1]];
  await until('no requests at the first', async () => !(await isInUse(HOSTS[0])), REBALANCED_MS_MAX);
  await workers.get(HOSTS[0])?.stop();
  await load.stop();
});

test('a worker is killed and another one starts at another address: no request fails', async () => {
  await start(HOSTS[2]);
  dns.addresses = HOSTS.slice(1);
  const load = beginLoad(await TestAccount.create());
  await until('requests at both', () => areInUse(HOSTS.slice(1)), REBALANCED_MS_MAX);
  const killed = workers.get(HOSTS[1]) as Worker;
  process.kill(killed.pid, 'SIGKILL');
  await killed.died;
  dns.addresses = [HOSTS[2], HOSTS[0]];
  await start(HOSTS[0]);
  await until('requests at the new one', () => areInUse([HOSTS[2], HOSTS[0]]), REBALANCED_MS_MAX);
  await load.stop();
});
