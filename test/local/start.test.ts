/** `bun run start` starts the whole system, and one signal stops it. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../../local/servers/postgres.ts';
import { isWellFormedApiKey } from '../../proto/api-key.ts';
import { SOURCE_TYPES } from '../../proto/domain.ts';
import { ROOT, temporaryDirectory } from '../fixtures/checkout.ts';
import { send } from '../fixtures/client.ts';
import { execute } from '../fixtures/database.ts';
import { runExample } from '../fixtures/examples.ts';
import { until } from '../fixtures/until.ts';
import { cleanUp, newCheckout, processesNaming, type Ready, Run, stillRunning } from './started.ts';

// Each test starts processes of its own, which takes long on a loaded machine.
setDefaultTimeout(60_000);

afterAll(cleanUp);

const get = ({ url, apiKey }: Ready, path: string) =>
  send(path, { url, headers: { authorization: `Bearer ${apiKey}` } });

/** Expects that every process of `run` has ended and that its ready file is removed. */
async function expectEnded(run: Run, pids: Iterable<number>): Promise<void> {
  await until('the end of every process', () => stillRunning(pids).length === 0);
  expect(processesNaming(run.dataDir)).toEqual([]);
  expect(existsSync(run.readyFile)).toBe(false);
}

const dataDir = temporaryDirectory();
const first = new Run(dataDir);
const ready = await first.ready();
// Sent as soon as the ready file exists.
const me = await get(ready, '/api/v1/me');

describe('a start', () => {
  test('writes the ready file once everything serves, readable for its owner alone', () => {
    expect([me.status, me.body.accountId, me.body.plan]).toEqual([200, ready.accountId, 'pro']);
    expect(ready).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      apiKey: expect.any(String),
      accountId: me.body.accountId,
      workerAddress: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      adminAddress: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    });
    expect(isWellFormedApiKey('ledger', ready.apiKey)).toBe(true);
    expect(statSync(first.readyFile).mode & 0o077).toBe(0);
  });

  test('uses its own Redis and Postgres, and reports no degraded part', async () => {
    expect((await get(ready, '/readyz')).body).toEqual({ status: 'ok', worker: 'ok', limits: 'shared' });
    const commands = [...first.processes().values()];
    for (const part of ['local/start.ts', '/redis.sock', 'ledger-worker/main.ts', 'gateway/main.ts']) {
      expect(commands.filter((command) => command.includes(part))).toHaveLength(1);
    }
    expect(commands.join('\n')).toContain(join(dataDir, 'postgres'));
  });

  test('creates a demo account with one empty source of each type', async () => {
    const { body } = await get(ready, '/api/v1/sources');
    const types: string[] = body.sources.map(({ type }: { type: string }) => type);
    expect(types.sort()).toEqual([...SOURCE_TYPES].sort());
    for (const { transactionCount } of body.sources) expect(transactionCount).toBe(0);
  });

  test('prints its address, key and docs page, and commands that work when pasted', async () => {
    await until('the banner', () => first.out.includes('Ctrl-C'));
    const { out } = first;
    for (const text of [`${ready.url}/api/v1`, `${ready.url}/api/v1/docs`, ready.apiKey, dataDir]) {
      expect(out).toContain(text);
    }
    const curls = out.split('\n').filter((line) => line.startsWith('curl '));
    expect(curls).toHaveLength(2);
    const [record = '', readBack = ''] = curls;
    expect(await pasted(record)).toMatchObject({ created: 1, deduplicated: 0 });
    expect(await pasted(record)).toMatchObject({ created: 0, deduplicated: 1 });
    expect((await pasted(readBack)).transactions).toMatchObject([
      { category: 'periodAmount', amountPence: 95000 },
    ]);

    const exports = out.split('\n').filter((line) => line.startsWith('export '));
    expect(exports).toEqual([`export LEDGER_URL=${ready.url}`, `export LEDGER_API_KEY=${ready.apiKey}`]);
    const whoami = `cd '${ROOT}'; '${process.execPath}' run ledger whoami --json`;
    expect((await pasted([...exports, whoami].join('\n'))).accountId).toBe(ready.accountId);
  });

  test('on a new checkout installs its packages, and serves beside another start, each with its own books; a SIGKILL ends all of its processes', async () => {
    const second = new Run(temporaryDirectory(), ['--port', '0'], newCheckout());
    const other = await second.ready();
    expect(second.out).toContain('Installing packages');
    expect(other.url).not.toBe(ready.url);
    expect((await get(other, '/api/v1/me')).body.accountId).toBe(other.accountId);
    expect((await get(ready, '/api/v1/me')).body.accountId).toBe(ready.accountId);
    expect((await get({ ...other, apiKey: ready.apiKey }, '/api/v1/me')).body.error.code).toBe('invalid_key');

    const pids = [...second.processes().keys()];
    process.kill(second.pidOf('local/start.ts'), 'SIGKILL');
    await second.ended();
    await until('the end of every process', () => stillRunning(pids).length === 0);
    expect((await get(ready, '/api/v1/me')).status).toBe(200);
  });

  test('fails with one sentence while its data directory is in use', async () => {
    const another = new Run(dataDir);
    expect(await another.ended()).toBe(1);
    expect(another.err).toMatch(/^[^\n]+\.\n$/);
    expect(another.err).toContain(dataDir);
    // The running start still serves and keeps its ready file.
    expect(JSON.parse(readFileSync(first.readyFile, 'utf8'))).toEqual(ready);
    expect((await get(ready, '/api/v1/me')).status).toBe(200);
  });

  test('on a database of an earlier version fails, and says how to begin with an empty one', async () => {
    const earlier = temporaryDirectory();
    const postgres = await startPostgres({ dataDir: join(earlier, 'postgres') });
    await execute(
      postgres.url,
      `create schema ledger;
       create table ledger.migration (version integer, name text);
       insert into ledger.migration values (1, 'ledger');`,
    );
    await postgres.stop();
    const run = new Run(earlier);
    expect(await run.ended()).toBe(1);
    expect(run.err).toContain('it has migration 1 as \\"ledger\\"');
    expect(run.err).toContain(
      `To begin with an empty database, remove the folder ${earlier}/postgres and start again.`,
    );
    rmSync(join(earlier, 'postgres'), { recursive: true });
    const again = new Run(earlier);
    await again.ready();
    expect(await again.stop()).toBe(0);
  });

  test('fails with one sentence while its port is in use, and leaves no process running and no ready file of an earlier start', async () => {
    const { port } = new URL(ready.url);
    const directory = temporaryDirectory();
    // As a start leaves it that was killed.
    writeFileSync(join(directory, 'ready.json'), JSON.stringify(ready));
    const another = new Run(directory, ['--port', port]);
    expect(await another.ended()).toBe(1);
    expect(another.out + another.err).toMatch(/^[^\n]+\.\n$/);
    expect(another.err).toContain(port);
    await expectEnded(another, []);
  });

  test('with options that there are not exits with 2 and one sentence that names them', async () => {
    const bad = [['--nonsense'], ['--port'], ['--port', 'http'], ['--port', '65536'], ['extra']];
    const runs = bad.map((options) => new Run(temporaryDirectory(), options));
    expect(await Promise.all(runs.map((run) => run.ended()))).toEqual(bad.map(() => 2));
    for (const [n, { out, err }] of runs.entries()) {
      expect(out).toBe('');
      expect(err).toMatch(/^[^\n]+\.\n$/);
      expect(err).toContain(bad[n]?.[0] ?? '');
    }
  });

  test('--help names every option and exits with 0', async () => {
    const run = new Run(temporaryDirectory(), ['--help']);
    expect(await run.ended()).toBe(0);
    for (const option of ['--port', '--data', '--ready-file', 'DATABASE_URL', 'REDIS_URL']) {
      expect(run.out).toContain(option);
    }
    await expectEnded(run, []);
  });
});

// In this order: each start uses the data of the one before it.
describe('a stop', () => {
  test('by SIGTERM ends every process and removes the ready file', async () => {
    const pids = [...first.processes().keys()];
    expect(pids.length).toBeGreaterThan(5);
    expect(await first.stop()).toBe(0);
    await expectEnded(first, pids);
    expect(first.err).toBe('');
  });

  test.each([
    ['ledger worker', 'ledger-worker/main.ts', '"msg":"listening"'],
    ['gateway', 'gateway/main.ts', '"msg":"listening"'],
    ['redis', '/redis.sock', ''],
    ['postgres', join(dataDir, 'postgres'), ''],
  ])(
    'keeps account, key, sources and entries for the next start; when its %s dies, all stops with exit code 1 and its last lines',
    async (name, part, line) => {
      const run = new Run(dataDir);
      const again = await run.ready();
      expectSame(again);
      const { sources } = (await get(again, '/api/v1/sources')).body;
      expect(
        sources.map(({ transactionCount }: { transactionCount: number }) => transactionCount).sort(),
      ).toEqual([0, 0, 1]);
      const pids = [...run.processes().keys()];
      process.kill(run.pidOf(part), 'SIGKILL');

      expect(await run.ended()).toBe(1);
      await expectEnded(run, pids);
      expect(run.err.toLowerCase()).toMatch(
        new RegExp(`${name}.* was ended by sigkill\\. its last lines:\\n`),
      );
      expect(run.err).toContain(line);
    },
  );
});

function expectSame({ apiKey, accountId }: Ready): void {
  expect({ apiKey, accountId }).toEqual({ apiKey: ready.apiKey, accountId: ready.accountId });
}

/** What a line prints in a shell. */
const pasted = async (line: string) => JSON.parse(await runExample('sh', line, {}));
