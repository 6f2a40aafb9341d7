/** Without requests gateway and worker sleep, and the next request finds the workers that then respond. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { type Gateway, startGateway } from '../../../local/servers/gateway.ts';
import { startWorker, type Worker } from '../../../local/servers/worker.ts';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';
import { startTcpServer, type TcpServer } from '../../fixtures/tcp-server.ts';

setDefaultTimeout(60_000);

// Longer than the 10 s after which a gateway ends its connections.
const IDLE_MS = 22_000;
const MEASURED_MS = 8_000;

const workers: Worker[] = [];
const proxies: (TcpServer & { opened: number; open: number })[] = [];
let account: TestAccount;
let gateway: Gateway;

beforeAll(async () => {
  account = await TestAccount.create();
  for (let n = 0; n < 2; n++) {
    const worker = await startWorker({ databaseUrl: system.databaseUrl });
    workers.push(worker);
    proxies.push(await startCountingProxy(worker.address));
  }
  const addresses = proxies.map(({ address }) => address);
  gateway = await startGateway({ workerAddress: `ipv4:${addresses}`, redisUrl: system.redisUrl });
  for (let n = 0; n < 4; n++) await write();
  expect(proxies.map(({ open }) => open)).toEqual([1, 1]);
  await Bun.sleep(IDLE_MS);
});
afterAll(async () => {
  await gateway?.stop();
  for (const worker of workers) await worker.stop();
  for (const proxy of proxies) proxy.close();
});

test('they hardly wake, and the gateway does not reconnect', async () => {
  const pids = [gateway.pid, ...workers.map(({ pid }) => pid)];
  const [opened, before] = [proxies.map((proxy) => proxy.opened), pids.map(sleeps)];
  await Bun.sleep(MEASURED_MS);
  const perSecond = pids.map((pid, n) => (sleeps(pid) - (before[n] ?? 0)) / (MEASURED_MS / 1_000));
  expect(proxies.map((proxy) => proxy.opened)).toEqual(opened);
  expect(proxies.map(({ open }) => open)).toEqual([0, 0]);
  // Each samples the lag of its event loop once a second. A worker also checks its database every second, and retention every 5 s.
  expect(perSecond[0]).toBeLessThan(6);
  for (const each of perSecond.slice(1)) expect(each).toBeLessThan(12);
});

test('a worker that froze in the meantime does not delay the next requests', async () => {
  const [frozen] = workers as [Worker];
  process.kill(frozen.pid, 'SIGSTOP');
  try {
    for (let n = 0; n < 6; n++) {
      const startedAt = performance.now();
      await write();
      expect(performance.now() - startedAt).toBeLessThan(1_500);
      // The next request is in a call of its own.
      await Bun.sleep(150);
    }
  } finally {
    process.kill(frozen.pid, 'SIGCONT');
  }
});

async function write(): Promise<void> {
  expect((await account.post(entry(), { url: gateway.url })).status).toBe(201);
}

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
