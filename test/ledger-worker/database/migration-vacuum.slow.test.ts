/** A migration where autovacuum is at work: Postgres ends that for it, but only after a while. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sql } from '../../../ledger-worker/database/connection.ts';
import { migrate } from '../../../ledger-worker/database/migrate.ts';
import { type Postgres, startPostgres } from '../../../local/servers/postgres.ts';
import { openOne } from '../../fixtures/database.ts';
import { copySchema, makeNewer } from '../../fixtures/newer-schema.ts';
import { until } from '../../fixtures/until.ts';

// Without it the migration gives up after two minutes.
setDefaultTimeout(60_000);

const directory = mkdtempSync(join(tmpdir(), 'ledger-vacuum-'));
const newer = copySchema();
let postgres: Postgres;
let sql: Sql;

beforeAll(async () => {
  postgres = await startPostgres({
    dataDir: join(directory, 'postgres'),
    logFile: join(directory, 'postgres.log'),
    settings: {
      fsync: 'off',
      autovacuum_naptime: '1s',
      // A page in 100 ms: it takes minutes for what follows.
      autovacuum_vacuum_cost_delay: '100ms',
      autovacuum_vacuum_cost_limit: '1',
    },
  });
  sql = openOne(postgres.url);
});
afterAll(async () => {
  await sql.end();
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
  newer.remove();
});

test('a migration does not give way to autovacuum until its end', async () => {
  await migrate(sql);
  await sql`
    insert into ledger.account (account_id, plan) select gen_random_uuid(), 'pro' from generate_series(1, 50000)`;
  await until(
    'autovacuum is at work',
    async () => {
      const held = await sql`
        select from pg_locks
         where relation = 'ledger.account'::regclass and mode = 'ShareUpdateExclusiveLock' and granted`;
      return held.length > 0;
    },
    30_000,
  );
  makeNewer(newer.folder);
  await migrate(sql, newer.folder);
  expect(await sql`select from ledger.migration where name = 'source_written_at'`).toHaveLength(1);
});
