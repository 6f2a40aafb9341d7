/** Without requests gateway and worker sleep, and the next request finds the workers that then respond. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { startWorker } from '../../../local/servers/worker.ts';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { scrape } from '../../fixtures/metrics.ts';
import { startOwnGateway } from '../../fixtures/own-services.ts';
import { system } from '../../fixtures/system.ts';
import { startTcpServer } from '../../fixtures/tcp-server.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const MEASURED_MS = 5_000;

const { databaseUrl } = system;
const workers = [await startWorker({ databaseUrl }), await startWorker({ databaseUrl })] as const;
const proxies = await Promise.all(workers.map(({ address }) => startCountingProxy(address)));
const workerAddress = `ipv4:${proxies.map(({ address }) => address)}`;
const gateway = await startOwnGateway({ workerAddress });
afterAll(async () => {
  for (const worker of workers) await worker.stop();
  for (const proxy of proxies) proxy.close();
});

const account = await TestAccount.create();
const open = () => proxies.map((proxy) => proxy.open);

async function write(): Promise<void> {
  expect((await account.post(entry(), { url: gateway.url })).status).toBe(201);
}

test('they hardly wake, and the gateway does not reconnect', async () => {
  await until('both workers are connected', async () => {
    await write();
    return open().every((count) => count > 0);
  });
  await until('the gateway has ended its connections', () => open().every((count) => count === 0), 40_000);
  const pids = [gateway.pid, ...workers.map(({ pid }) => pid)];
  const [opened, before] = [proxies.map((proxy) => proxy.opened), pids.map(sleeps)];
  await Bun.sleep(MEASURED_MS);
  const perSecond = pids.map((pid, n) => (sleeps(pid) - (before[n] ?? 0)) / (MEASURED_MS / 1_000));
  expect(proxies.map((proxy) => proxy.opened)).toEqual(opened);
  expect(open()).toEqual([0, 0]);
  // Each samples the lag of its event loop once a second. A worker also checks its database every second, and retention every 5 s.
  // Not a matter of speed: a slow machine wakes them no more often.
  expect(perSecond[0]).toBeLessThan(6);
  for (const each of perSecond.slice(1)) expect(each).toBeLessThan(12);
});

test('a worker that froze in the meantime does not delay the next requests', async () => {
  const attempts = async () => {
    const metrics = await scrape(gateway.metricsAddress);
    const name = 'grpc_client_handling_seconds_count';
    return { all: metrics.sum(name), succeeded: metrics.sum(name, { grpc_code: 'OK' }) };
  };
  const before = await attempts();
  const [frozen] = workers;
  process.kill(frozen.pid, 'SIGSTOP');
  try {
    for (let n = 0; n < 6; n++) {
      await write();
      // The next request is in a call of its own.
      await until('the call has ended', async () => (await calls()) === 0);
    }
  } finally {
    process.kill(frozen.pid, 'SIGCONT');
  }
  const after = await attempts();
  // An attempt at the frozen worker would have failed.
  expect(after.all - before.all).toBe(after.succeeded - before.succeeded);
});

const calls = async () => (await scrape(gateway.metricsAddress)).value('ledger_held', { kind: 'streams' });

/** How often the main thread of a process has gone to sleep. */
function sleeps(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1]);
}

async function startCountingProxy(address: string) {
  const [host, port] = address.split(':') as [string, string];
  const counts = { opened: 0, open: 0 };
  const server = await startTcpServer((client) => {
    counts.opened++;
    counts.open++;
    const worker = connect({ host, port: Number(port) });
    client.on('close', () => {
      counts.open--;
      worker.destroy();
    });
    worker.on('error', () => client.destroy());
    worker.on('close', () => client.destroy());
    client.pipe(worker).pipe(client);
  });
  return Object.assign(counts, server);
}
