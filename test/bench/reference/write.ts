/** The transaction of POST, with as few statements as possible. */
import type { Pool, PoolClient } from 'pg';
import {
  CATEGORIES,
  type Category,
  ENTRY_TYPES,
  LIMITS,
  type Plan,
  SOURCE_TYPES,
  type SourceType,
} from '../../../proto/vocabulary.ts';
import { ApiError, invalidKey, requireAccess, sourceNotFound } from './api-error.ts';
import type { EntryInput } from './schemas.ts';

/** An entry in CreateResult. */
interface Reference {
  id: string;
  externalRef: string | null;
}

/** Creates the entries, all or none (specification: POST transactions). */
export function createEntries(pool: Pool, keyHash: Buffer, sourceId: string, entries: readonly EntryInput[]) {
  return inTransaction(pool, async (client) => {
    const accountId = await lockAccount(client, keyHash);
    const state = await readState(client, accountId, keyHash, sourceId);
    requireCategories(state.sourceType, entries);
    const transactions = await insertEntries(client, accountId, sourceId, entries, state);
    if (transactions.length > 0) requireDailyCap(state.used, transactions.length);
    const existing =
      transactions.length === entries.length
        ? []
        : await findExisting(client, accountId, entries, transactions);
    return { created: transactions.length, deduplicated: existing.length, transactions, existing };
  });
}

async function inTransaction<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Locks the account of the key, so that writes of one account run one after the other. */
async function lockAccount(client: PoolClient, keyHash: Buffer): Promise<string> {
  const { rows } = await client.query<{ account_id: string }>({
    name: 'lock-account',
    text: `
      select a.account_id
        from ledger.api_key k
        join ledger.account a using (account_id)
       where key_hash = $1 and revoked_at is null
         for no key update of a`,
    values: [keyHash],
  });
  if (!rows[0]) throw invalidKey();
  return rows[0].account_id;
}

interface State {
  sourceType: SourceType;
  /** The instant of this write, in Postgres's own precision. */
  now: string;
  /** Entries ever created in the account, and in the last 24 hours. */
  total: number;
  used: number;
}

/** A separate statement, so that its snapshot is taken after the lock. */
async function readState(
  client: PoolClient,
  accountId: string,
  keyHash: Buffer,
  sourceId: string,
): Promise<State> {
  const { rows } = await client.query<State & { plan: Plan; sourceType: SourceType | null }>({
    name: 'read-state',
    text: `
      select plan, s.type as "sourceType", clock.now::text, coalesce(last.total, 0) as total,
             coalesce(last.total, 0) - coalesce(before.total, 0) as used
        from ledger.api_key k
        join ledger.account a using (account_id)
        left join ledger.source s on s.account_id = k.account_id and s.source_id = $3 and removed_at is null
        left join lateral (
          select written_at, total from ledger.write_log
           where account_id = $1 order by written_at desc, total desc limit 1
        ) as last on true
        cross join lateral (select greatest(clock_timestamp(), last.written_at) as now) as clock
        left join lateral (
          select total from ledger.write_log
           where account_id = $1 and written_at <= clock.now - $4::interval
           order by written_at desc, total desc limit 1
        ) as before on true
       where k.account_id = $1 and key_hash = $2 and revoked_at is null`,
    values: [accountId, keyHash, sourceId, `${LIMITS.dayWindowMs} ms`],
  });
  const state = requireAccess(rows[0]);
  if (state.sourceType === null) throw sourceNotFound();
  return state;
}

/** Inserts the new entries and updates the counters. Returns the created entries in the order sent. */
async function insertEntries(
  client: PoolClient,
  accountId: string,
  sourceId: string,
  entries: readonly EntryInput[],
  { now, total }: State,
): Promise<Reference[]> {
  const column = (name: keyof EntryInput) => entries.map((entry) => entry[name] ?? null);
  const { rows } = await client.query<Reference>({
    name: 'insert-entries',
    text: `
      with inserted as (
        insert into ledger.entry (account_id, entry_id, source_id, entry_date, type, amount_pence,
                                  category, description, external_ref)
        select $1, uuidv7(), $2, date, type, amount, category, description, ref
          from unnest($3::date[], $4::ledger.entry_type[], $5::bigint[], $6::text[], $7::text[], $8::text[])
               as sent (date, type, amount, category, description, ref)
        on conflict do nothing
        returning entry_id as id, external_ref as "externalRef"
      ), logged as (
        insert into ledger.write_log (account_id, written_at, created, total)
        select $1, $9::timestamptz, count(*), $10::bigint + count(*) from inserted having count(*) > 0
      ), counted as (
        update ledger.source
           set transaction_count = transaction_count + (select count(*) from inserted)
         where account_id = $1 and source_id = $2 and exists (select from inserted)
      )
      select id, "externalRef" from inserted`,
    values: [
      accountId,
      sourceId,
      column('date'),
      column('type'),
      column('amountPence'),
      column('category'),
      column('description'),
      column('externalRef'),
      now,
      total,
    ],
  });
  return rows;
}

/** The entries that were not created, in the order sent, with their stored ids. */
async function findExisting(
  client: PoolClient,
  accountId: string,
  entries: readonly EntryInput[],
  created: readonly Reference[],
): Promise<Reference[]> {
  const fresh = new Set(created.map(({ externalRef }) => externalRef));
  // The first entry with a repeated reference was created.
  const known = entries.flatMap(({ externalRef }) =>
    externalRef === undefined || fresh.delete(externalRef) ? [] : [externalRef],
  );
  const { rows } = await client.query<{ id: string; externalRef: string }>({
    name: 'find-existing',
    text: `
      select entry_id as id, external_ref as "externalRef"
        from ledger.entry
       where account_id = $1 and external_ref = any ($2::text[])`,
    values: [accountId, known],
  });
  const ids = new Map(rows.map(({ id, externalRef }) => [externalRef, id]));
  return known.map((externalRef) => ({ id: ids.get(externalRef) ?? '', externalRef }));
}

function requireDailyCap(used: number, created: number): void {
  const limit = LIMITS.entriesPerDay;
  if (used + created <= limit) return;
  const message = `At most ${limit} entries are created in 24 hours: ${limit - used} fit now.`;
  throw new ApiError(429, 'daily_cap', message, { limit, remaining: limit - used });
}

/** The keys accepted for each source type and entry type. */
const ACCEPTED = new Map(
  SOURCE_TYPES.flatMap((sourceType) =>
    ENTRY_TYPES.map((type) => {
      const categories: readonly Category[] = CATEGORIES[sourceType][type];
      return [`${sourceType} ${type}`, new Set(categories.map(({ key }) => key))] as const;
    }),
  ),
);

function requireCategories(sourceType: SourceType, entries: readonly EntryInput[]): void {
  for (const { type, category } of entries) {
    const accepted = ACCEPTED.get(`${sourceType} ${type}`);
    if (category !== undefined && !accepted?.has(category)) {
      throw new ApiError(422, 'invalid_category', `${category} is not a category of this source's ${type}.`, {
        validCategories: [...(accepted ?? [])],
      });
    }
  }
}
