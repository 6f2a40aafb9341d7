/** Settings with which both processes start, and that their logs explain. */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { spawnChild } from '../local/processes/child.ts';
import { startGateway } from '../local/servers/gateway.ts';
import { startWorker } from '../local/servers/worker.ts';
import { createAdminClient } from '../proto/admin-client.ts';
import { copyCheckout, runToEnd, temporaryDirectory } from './fixtures/checkout.ts';
import { send } from './fixtures/client.ts';
import { system } from './fixtures/system.ts';
import { until } from './fixtures/until.ts';

setDefaultTimeout(60_000);

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const newLog = () => join(temporaryDirectory(), 'log');
const textOf = (logFile: string) => Bun.file(logFile).text();

test('a worker warns of a pool that the server does not accept', async () => {
  const logFile = newLog();
  const worker = await startWorker({
    databaseUrl: system.databaseUrl,
    env: { DATABASE_POOL_MAX: '5000' },
    logFile,
  });
  undo.push(worker.stop);
  expect(await textOf(logFile)).toContain(
    'fewer connections than DATABASE_POOL_MAX: lower it or raise max_connections',
  );
});

test('a gateway with another KEY_PREFIX than the worker is not ready, and names the variable', async () => {
  const logFile = newLog();
  const { workerAddress } = system;
  const gateway = await startGateway({
    workerAddress,
    env: { KEY_PREFIX: 'other' },
    readyStatus: 503,
    logFile,
  });
  undo.push(gateway.stop);
  await until('the log names it', async () =>
    (await textOf(logFile)).includes('KEY_PREFIX is other here and ledger at the worker'),
  );
  expect((await send('/readyz', { url: gateway.url })).status).toBe(503);
});

test('a gateway warns at its start that the page of the documentation is not built', async () => {
  const directory = temporaryDirectory();
  copyCheckout(directory);
  const command = [process.execPath, join(directory, 'gateway/main.ts')];
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    HOST: '127.0.0.1',
    LEDGER_WORKER_ADDRESS: system.workerAddress,
    SHUTDOWN_DELAY_MS: '0',
  };
  const gateway = spawnChild({ name: 'gateway', command, env });
  undo.push(() => gateway.stop());
  await gateway.line((line) => line.includes('bun gateway/docs-page/build.ts') || undefined);
});

test('without $USER the action log has the id of the user', async () => {
  const command = [process.execPath, 'admin/main.ts', 'account', 'create', '--plan', 'pro', '--json'];
  const env = { PATH: process.env.PATH, LEDGER_ADMIN_ADDRESS: system.adminAddress };
  const { exitCode, out } = await runToEnd(command, { env });
  expect(exitCode).toBe(0);
  const admin = createAdminClient(system.adminAddress);
  undo.push(() => admin.close());
  const { actions } = await admin.listActions({ accountId: JSON.parse(out).accountId, limit: 1 });
  expect(actions[0]?.actor).toStartWith(`uid ${process.getuid?.()}@`);
});
