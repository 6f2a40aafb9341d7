/** Empties and fills the books. */
import { CATEGORIES } from '../../proto/vocabulary.ts';
import type { Keyring } from './accounts.ts';
import { DAYS, FIRST_DATE, PAYEES, SOURCE_TYPE } from './entries.ts';
import type { Sql } from './sql.ts';

/**
 * Removes every entry and the daily usage. The empty tables are not analysed: a plan for an empty table would be kept
 * while the table grows.
 */
export async function emptyBooks(sql: Sql): Promise<void> {
  await sql`truncate ledger.entry, ledger.write_log, ledger.idempotency_key`;
  await sql`update ledger.source set transaction_count = 0 where transaction_count > 0`;
  await sql`vacuum (analyze) ledger.account, ledger.source, ledger.api_key`;
  await sql`checkpoint`;
}

// The rows of one import are adjacent; between two imports of an account are those of all other accounts.
const ENTRIES_PER_IMPORT = 10;

/**
 * Inserts `perAccount` entries per account directly into the database, as imports of the past weeks would have. The
 * indexes are dropped in the meantime.
 */
export async function fillBooks(sql: Sql, accounts: readonly Keyring[], perAccount: number): Promise<void> {
  const restore = await dropIndexes(sql);
  // Skips the triggers: the references to sources are right by construction, and checking them doubles the time.
  await sql`set session_replication_role = replica`;
  const imports = Math.ceil(perAccount / ENTRIES_PER_IMPORT);
  for (let n = 0; n < imports; n++) await storeImport(sql, accounts, n, n - imports);
  await sql`set session_replication_role = origin`;
  await sql`
    update ledger.source set transaction_count = stored.count
      from (select account_id, source_id, count(*) from ledger.entry group by 1, 2) as stored
     where source.account_id = stored.account_id and source.source_id = stored.source_id`;
  await restore();
  await sql`vacuum (analyze)`;
  await sql`checkpoint`;
}

/** @param hours from the day before yesterday to the import: negative */
async function storeImport(sql: Sql, accounts: readonly Keyring[], n: number, hours: number): Promise<void> {
  const ids = accounts.map(([{ accountId }]) => accountId);
  const sourceIds = accounts.map(([{ sourceId }]) => sourceId);
  const { income, expense } = CATEGORIES[SOURCE_TYPE];
  const at = `${hours - 48} hours`;
  await sql`
    insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type, category, description,
                              external_ref)
    select account_id, uuidv7(${at}::interval), source_id, ${FIRST_DATE}::date + day, amount,
           (case when is_income then 'income' else 'expense' end)::ledger.entry_type,
           case when dice > 0.05 then
             case when is_income then (${income.map(({ key }) => key)}::text[])[1 + kind % ${income.length}::integer]
                  else (${expense.map(({ key }) => key)}::text[])[1 + kind % ${expense.length}::integer]
             end
           end,
           case when dice < 0.95 then (${[...PAYEES]}::text[])[1 + kind % ${PAYEES.length}::integer] || ' ' || kind end,
           'past-' || ${FIRST_DATE}::date + day || '-' || lpad((${n * ENTRIES_PER_IMPORT}::integer + k)::text, 9, '0')
      from (
        select account_id, source_id, k, (random() * ${DAYS - 1}::integer)::integer as day,
               500 + (random() * 250000)::integer as amount, random() < 0.3 as is_income, random() as dice,
               (random() * 999)::integer as kind
          from unnest(${ids}::uuid[], ${sourceIds}::uuid[]) with ordinality as a (account_id, source_id, place),
               generate_series(1, ${ENTRIES_PER_IMPORT}::integer) as k
         order by place, k
      ) as row`;
  await sql`
    insert into ledger.write_log (account_id, written_at, created, total)
    select id, now() + ${at}::interval, ${ENTRIES_PER_IMPORT}, ${(n + 1) * ENTRIES_PER_IMPORT}
      from unnest(${ids}::uuid[]) as sent (id)`;
}

/** Drops the indexes and returns a function that creates them again, which is much faster for all rows at once. */
async function dropIndexes(sql: Sql): Promise<() => Promise<void>> {
  const constraints = await sql<{ name: string; definition: string }[]>`
    select conname as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where conrelid = 'ledger.entry'::regclass and contype in ('p', 'u')`;
  const indexes = await sql<{ name: string; definition: string }[]>`
    select i.relname as name, pg_get_indexdef(i.oid) as definition
      from pg_index join pg_class i on i.oid = indexrelid
     where indrelid = 'ledger.entry'::regclass
       and not exists (select from pg_constraint where conindid = i.oid and contype in ('p', 'u'))`;
  for (const { name } of constraints) await sql.unsafe(`alter table ledger.entry drop constraint "${name}"`);
  for (const { name } of indexes) await sql.unsafe(`drop index ledger."${name}"`);
  return async () => {
    for (const { name, definition } of constraints) {
      await sql.unsafe(`alter table ledger.entry add constraint "${name}" ${definition}`);
    }
    for (const { definition } of indexes) await sql.unsafe(definition);
  };
}
