/** The worker's health follows its database, and the gateway's readiness follows the worker. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Gateway, startGateway } from '../../../local/servers/gateway.ts';
import { type Postgres, startPostgres } from '../../../local/servers/postgres.ts';
import { startWorker, type Worker } from '../../../local/servers/worker.ts';
import { createLedgerClient } from '../../../proto/client.ts';
import { send } from '../../fixtures/client.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { until } from '../../fixtures/until.ts';

const HEALTHCHECK = join(import.meta.dir, '../../../ledger-worker/healthcheck.ts');

const directory = mkdtempSync(join(tmpdir(), 'ledger-health-'));
let postgres: Postgres;
let worker: Worker;
let gateway: Gateway;
beforeAll(async () => {
  postgres = await startPostgres({ dataDir: join(directory, 'postgres'), settings: { fsync: 'off' } });
  worker = await startWorker({ databaseUrl: postgres.url });
  gateway = await startGateway({ workerAddress: worker.address });
}, 60_000);
afterAll(async () => {
  await gateway.stop();
  await worker.stop();
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
});

test('while the database is hung the worker does not serve, and neither gateway nor containers are ready', async () => {
  const client = createLedgerClient(worker.address, {});
  const health = () => client.checkHealth('ledger.v1.Ledger', { deadline: Date.now() + 20_000 });
  const readiness = async () => (await send('/readyz', { url: gateway.url })).status;
  // Containers run it.
  const healthcheck = (address = worker.address) =>
    Bun.spawn([process.execPath, HEALTHCHECK], {
      env: { PATH: process.env.PATH, DATABASE_URL: postgres.url, LISTEN_ADDRESS: address },
      stderr: 'ignore',
    }).exited;
  expect([await health(), await readiness(), await healthcheck()]).toEqual(['SERVING', 200, 0]);
  expect(await healthcheck(`127.0.0.1:${freePort()}`)).toBe(1);

  const server = processesOf(postgres.pid);
  for (const pid of server) process.kill(pid, 'SIGSTOP');
  try {
    await until('the worker reports it', async () => (await health()) === 'NOT_SERVING');
    expect([await readiness(), await healthcheck()]).toEqual([503, 1]);
  } finally {
    for (const pid of server) process.kill(pid, 'SIGCONT');
  }
  await until('the worker serves again', async () => (await health()) === 'SERVING');
  expect([await readiness(), await healthcheck()]).toEqual([200, 0]);
  client.close();
}, 60_000);

/** The server and every process that it has forked. */
function processesOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.trim().split(' ').map(Number)];
}
