/** A gateway, workers and a schema of contracts that do not serve each other, and the part that each log names as the one to upgrade. */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGateway, startWorker } from '../../local/system.ts';
import { createAdminClient } from '../../proto/admin-client.ts';
import { CONTRACT } from '../../proto/domain.ts';
import { temporaryDirectory } from '../fixtures/checkout.ts';
import { entry, send } from '../fixtures/client.ts';
import { newAccount } from '../fixtures/new-account.ts';
import { raiseVersion } from '../fixtures/newer-schema.ts';
import { createDatabase } from '../fixtures/own-database.ts';
import { system } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';
import { newerVersion } from './earlier-version.ts';

setDefaultTimeout(5 * 60_000);

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** A version of the next contract. @param servesThisOne whether its workers and functions still serve this contract */
const nextContract = (servesThisOne: boolean) =>
  newerVersion((directory) => {
    const file = join(directory, 'proto/domain.ts');
    const number = CONTRACT.number + 1;
    const changed = { number, oldest: servesThisOne ? CONTRACT.oldest : number };
    const text = readFileSync(file, 'utf8');
    const line = /^export const CONTRACT = .*$/m;
    expect(text).toMatch(line);
    writeFileSync(file, text.replace(line, `export const CONTRACT = ${JSON.stringify(changed)};`));
    const generate = [process.execPath, join(directory, 'ledger-worker/sql/generate.ts')];
    expect(Bun.spawnSync(generate).exitCode).toBe(0);
    raiseVersion(join(directory, 'ledger-worker/sql'));
  });

const stopping = async <Started extends { stop(): Promise<void> }>(starting: Promise<Started>) => {
  const started = await starting;
  undo.push(started.stop);
  return started;
};

function newLog() {
  const logFile = join(temporaryDirectory(), 'log');
  writeFileSync(logFile, '');
  return { logFile, text: () => readFileSync(logFile, 'utf8') };
}

test('a gateway of a newer contract is not ready on this worker, and uses only the workers that serve it', async () => {
  const newer = await nextContract(true);
  const { logFile, text } = newLog();
  const gateway = await stopping(
    newer.startGateway({ workerAddress: system.workerAddress, readyStatus: 503, logFile }),
  );
  const sentence = `the worker serves contracts up to ${CONTRACT.number}, not ${CONTRACT.number + 1}: upgrade the worker`;
  await until('the log names the part to upgrade', () => text().includes(sentence));

  const database = await createDatabase();
  undo.push(database.drop);
  const databaseUrl = database.url;
  const [older, other] = await Promise.all([
    stopping(startWorker({ databaseUrl })),
    stopping(newer.startWorker({ databaseUrl })),
  ]);
  const admin = createAdminClient(other.adminAddress);
  const { keys, source } = await newAccount(admin);
  admin.close();
  const workerAddress = `ipv4:${older.address},${other.address}`;
  const [both, olderGateway] = await Promise.all([
    stopping(newer.startGateway({ workerAddress })),
    stopping(startGateway({ workerAddress })),
  ]);
  for (const { url } of [both, olderGateway, both, olderGateway, both, olderGateway]) {
    // Each begins a stream, with the next worker.
    await Bun.sleep(110);
    const headers = { authorization: `Bearer ${keys[0]}` };
    const body = JSON.stringify(entry());
    const path = `/api/v1/sources/${source}/transactions`;
    expect((await send(path, { url, method: 'POST', headers, body })).status).toBe(201);
  }
  expect((await send('/readyz', { url: gateway.url })).status).toBe(503);
});

test('a schema and a worker that no longer serve this contract: worker and gateway of it are not ready', async () => {
  const newer = await nextContract(false);
  const database = await createDatabase();
  undo.push(database.drop);
  const databaseUrl = database.url;
  const ofWorker = newLog();
  const worker = await stopping(startWorker({ databaseUrl, logFile: ofWorker.logFile }));
  const gateway = await stopping(startGateway({ workerAddress: worker.address }));
  const isReady = async (url: string) => (await send('/readyz', { url })).status === 200;
  expect(await isReady(gateway.url)).toBe(true);

  const successor = await stopping(newer.startWorker({ databaseUrl }));
  await until('the earlier worker is not ready', async () => !(await isReady(gateway.url)));
  const upgradeWorker = `the schema serves contracts from ${CONTRACT.number + 1} on, and this worker has ${CONTRACT.number}: upgrade the worker`;
  expect(ofWorker.text()).toContain(upgradeWorker);
  await expect(startWorker({ databaseUrl })).rejects.toThrow(upgradeWorker);

  const ofGateway = newLog();
  await stopping(
    startGateway({ workerAddress: successor.address, readyStatus: 503, logFile: ofGateway.logFile }),
  );
  const upgradeGateway = `the worker serves contracts from ${CONTRACT.number + 1} on, not ${CONTRACT.number}: upgrade the gateway`;
  await until('the log names the part to upgrade', () => ofGateway.text().includes(upgradeGateway));
  await stopping(newer.startGateway({ workerAddress: successor.address }));
});
