/** The preferred connection of a pool: its server process stays in the processor's caches. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import type { Sql } from '../../../ledger-worker/database/connection.ts';
import { openPool } from '../../../ledger-worker/database/pool.ts';
import { system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(30_000);

const url = new URL(system.databaseUrl.split(',')[0] as string).href;
const pool = openPool({ url, poolMax: 4, statementTimeoutMs: 10_000 });
afterAll(() => pool.end());

const { signal } = new AbortController();
const pid = (sql: Sql) => sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
const usedPid = async () => (await pool.run(pid, signal))[0]?.pid as number;

test('statements one after the other use one connection, and concurrent ones the others too', async () => {
  const preferred = await usedPid();
  for (let n = 0; n < 10; n++) expect(await usedPid()).toBe(preferred);
  const slowPid = (sql: Sql) => sql<{ pid: number }[]>`select pg_backend_pid() as pid from pg_sleep(0.1)`;
  const rows = await Promise.all(Array.from({ length: 4 }, () => pool.run(slowPid, signal)));
  expect(new Set(rows.map(([row]) => row?.pid)).size).toBe(4);
  expect(await usedPid()).toBe(preferred);
});

test('a statement that fails gives the preferred connection back', async () => {
  const preferred = await usedPid();
  const failing = pool.run((sql) => sql`select 1 / 0`, signal);
  expect(await failing.catch(({ code }) => code)).toBe('22012');
  await until('it is preferred again', async () => (await usedPid()) === preferred);
  expect(pool.usage()).toEqual({ busy: 0, waiting: 0, preferred: 0 });
});
