/** `admin verify` finds a byte that the disk has changed in an index. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '../../ledger-worker/database/migrate.ts';
import { type Postgres, startPostgres } from '../../local/servers/postgres.ts';
import { temporaryDirectory } from '../fixtures/checkout.ts';
import { execute, openOne } from '../fixtures/database.ts';
import { run } from './command-line.ts';

setDefaultTimeout(120_000);

const dataDir = join(temporaryDirectory(), 'postgres');

/** Restarts the server, after `change` of its files. */
async function restart(postgres: Postgres, settings: Record<string, string>, change = () => {}) {
  await postgres.stop();
  change();
  return startPostgres({ dataDir, settings });
}

// Once with the server's own checksums of pages, and once as if it had none: then amcheck finds the byte.
test.each([
  ['off', /^the index entry_external_ref is damaged: invalid page in block 1 of relation/],
  ['on', /^the index entry_external_ref is damaged: .*index/],
])('ignore_checksum_failure = %s', async (ignore_checksum_failure, fact) => {
  const settings = { fsync: 'off', ignore_checksum_failure };
  let postgres = await startPostgres({ dataDir, settings });
  const sql = openOne(postgres.url);
  await migrate(sql);
  await sql.unsafe(`
    create extension if not exists amcheck;
    truncate ledger.account, ledger.entry, ledger.write_log cascade;
    insert into ledger.account (account_id, plan) values ('${Bun.randomUUIDv7()}', 'pro');
    insert into ledger.source (account_id, source_id, type, name, role, share_percent, transaction_count)
    select account_id, account_id, 'uk-property', 'Flat', 'owner', 100, 20 from ledger.account;
    insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type, external_ref)
    select account_id, gen_random_uuid(), source_id, '2026-04-06', 1, 'income', 'reference ' || n from ledger.source, generate_series(11, 30) n;
    insert into ledger.write_log (account_id, written_at, created, total) select account_id, now(), 20, 20 from ledger.account`);
  const [row] = await sql<
    [{ path: string }]
  >`select pg_relation_filepath('ledger.entry_external_ref') as path`;
  await sql.end();
  const verify = () => run(['verify', '--json'], undefined, { DATABASE_URL: postgres.url });
  expect((await verify()).exitCode).toBe(0);

  postgres = await restart(postgres, settings, () => {
    const file = join(dataDir, row.path);
    const bytes = readFileSync(file);
    const at = bytes.indexOf('reference 20');
    bytes[at] = 'x'.charCodeAt(0);
    writeFileSync(file, bytes);
  });
  const { exitCode, out } = await verify();
  const { findings } = JSON.parse(out);
  expect(findings).toEqual([expect.objectContaining({ check: 'index', fact: expect.stringMatching(fact) })]);
  expect(exitCode).toBe(3);
  const [, reindex = ''] = /`(reindex .*?)`/.exec(findings[0].remedy) ?? [];
  await execute(postgres.url, reindex);
  expect((await verify()).exitCode).toBe(0);
  await postgres.stop();
});
