/** A pool of connections, on the real database: statements that wait for a connection, and their cancellation. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { Pool } from '../../../ledger-worker/database/pool.ts';
import { openOne } from '../../fixtures/database.ts';
import { system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const url = system.databaseUrl.split(',')[0] as string;
// Of this test alone.
const LOCK = 61_061;

test('a statement that is cancelled while it waits for a connection is never sent, and those behind it are', async () => {
  const pool = new Pool({ url, poolMax: 1, statementTimeoutMs: 50_000 });
  const locks = openOne(url);
  const sent: string[] = [];
  const run = (name: string, key: number, signal = new AbortController().signal) =>
    pool.run((sql) => {
      sent.push(name);
      return sql`select pg_advisory_lock_shared(${key}::integer)`;
    }, signal);
  try {
    await locks`select pg_advisory_lock(${LOCK}::integer)`;
    const first = run('first', LOCK);
    const client = new AbortController();
    const cancelled = run('cancelled', LOCK + 1, client.signal).catch((error) => error);
    const last = run('last', LOCK + 2);
    await until('two statements wait for the connection', () => pool.usage().waiting === 2);
    client.abort();
    expect(await cancelled).toBe(client.signal.reason);
    await locks`select pg_advisory_unlock(${LOCK}::integer)`;
    await Promise.all([first, last]);
    expect(sent).toEqual(['first', 'last']);
    expect(pool.usage()).toEqual({ busy: 0, waiting: 0 });
  } finally {
    await locks.end();
    await pool.end();
  }
});

test('work whose caller has given up while it waited for a connection is never begun', async () => {
  const pool = new Pool({ url, poolMax: 1, statementTimeoutMs: 50_000 });
  const held = Promise.withResolvers<void>();
  try {
    const begun: string[] = [];
    const first = pool.withConnection(() => held.promise);
    const caller = new AbortController();
    const given = pool
      .withConnection(async () => begun.push('given up'), caller.signal)
      .catch((error: unknown) => error);
    const last = pool.withConnection(async () => begun.push('last'));
    caller.abort();
    held.resolve();
    await first;
    expect(await given).toBe(caller.signal.reason);
    await last;
    expect(begun).toEqual(['last']);
    expect(pool.usage()).toEqual({ busy: 0, waiting: 0 });
  } finally {
    await pool.end();
  }
});

test('work of several statements counts as one that runs: others wait for its connection, and a lost one of it ends', async () => {
  const pool = new Pool({ url, poolMax: 1, statementTimeoutMs: 50_000 });
  const held = Promise.withResolvers<void>();
  try {
    const work = pool.withConnection(async (sql) => {
      await sql`select 1`;
      await held.promise;
      return (await sql<{ two: number }[]>`select 2 as two`)[0]?.two;
    });
    const other = pool.run((sql) => sql`select 3 as three`, new AbortController().signal);
    // While something runs, a connection without a response ends.
    await until('the other statement waits', () => Bun.deepEquals(pool.usage(), { busy: 1, waiting: 1 }));
    held.resolve();
    expect(await work).toBe(2);
    expect(await other).toMatchObject([{ three: 3 }]);
    expect(pool.usage()).toEqual({ busy: 0, waiting: 0 });
  } finally {
    await pool.end();
  }
});
