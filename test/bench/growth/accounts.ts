/** The accounts of a filled database, each with a key that follows from its number: the database is kept, and keys are not stored. */
import type { Sql } from '../../../ledger-worker/database/connection.ts';
import { checksum, hashApiKey, SECRET_LENGTH } from '../../../proto/api-key.ts';
import { SOURCE_TYPE } from '../entries.ts';
import type { Accounts, Caller } from '../target.ts';

export const READERS = 5_000;
export const WRITERS = 25_000;
const AT_ONCE = 1_000;

/** Creates accounts on the plan `pro`, each with a source and a key, and public.filled, which numbers them from 1. */
export async function createAccounts(sql: Sql, count: number): Promise<void> {
  await sql`create unlogged table public.filled (n integer primary key, account_id uuid, source_id uuid)`;
  await sql`insert into public.filled select n, uuidv7(), uuidv7() from generate_series(1, ${count}::integer) n`;
  await sql`insert into ledger.account (account_id, plan) select account_id, 'pro' from public.filled`;
  await sql`
    insert into ledger.source (account_id, source_id, type, name, role, share_percent)
    select account_id, source_id, ${SOURCE_TYPE}, 'Flat 2, 14 Mill Lane', 'owner', 100
      from public.filled`;
  for (let first = 1; first <= count; first += AT_ONCE) {
    const hashes = Array.from({ length: AT_ONCE }, (_, i) => hashApiKey(keyOf(first + i)).toString('hex'));
    await sql`
      with created as (
        insert into ledger.api_key (account_id, key_id, key_hash)
        select account_id, uuidv7(), decode(hash, 'hex')
          from unnest(string_to_array(${hashes.join('|')}, '|')) with ordinality as key (hash, nth)
          join public.filled on n = ${first}::integer + nth - 1
        returning account_id, key_id, key_hash
      )
      insert into ledger.account_of_key (account_id, key_id, key_hash) select * from created`;
  }
}

/** All of them write, and the first of them also read. */
export async function callersOf(sql: Sql): Promise<Accounts> {
  const rows = await sql<{ n: number; accountId: string; sourceId: string }[]>`
    select n, account_id as "accountId", source_id as "sourceId"
      from public.filled
     where n <= ${WRITERS}::integer
     order by n`;
  const writers = rows.map(({ n, ...source }): Caller[] => [{ ...source, key: keyOf(n) }]);
  return { readers: writers.slice(0, READERS), writers };
}

function keyOf(n: number): string {
  const unsigned = `ledger_live_${String(n).padStart(SECRET_LENGTH, '0')}`;
  return unsigned + checksum(unsigned);
}
