/** Workers behind one DNS name: under load the gateway finds new ones and leaves removed ones. */
import { afterAll, beforeAll, setDefaultTimeout, test } from 'bun:test';
import { type Gateway, startGateway } from '../../local/servers/gateway.ts';
import { startWorker, type Worker } from '../../local/servers/worker.ts';
import { freePort } from '../fixtures/free-port.ts';
import { stopEmpty } from '../fixtures/no-leaks.ts';
import { sql, system } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';
import { type DnsServer, startDnsServer } from './dns-server.ts';
import { beginLoad, expectSuccess } from './shared-limit.ts';

setDefaultTimeout(120_000);

// Twice the maximum age of a connection, plus a margin for a loaded machine.
const REBALANCED_MS_MAX = 60_000;

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
  await Promise.all([start(HOSTS[0]), start(HOSTS[1])]);
  dns = await startDnsServer([HOSTS[0], HOSTS[1]]);
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

/** The ms since the worker at `host` last began a write; Infinity if it has no connection or has begun none. */
async function sinceLastWriteMs(host: string): Promise<number> {
  const [row] = await sql<{ ms: number | null }[]>`
    select extract(epoch from clock_timestamp() - max(query_start))::float8 * 1000 as ms from pg_stat_activity
     where application_name = ${host} and query like '%ledger.write_%'`;
  return row?.ms ?? Number.POSITIVE_INFINITY;
}

/** Resolves once each has begun a write since the call. */
function untilInUse(...hosts: string[]): Promise<void> {
  const begun = performance.now();
  const areInUse = async () => {
    const ages = await Promise.all(hosts.map(sinceLastWriteMs));
    return ages.every((ms) => ms < performance.now() - begun);
  };
  return until(`requests at ${hosts}`, areInUse, REBALANCED_MS_MAX);
}

test('a new worker behind the name gets requests within seconds, and a removed one no more: it can then be stopped', async () => {
  const load = beginLoad({ urls: [gateway.url] });
  await untilInUse(HOSTS[0], HOSTS[1]);
  await start(HOSTS[2]);
  dns.addresses = [HOSTS[1], HOSTS[2]];
  await untilInUse(HOSTS[1], HOSTS[2]);
  const isUnused = async () => (await sinceLastWriteMs(HOSTS[0])) > 1_000;
  await until('no requests at the first', isUnused, REBALANCED_MS_MAX);
  await workers.get(HOSTS[0])?.stop();
  expectSuccess(await load.stop());
});
