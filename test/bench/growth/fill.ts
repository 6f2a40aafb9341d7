/** Fills a database with the books of many accounts, as years of imports leave them. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, type Sql } from '../../../ledger-worker/database/connection.ts';
import { startSystem } from '../../../local/system.ts';
import { CATEGORIES } from '../../../proto/domain.ts';
import { ROOT } from '../../fixtures/checkout.ts';
import { PAYEES, SOURCE_TYPE } from '../entries.ts';
import { createAccounts, READERS } from './accounts.ts';

const QUARTERS = 10;
/** The entries of an account that are stored together. */
const IMPORTED = 100;
const ACCOUNTS_AT_ONCE = 250;
const CONNECTIONS = 2;

/** As docs/operations.md recommends them: the indexes of 50 million entries are twice as large as the server's cache. */
export const SERVER_SETTINGS = {
  shared_buffers: '6GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '15min',
  maintenance_work_mem: '1GB',
};

/** Nothing but the filling runs, and a fill that was interrupted has to be repeated. */
const FILL_SETTINGS = { ...SERVER_SETTINGS, autovacuum: 'off' };

/**
 * @returns the data directory of a database with at least so many entries, which the next run uses again
 * @throws Error if what is there was filled in part: it has to be deleted
 */
export async function filledDirectory(entries: number): Promise<string> {
  const dataDir = join(ROOT, `.local/growth-${entries}`);
  const isThere = existsSync(dataDir);
  mkdirSync(dataDir, { recursive: true });
  const system = await startSystem({ dataDir, redisUrl: false, postgresSettings: FILL_SETTINGS });
  const sql = openOwner(system.databaseUrl);
  try {
    if (!isThere) await fillMany(sql, entries);
    const stored = await storedIn(sql);
    if (stored < entries) throw new Error(`${dataDir} has ${stored} entries, not ${entries}: delete it.`);
    // What earlier runs have created does not count for the daily cap.
    await sql`update ledger.write_log set written_at = written_at - interval '1 day'`;
  } finally {
    await sql.end();
    await system.stop();
  }
  return dataDir;
}

/** As many accounts as with so many entries, but only those that read have any: their newest. */
export async function fillFew(sql: Sql, entries: number): Promise<void> {
  await createAccounts(sql, accountsOf(entries));
  for (let first = 1; first <= READERS; first += ACCOUNTS_AT_ONCE)
    await importQuarter(sql, QUARTERS - 1, first);
  await sql`
    update ledger.source set transaction_count = ${IMPORTED}::integer
     where account_id in (select account_id from public.filled where n <= ${READERS}::integer)`;
  await sql`vacuum (analyze)`;
}

export const openOwner = (url: string) =>
  openDatabase({ url, poolMax: CONNECTIONS, statementTimeoutMs: 0, isDistributed: false });

/** By the counts of the sources, which are those of the rows (I9). */
export async function storedIn(sql: Sql): Promise<number> {
  const [row] = await sql<{ stored: number }[]>`
    select coalesce(sum(transaction_count), 0)::float8 as stored from ledger.source`;
  return row?.stored ?? 0;
}

async function fillMany(sql: Sql, entries: number): Promise<void> {
  const accounts = accountsOf(entries);
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 1_000);
  console.log(`filling: ${entries} entries of ${accounts} accounts`);
  await createAccounts(sql, accounts);
  for (let quarter = 0; quarter < QUARTERS; quarter++) {
    let next = 1;
    const work = async () => {
      while (next <= accounts) {
        const first = next;
        next += ACCOUNTS_AT_ONCE;
        await importQuarter(sql, quarter, first);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
    console.log(`${(quarter + 1) * 10} % after ${seconds()} s`);
  }
  // Last: a fill that was interrupted has no counts.
  await sql`update ledger.source set transaction_count = ${QUARTERS * IMPORTED}::integer`;
  await sql`vacuum (analyze)`;
}

const accountsOf = (entries: number) => Math.ceil(entries / (QUARTERS * IMPORTED));

/** As `newEntries` of ../entries.ts, written by the database. */
async function importQuarter(sql: Sql, quarter: number, firstAccount: number): Promise<void> {
  const keys = (type: 'income' | 'expense') => CATEGORIES[SOURCE_TYPE][type].map(({ key }) => key);
  await sql`
    with words as (
      select string_to_array(${keys('income').join('|')}, '|') as incomes,
             string_to_array(${keys('expense').join('|')}, '|') as expenses,
             string_to_array(${PAYEES.join('|')}, '|') as payees
    )
    insert into ledger.entry
      (account_id, entry_id, source_id, entry_date, amount_pence, type, category, description, external_ref)
    select account_id, uuidv7(), source_id, day, 500 + random() * 250000, type::ledger.entry_type,
           case when random() < 0.95 then keys[1 + i % cardinality(keys)] end,
           case when random() < 0.9 then payees[1 + i % cardinality(payees)] || ' ' || i end,
           'bank-' || day || '-' || lpad((random() * 999999999)::integer::text, 9, '0')
      from words,
           public.filled,
           generate_series(0, ${IMPORTED - 1}::integer) i,
           lateral (select date '2023-07-06' + ${quarter * 91}::integer + i * 91 / ${IMPORTED}::integer as day,
                           i % 10 < 3 as is_income) as kind,
           lateral (select case when is_income then 'income' else 'expense' end as type,
                           case when is_income then incomes else expenses end as keys) as typed
     where n between ${firstAccount}::integer and ${firstAccount + ACCOUNTS_AT_ONCE - 1}::integer
     order by n, i`;
}
