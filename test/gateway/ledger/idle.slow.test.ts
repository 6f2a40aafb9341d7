/** After a time without requests, the next request finds a worker that responds. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { startWorker } from '../../../local/servers/worker.ts';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { scrape } from '../../fixtures/metrics.ts';
import { startOwnGateway } from '../../fixtures/own-services.ts';
import { system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const { databaseUrl } = system;
const workers = [await startWorker({ databaseUrl }), await startWorker({ databaseUrl })] as const;
const gateway = await startOwnGateway({ workerAddress: `ipv4:${workers.map(({ address }) => address)}` });
afterAll(async () => {
  for (const worker of workers) await worker.stop();
});
const account = await TestAccount.create();

/** Which of the workers the gateway is connected to. */
function connected() {
  const sockets = readFileSync('/proc/net/tcp', 'utf8');
  const hex = (address: string) => Number(address.split(':')[1]).toString(16).toUpperCase().padStart(4, '0');
  return workers.filter(({ address }) => sockets.includes(` 0100007F:${hex(address)} 01 `));
}

/** A write in a stream of its own. */
async function write(): Promise<void> {
  expect((await account.post(entry(), { url: gateway.url })).status).toBe(201);
  const streams = async () =>
    (await scrape(gateway.metricsAddress)).value('ledger_in_flight', { kind: 'streams' });
  await until('the stream has ended', async () => (await streams()) === 0);
}

async function attempts() {
  const metrics = await scrape(gateway.metricsAddress);
  const name = 'grpc_client_handling_seconds_count';
  return { all: metrics.sum(name), succeeded: metrics.sum(name, { grpc_code: 'OK' }) };
}

test('a worker that froze while the gateway was idle gets none of the next requests', async () => {
  await until('both workers are connected', async () => {
    await write();
    return connected().length === 2;
  });
  await until('the gateway has ended its connections', () => connected().length === 0, 40_000);
  const before = await attempts();
  process.kill(workers[0].pid, 'SIGSTOP');
  try {
    for (let n = 0; n < 6; n++) await write();
  } finally {
    process.kill(workers[0].pid, 'SIGCONT');
  }
  const after = await attempts();
  expect(after.all - before.all).toBe(after.succeeded - before.succeeded);
});
