/** A push of the Python package goes on while a gateway of the real system is killed twice, and stores each entry once. */
import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { type Gateway, startGateway } from '../../../local/servers/gateway.ts';
import { rowsOf } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { PYTHON_ENV } from '../../fixtures/python.ts';
import { system } from '../../fixtures/system.ts';
import { requireProgram } from '../programs.ts';
import { nameless, push } from './rules.ts';

setDefaultTimeout(60_000);
beforeAll(() => requireProgram('python3'));

const ROWS = 1_200;

/**
 * A gateway that is killed twice and started again: when the second request reaches it, and when it responds to the third, which
 * gets lost.
 */
async function interruptedGateway() {
  const port = freePort();
  const start = () => startGateway({ workerAddress: system.workerAddress, redisUrl: system.redisUrl, port });
  let gateway: Gateway | undefined = await start();
  let [requests, kills] = [0, 0];
  const restart = async ({ pid, died }: Gateway) => {
    gateway = undefined;
    kills++;
    process.kill(pid, 'SIGKILL');
    await died;
    gateway = await start();
  };
  // The package opens a connection for each request.
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    const running = gateway;
    const ordinal = running ? ++requests : 0;
    if (running && ordinal === 2) upstream.once('connect', () => restart(running));
    if (running && ordinal === 3) upstream.once('data', () => restart(running));
    for (const socket of [client, upstream]) socket.on('error', () => {}).on('close', () => client.destroy());
    client.pipe(upstream);
    if (ordinal !== 3) upstream.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    kills: () => kills,
    async [Symbol.asyncDispose]() {
      server.close();
      await gateway?.stop();
    },
  };
}

async function python(program: string, env: Record<string, string>, input = '') {
  const child = Bun.spawn(['python3', join(import.meta.dir, program)], {
    env: { PATH: process.env.PATH, ...PYTHON_ENV, ...env },
    stdin: Buffer.from(input),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, out, err };
}

test('1,200 entries with references, by the example of the package, are 1,200 rows', async () => {
  const account = await TestAccount.create();
  await using gateway = await interruptedGateway();
  const env = {
    LEDGER_URL: gateway.url,
    LEDGER_API_KEY: account.key,
    SOURCE: account.sources['uk-property'],
  };
  const { exitCode, out, err } = await python('../../../clients/python/examples/many_entries.py', env);
  expect([exitCode, err]).toEqual([0, '']);
  expect(out).toMatch(/^\d+ created, \d+ already in the books\n$/);
  expect(gateway.kills()).toBe(2);
  expect(await rowsOf(account.accountId)).toHaveLength(ROWS);
});

test('1,200 entries without references, by the keys of their requests, are 1,200 rows', async () => {
  const account = await TestAccount.create();
  await using gateway = await interruptedGateway();
  const call = { ...push(nameless(ROWS)), source: account.sources['uk-property'] };
  const connection = { url: gateway.url, apiKey: account.key, retryTimeoutMs: 30_000 };
  const { exitCode, out } = await python('driver.py', {}, JSON.stringify({ ...connection, ...call }));
  expect([exitCode, JSON.parse(out).push.created]).toEqual([0, ROWS]);
  expect(gateway.kills()).toBe(2);
  const rows = await rowsOf(account.accountId);
  expect(new Set(rows.map(({ amountPence }) => amountPence)).size).toBe(ROWS);
  expect(rows).toHaveLength(ROWS);
});
