/** `admin verify` finds a byte that the disk has changed in an index, and names the server if there are several. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '../../ledger-worker/database/migrate.ts';
import { startPostgres } from '../../local/servers/postgres.ts';
import { temporaryDirectory } from '../fixtures/checkout.ts';
import { execute, openOne } from '../fixtures/database.ts';
import { freePort } from '../fixtures/free-port.ts';
import { run } from './command-line.ts';

setDefaultTimeout(120_000);

// Once with the server's own checksums of pages, and once as if it had none: then amcheck finds the byte.
test.each([
  ['off', /^the index entry_external_ref is damaged: invalid page in block 1 of relation/],
  ['on', /^the index entry_external_ref is damaged: .*index/],
])('ignore_checksum_failure = %s', async (ignore_checksum_failure, fact) => {
  const dataDir = join(temporaryDirectory(), 'postgres');
  const port = String(freePort());
  const settings = { fsync: 'off', ignore_checksum_failure, port, listen_addresses: '127.0.0.1' };
  const start = async () => {
    const postgres = await startPostgres({ dataDir, settings });
    return { ...postgres, url: Object.assign(new URL(postgres.url), { port }).href };
  };
  let postgres = await start();
  const sql = openOne(postgres.url);
  await migrate(sql);
  await sql.unsafe(`
    create extension amcheck;
    select ledger.create_account(gen_random_uuid(), gen_random_uuid(), 'a test', 'pro');
    insert into ledger.source (account_id, source_id, type, name, role, share_percent, transaction_count)
    select account_id, account_id, 'uk-property', 'Flat', 'owner', 100, 20 from ledger.account;
    insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type, external_ref)
    select account_id, ('00000000-0000-7000-8000-0000000000' || n)::uuid, source_id, '2026-04-06', 1, 'income', 'reference ' || n
      from ledger.source, generate_series(11, 30) n;
    select ledger.log_action(account_id, gen_random_uuid(), 'a test', 'source create', jsonb_build_object('sourceId', source_id)) from ledger.source;
    insert into ledger.write_log (account_id, write_id, written_at, created, total) select account_id, gen_random_uuid(), now(), 20, 20 from ledger.account`);
  const [{ path = '' } = {}] = await sql<
    { path: string }[]
  >`select pg_relation_filepath('ledger.entry_external_ref') as path`;
  await sql.end();
  await postgres.stop();
  const file = join(dataDir, path);
  const bytes = readFileSync(file);
  bytes[bytes.indexOf('reference 20')] = 'x'.charCodeAt(0);
  writeFileSync(file, bytes);
  writeFileSync(join(dataDir, 'pg_hba.conf'), 'local all all trust\nhost all all 127.0.0.1/32 trust\n');
  postgres = await start();

  const DATABASE_URL = `postgres://ledger@127.0.0.1:${port},localhost:${port}/ledger`;
  const { exitCode, out } = await run(['verify', '--json'], undefined, { DATABASE_URL });
  const report = JSON.parse(out);
  expect(report.findings).toEqual(
    ['127.0.0.1', 'localhost'].map((host) =>
      expect.objectContaining({ server: `${host}:${port}`, fact: expect.stringMatching(fact) }),
    ),
  );
  expect([exitCode, report.entries]).toEqual([3, 20]);
  const [, reindex = ''] = /`(reindex .*?)`/.exec(report.findings[0].remedy) ?? [];
  await execute(postgres.url, reindex);
  expect((await run(['verify'], undefined, { DATABASE_URL: postgres.url })).exitCode).toBe(0);
  await postgres.stop();
});
