/** The log has one line for each request: enough to find it, and no content of clients. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { read } from '../../fixtures/checkout.ts';
import { entry, type Json, send, TestAccount } from '../../fixtures/client.ts';
import { statuses } from '../../fixtures/endpoints.ts';
import { secondGateway } from '../../fixtures/second-gateway.ts';
import { logsDir, system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const logFile = join(logsDir, 'gateway.log');

const linesOf = (requestId: string): Json[] =>
  readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => line.includes(`"${requestId}"`))
    .map((line) => JSON.parse(line));

/** The fields that the operator's guide explains. */
const EXPLAINED = [
  ...(read('docs/operations.md')
    .split('### The log')[1]
    ?.split('## ')[0]
    ?.matchAll(/`(\w+)`/g) ?? []),
].map(([, field]) => field);

/** The line of the request with this id. */
async function lineOf({ headers }: { headers: Headers }): Promise<Json> {
  const requestId = headers.get('x-request-id') ?? '';
  await until(`the line of ${requestId}`, () => linesOf(requestId).length > 0);
  const lines = linesOf(requestId);
  expect(lines).toHaveLength(1);
  return lines[0];
}

test('a log line names the request, its account, its route and its outcome', async () => {
  const account = await TestAccount.create();
  const created = await lineOf(await account.post(entry()));
  expect(created).toMatchObject({
    level: 30,
    service: 'gateway',
    msg: 'request',
    method: 'POST',
    route: '/api/v1/sources/:id/transactions',
    status: 201,
    accountId: account.accountId,
  });
  expect(created).not.toHaveProperty('code');
  expect(created.durationMs).toBeGreaterThan(0);
  for (const field of Object.keys(created)) expect([...EXPLAINED, 'level']).toContain(field);

  const refused = await lineOf(await account.post([]));
  expect(refused).toMatchObject({ status: 422, code: 'empty_body', accountId: account.accountId });

  const stranger = await lineOf(await send('/api/v1/me'));
  expect(stranger).toMatchObject({ status: 401, code: 'missing_key', route: '/api/v1/me' });
  expect(stranger).not.toHaveProperty('accountId');

  const lost = await lineOf(await send('/api/v1/nothing?here=1', { method: 'DELETE' }));
  expect(lost).toMatchObject({ status: 404, code: 'not_found', route: 'none', method: 'DELETE' });
});

test('health probes are not logged', async () => {
  const { headers } = await send('/readyz');
  await lineOf(await send('/api/v1/me'));
  expect(linesOf(headers.get('x-request-id') ?? '')).toEqual([]);
});

test.concurrent('a log reader that stops reading delays no request', async () => {
  const path = join(logsDir, 'unread-log');
  Bun.spawnSync(['mkfifo', path]);
  const pipe = await open(path, 'r+');
  const child = Bun.spawn([process.execPath, 'gateway/main.ts'], {
    cwd: join(import.meta.dir, '../../..'),
    stdout: pipe.fd,
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      LEDGER_WORKER_ADDRESS: system.workerAddress,
      REDIS_URL: system.redisUrl,
      SHUTDOWN_DELAY_MS: '0',
    },
  });
  // It reads where the gateway listens, and no further.
  const { buffer, bytesRead } = await pipe.read();
  const { url } = JSON.parse(buffer.toString('utf8', 0, bytesRead).split('\n')[0] ?? '');
  // More lines than a pipe holds.
  for (let n = 0; n < 5; n++) {
    const some = await Promise.all(Array.from({ length: 100 }, () => send('/api/v1/me', { url })));
    expect(statuses(some)).toEqual({ 401: 100 });
  }
  child.kill();
  await child.exited;
  await pipe.close();
  // Whoever reads all logs would wait for a writer.
  rmSync(path);
});

test.concurrent('of a flood of refused requests some have a line, one line counts the others, and a success has its own', async () => {
  const { url, logFile: own } = secondGateway;
  const before = readFileSync(own, 'utf8').length;
  const account = await TestAccount.create('pro', url);
  const FLOOD = 300;
  await Promise.all(Array.from({ length: FLOOD }, () => send('/api/v1/me', { url })));
  const { headers } = await account.get('/api/v1/me');
  const counted = () => {
    const lines: Json[] = readFileSync(own, 'utf8')
      .slice(before)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const refused = lines.filter(({ code }) => code === 'missing_key');
    const others = refused.reduce((sum, { count = 0 }) => sum + count, 0);
    return { lines, own: refused.filter(({ msg }) => msg === 'request').length, others };
  };
  await until('every request is counted', () => counted().own + counted().others === FLOOD);
  expect(counted().own).toBeWithin(20, FLOOD / 2);
  expect(counted().lines.map(({ requestId }) => requestId)).toContain(headers.get('x-request-id'));
});
