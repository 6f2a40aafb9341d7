/** pgbench as a side, to check that the driver of this bench adds no cost of its own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STATEMENT_SETTINGS } from '../../ledger-worker/database/connection.ts';
import type { Keyring } from './accounts.ts';
import type { Side } from './side.ts';
import type { Sql } from './sql.ts';

export const PGBENCH = 'pgbench';

const THREADS = 2;

export const findPgbench = () => Bun.which('pgbench');

/** @param script of one transaction with `entries` entries */
export function pgbenchSide(
  databaseUrl: string,
  script: string,
  sql: Sql,
  accounts: readonly Keyring[],
  entries: number,
): Side {
  const { username, pathname, searchParams } = new URL(databaseUrl);
  const directory = mkdtempSync(join(tmpdir(), 'ledger-pgbench-'));
  const file = join(directory, 'script.sql');
  writeFileSync(file, script);
  let clients = 1;
  return {
    name: PGBENCH,
    async begin(count) {
      clients = count;
      await storeForPgbench(sql, accounts);
    },
    load() {},
    async run(seconds) {
      const flags = ['-n', '-M', 'prepared', '-c', clients, '-j', Math.min(THREADS, clients)];
      const pgbench = Bun.spawn({
        cmd: [
          'pgbench',
          ...flags,
          '-T',
          Math.ceil(seconds),
          '-f',
          file,
          '-D',
          `accounts=${accounts.length}`,
        ].map(String),
        env: {
          PATH: process.env.PATH,
          PGHOST: searchParams.get('host') ?? '',
          PGUSER: username,
          PGDATABASE: pathname.slice(1),
          PGOPTIONS: Object.entries(STATEMENT_SETTINGS)
            .map(([name, value]) => `-c ${name}=${value}`)
            .join(' '),
        },
        stdout: 'pipe',
        stderr: 'pipe',
      });
      const [stdout, stderr] = await Promise.all([pgbench.stdout.text(), pgbench.stderr.text()]);
      const figure = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? Number.NaN);
      const requests = figure(/transactions actually processed: (\d+)/);
      const mean = figure(/latency average = ([\d.]+) ms/);
      return {
        requests,
        entries: requests * entries,
        seconds: requests / figure(/tps = ([\d.]+)/),
        // pgbench prints no quantiles.
        latencyMs: { p50: mean, p95: Number.NaN, p99: Number.NaN },
        failures: (await pgbench.exited) === 0 ? {} : { [stderr.trim()]: 1 },
      };
    },
    end: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** Stores the accounts in bench.account for the script of pgbench. */
async function storeForPgbench(sql: Sql, accounts: readonly Keyring[]): Promise<void> {
  const column = (name: 'accountId' | 'sourceId' | 'keyHash') => accounts.map(([account]) => account[name]);
  await sql`create schema if not exists bench`;
  await sql`drop table if exists bench.account`;
  await sql`
    create table bench.account (n integer primary key, account_id uuid, source_id uuid, key_hash bytea)`;
  await sql`
    insert into bench.account (n, account_id, source_id, key_hash)
    select n, account_id, source_id, decode(hash, 'hex')
      from unnest(${column('accountId')}::uuid[], ${column('sourceId')}::uuid[], ${column('keyHash')}::text[])
           with ordinality as sent (account_id, source_id, hash, n)`;
}
