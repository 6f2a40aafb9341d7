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
