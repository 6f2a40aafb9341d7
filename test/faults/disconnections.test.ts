/**
 * Connections of each kind are lost at random moments under load. No process ends, and no acknowledged entry is lost. More of them:
 *
 *   DISCONNECTIONS=200 bun test --path-ignore-patterns none test/faults/disconnections.test.ts
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { type Gateway, startGateway } from '../../local/servers/gateway.ts';
import { startWorker, type Worker } from '../../local/servers/worker.ts';
import { type AdminClient, createAdminClient } from '../../proto/admin-client.ts';
import { rowsOf } from '../fixtures/books.ts';
import { entry, TestAccount } from '../fixtures/client.ts';
import { keepDoing } from '../fixtures/keep-doing.ts';
import { system } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';
import { startCollector } from '../platform/traces/collector.ts';
import { type Link, startProxy, type Target, targetOf } from './proxy.ts';
import { random } from './random.ts';

const DISCONNECTIONS = Number(process.env.DISCONNECTIONS ?? 10);
const CLIENTS = 4;
setDefaultTimeout(120_000 + DISCONNECTIONS * 1_000);

const chance = random('disconnections');

/** The ways to servers. */
const NAMES = [
  ...(['database', 'redis', 'worker', 'admin', 'gateway'] as const),
  ...(['workerMetrics', 'gatewayMetrics', 'collector'] as const),
];
const links = {} as Record<(typeof NAMES)[number], Link>;
const targets = {} as Record<(typeof NAMES)[number], ReturnType<Target>>;
const ended: string[] = [];
const undo: (() => unknown)[] = [];

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
  targets.collector = targetOf(new URL(collector.url).host);
  const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${links.collector.port}`;
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG: '1' };
  const databaseUrl = `postgres://ledger@127.0.0.1:${links.database.port}/ledger`;
  const worker = watch(await startWorker({ databaseUrl, env: { ...tracing, MIGRATE: 'never' } }));
  targets.worker = targetOf(worker.address);
  targets.admin = targetOf(worker.adminAddress);
  targets.workerMetrics = targetOf(worker.metricsAddress);
  const workerAddress = `127.0.0.1:${links.worker.port}`;
  const redisUrl = `redis://127.0.0.1:${links.redis.port}`;
  const gateway = watch(await startGateway({ workerAddress, redisUrl, env: tracing }));
  targets.gateway = targetOf(new URL(gateway.url).host);
  targets.gatewayMetrics = targetOf(gateway.metricsAddress);
});
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

/** Sends requests. Adds the references of acknowledged entries to `acknowledged`. */
function requestsOf(account: TestAccount, admin: AdminClient, url: string, acknowledged: string[]) {
  const others = [
    () => fetch(`http://127.0.0.1:${links.workerMetrics.port}/metrics`).then((response) => response.text()),
    () => fetch(`http://127.0.0.1:${links.gatewayMetrics.port}/metrics`).then((response) => response.text()),
    () => admin.createKey({ accountId: account.accountId }),
    () => account.request('/api/v1/sources', { url }),
    // The client gives up, so that the worker cancels a statement.
    () => account.request('/api/v1/sources', { url, signal: AbortSignal.timeout(chance.int(1, 10)) }),
  ];
  return async () => {
    // Requests fail when their own connection is lost.
    const other = chance.pick(others);
    if (chance.chance(0.5)) await other().catch(() => {});
    const externalRef = Bun.randomUUIDv7();
    const response = await account.post(entry({ externalRef }), { url }).catch(() => undefined);
    const isStored = response?.status === 201;
    if (isStored) acknowledged.push(externalRef);
    else await Bun.sleep(5);
    return isStored;
  };
}

test.each<[what: string, link: keyof typeof links]>([
  ['the worker and Postgres', 'database'],
  ['the gateway and Redis', 'redis'],
  ['the gateway and the worker', 'worker'],
  ['clients and the Admin service', 'admin'],
  ['clients and the gateway', 'gateway'],
  ["Prometheus and the worker's metrics", 'workerMetrics'],
  ["Prometheus and the gateway's metrics", 'gatewayMetrics'],
  ['both processes and the collector of traces', 'collector'],
])(`${DISCONNECTIONS} disconnections between %s end no process and lose no entry`, async (_, name) => {
  const [link, url] = [links[name], `http://127.0.0.1:${links.gateway.port}`];
  const accounts = await Promise.all(Array.from({ length: CLIENTS }, () => TestAccount.create()));
  const acknowledged: string[] = [];
  const admins = accounts.map(() => createAdminClient(`127.0.0.1:${links.admin.port}`));
  const clients = keepDoing(
    accounts.map((account, n) => requestsOf(account, admins[n] as AdminClient, url, acknowledged)),
  );
  try {
    for (let n = 0; n < DISCONNECTIONS; n++) {
      // A random moment after a success: on a slow machine there would be none between two disconnections.
      await clients.untilMore(1);
      await Bun.sleep(chance.int(0, 50));
      await link.set({ kind: chance.pick(['cut', 'reset'] as const) });
      await Bun.sleep(chance.int(0, 30));
      await link.set({ kind: 'pass' });
    }
  } finally {
    await clients.stop();
    for (const admin of admins) admin.close();
  }
  expect(ended).toEqual([]);
  // Of an account that is below its limits.
  const other = await TestAccount.create();
  const write = () => other.post(entry(), { url }).catch(() => undefined);
  await until('a write succeeds', async () => (await write())?.status === 201, 60_000);
  const rows = await Promise.all(accounts.map(({ accountId }) => rowsOf(accountId)));
  const stored = new Set(rows.flat().map(({ externalRef }) => externalRef));
  expect(acknowledged.filter((reference) => !stored.has(reference))).toEqual([]);
});
