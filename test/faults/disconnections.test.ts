/**
 * Connections of each kind are lost at random moments under load. No process ends, and no acknowledged entry is lost. More of them:
 *
 *   DISCONNECTIONS=200 bun test --path-ignore-patterns none test/faults/disconnections.test.ts
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Gateway, startGateway } from '../../local/servers/gateway.ts';
import { type Redis, startRedis } from '../../local/servers/redis.ts';
import { startWorker, type Worker } from '../../local/servers/worker.ts';
import { createAdminClient } from '../../proto/client.ts';
import { rowsOf } from '../fixtures/books.ts';
import { entry, TestAccount } from '../fixtures/client.ts';
import { system } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';
import { startCollector } from '../platform/traces/collector.ts';
import { type Cluster, startRedisCluster } from '../scale/redis-cluster.ts';
import { command, PASSWORD, type Server, startDataServer, startSentinel } from '../scale/redis-servers.ts';
import { type Link, startProxy, type Target } from './proxy.ts';
import { random } from './random.ts';

const DISCONNECTIONS = Number(process.env.DISCONNECTIONS ?? 10);
const CLIENTS = 4;
setDefaultTimeout(60_000 + DISCONNECTIONS * 1_000);

const chance = random('disconnections');
const MASTER = 'limits';

/** The ways to servers. */
const NAMES = [
  ...(['database', 'redis', 'worker', 'admin', 'gateway'] as const),
  ...(['workerMetrics', 'gatewayMetrics', 'collector'] as const),
];
const links = {} as Record<(typeof NAMES)[number], Link>;
const targets = {} as Record<(typeof NAMES)[number], ReturnType<Target>>;
/** Gateways whose Redis is behind no link, by the kind of their Redis. */
const urls = { unixSocket: '', sentinels: '', cluster: '' };
const ended: string[] = [];
const undo: (() => unknown)[] = [];
const redisDirectory = mkdtempSync(join(tmpdir(), 'ledger-redis-socket-'));
let redis: Redis | undefined;
let master: Server;
let sentinels: Server[];
let cluster: Cluster;

const at = (address: string) => {
  const { hostname: host, port } = new URL(`tcp://${address}`);
  return { host, port: Number(port) };
};

function watch<Started extends Worker | Gateway>(service: Started): Started {
  undo.push(service.stop);
  void service.died.then(({ message }) => ended.push(message));
  return service;
}

beforeAll(async () => {
  for (const name of NAMES) {
    links[name] = await startProxy(() => targets[name]);
    undo.push(links[name].close);
  }
  const { host } = Object.fromEntries(new URL(system.databaseUrl).searchParams);
  targets.database = { path: `${host}/.s.PGSQL.5432` };
  targets.redis = { path: system.redisUrl ?? '' };
  const collector = startCollector();
  undo.push(collector.stop);
  targets.collector = at(new URL(collector.url).host);
  const tracing = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${links.collector.port}`,
    OTEL_TRACES_SAMPLER_ARG: '1',
  };
  const worker = watch(
    await startWorker({
      databaseUrl: `postgres://ledger@127.0.0.1:${links.database.port}/ledger`,
      env: { ...tracing, MIGRATE: 'never' },
    }),
  );
  targets.worker = at(worker.address);
  targets.admin = at(worker.adminAddress);
  targets.workerMetrics = at(worker.metricsAddress);
  const workerAddress = `127.0.0.1:${links.worker.port}`;
  const gateway = watch(
    await startGateway({ workerAddress, redisUrl: `redis://127.0.0.1:${links.redis.port}`, env: tracing }),
  );
  targets.gateway = at(new URL(gateway.url).host);
  targets.gatewayMetrics = at(gateway.metricsAddress);

  const start = async (redisUrl: string | undefined, env: Record<string, string> = {}) =>
    watch(await startGateway({ workerAddress, redisUrl, env })).url;
  redis = await startRedis({ directory: redisDirectory });
  undo.push(() => redis?.stop());
  urls.unixSocket = await start(redis?.url);
  master = await startDataServer();
  sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(MASTER, master)));
  for (const server of [master, ...sentinels]) undo.push(server.stop);
  const addresses = sentinels.map(({ port }) => `127.0.0.1:${port}`).join();
  urls.sentinels = await start(undefined, {
    REDIS_SENTINELS: `redis://:${encodeURIComponent(PASSWORD)}@${addresses}`,
    REDIS_SENTINEL_NAME: MASTER,
  });
  cluster = await startRedisCluster();
  undo.push(cluster.stop);
  urls.cluster = await start(undefined, { REDIS_CLUSTER: cluster.seeds });
});

afterAll(async () => {
  for (const step of undo.reverse()) await step();
  rmSync(redisDirectory, { recursive: true, force: true });
});

/** Sends requests until `isStopped`. Adds the references of acknowledged entries to `acknowledged`. */
async function sendRequests(
  account: TestAccount,
  url: string,
  acknowledged: string[],
  isStopped: () => boolean,
): Promise<void> {
  const admin = createAdminClient(`127.0.0.1:${links.admin.port}`);
  const others = [
    () => fetch(`http://127.0.0.1:${links.workerMetrics.port}/metrics`).then((response) => response.text()),
    () => fetch(`http://127.0.0.1:${links.gatewayMetrics.port}/metrics`).then((response) => response.text()),
    () => admin.createKey({ accountId: account.accountId }),
    () => account.request('/api/v1/sources', { url }),
    // The client gives up, so that the worker cancels a statement.
    () => account.request('/api/v1/sources', { url, signal: AbortSignal.timeout(chance.int(1, 10)) }),
  ];
  while (!isStopped()) {
    // Requests fail when their own connection is lost.
    if (chance.chance(0.5))
      await chance
        .pick(others)()
        .catch(() => {});
    const externalRef = Bun.randomUUIDv7();
    const response = await account.post(entry({ externalRef }), { url }).catch(() => undefined);
    if (response?.status === 201) acknowledged.push(externalRef);
    else await Bun.sleep(5);
  }
  admin.close();
}

const lose = (link: keyof typeof links) => async () => {
  await links[link].set({ kind: chance.pick(['cut', 'reset'] as const) });
  await Bun.sleep(chance.int(0, 30));
  await links[link].set({ kind: 'pass' });
};

/** Closes the connections of clients, and of subscribers, which the gateway has to sentinels. */
const kill = async (servers: Server[]) => {
  const server = chance.pick(servers);
  for (const type of ['normal', 'pubsub']) await command(server, 'CLIENT', 'KILL', 'TYPE', type);
};

async function restartRedis() {
  process.kill(redis?.pid as number, 'SIGKILL');
  await redis?.died;
  await Bun.sleep(chance.int(0, 30));
  redis = await startRedis({ directory: redisDirectory });
}

const throughLinks = () => `http://127.0.0.1:${links.gateway.port}`;

test.each<[what: string, url: () => string, disconnect: () => Promise<void>]>([
  ['the worker and Postgres', throughLinks, lose('database')],
  ['the gateway and one Redis', throughLinks, lose('redis')],
  ['the gateway and one Redis on a unix socket', () => urls.unixSocket, restartRedis],
  ['the gateway and the master behind sentinels', () => urls.sentinels, () => kill([master])],
  ['the gateway and its sentinels', () => urls.sentinels, () => kill(sentinels)],
  ['the gateway and a Redis Cluster', () => urls.cluster, () => kill([0, 1, 2].map(cluster.master))],
  ['the gateway and the worker', throughLinks, lose('worker')],
  ['clients and the Admin service', throughLinks, lose('admin')],
  ['clients and the gateway', throughLinks, lose('gateway')],
  ["Prometheus and the worker's metrics", throughLinks, lose('workerMetrics')],
  ["Prometheus and the gateway's metrics", throughLinks, lose('gatewayMetrics')],
  ['both processes and the collector of traces', throughLinks, lose('collector')],
])(
  `${DISCONNECTIONS} disconnections between %s end no process and lose no entry`,
  async (_, urlOf, disconnect) => {
    const url = urlOf();
    const accounts = await Promise.all(Array.from({ length: CLIENTS }, () => TestAccount.create()));
    const acknowledged: string[] = [];
    let isStopped = false;
    const clients = accounts.map((account) => sendRequests(account, url, acknowledged, () => isStopped));
    try {
      for (let n = 0; n < DISCONNECTIONS || acknowledged.length === 0; n++) {
        // A random moment.
        await Bun.sleep(chance.int(0, 50));
        await disconnect();
      }
    } finally {
      isStopped = true;
      await Promise.all(clients);
    }
    expect(ended).toEqual([]);
    // Of an account that is below its limits.
    const other = await TestAccount.create();
    const write = () => other.post(entry(), { url }).catch(() => undefined);
    await until('a write succeeds', async () => (await write())?.status === 201, 60_000);
    const rows = await Promise.all(accounts.map(({ accountId }) => rowsOf(accountId)));
    const stored = new Set(rows.flat().map(({ externalRef }) => externalRef));
    expect(acknowledged.filter((reference) => !stored.has(reference))).toEqual([]);
  },
);
