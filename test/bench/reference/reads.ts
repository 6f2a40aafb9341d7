/** The statements of the GET routes: one per request, including the check of the key. */
import type { Pool } from 'pg';
import type { Plan } from '../../../proto/vocabulary.ts';
import { requireAccess, sourceNotFound } from './api-error.ts';

/** The account and plan behind a key. */
export async function authenticate(pool: Pool, keyHash: Buffer) {
  const { rows } = await pool.query<{ accountId: string; plan: Plan }>({
    name: 'authenticate',
    text: `
      select account_id as "accountId", plan
        from ledger.api_key
        join ledger.account using (account_id)
       where key_hash = $1 and revoked_at is null`,
    values: [keyHash],
  });
  return requireAccess(rows[0]);
}

/** `id` is null in the one row of an account without sources. */
interface SourceRow {
  plan: Plan;
  id: string | null;
}

/** Every source of the account that has not been removed, oldest first. */
export async function listSources(pool: Pool, keyHash: Buffer) {
  const { rows } = await pool.query<SourceRow>({
    name: 'list-sources',
    text: `
      select plan, source_id as id, name, type, country_code as "countryCode", role,
             share_percent as "sharePercent", transaction_count as "transactionCount"
        from ledger.api_key k
        join ledger.account a using (account_id)
        left join ledger.source s on s.account_id = k.account_id and removed_at is null
       where key_hash = $1 and revoked_at is null
       order by source_id`,
    values: [keyHash],
  });
  requireAccess(rows[0]);
  return rows.filter(({ id }) => id !== null);
}

/** The last entry of a page. */
export interface Position {
  /** `YYYY-MM-DD` */
  date: string;
  id: string;
}

interface Page {
  sourceId: string;
  /** `YYYY-MM-DD`, both inclusive. */
  from: string | undefined;
  to: string | undefined;
  after: Position | undefined;
  limit: number;
}

interface EntryRow extends Position {
  plan: Plan;
  sourceFound: boolean;
}

/** At most `limit` entries of a source: newest date first, newest created first within a date. */
export async function listEntries(pool: Pool, keyHash: Buffer, page: Page): Promise<Position[]> {
  const { from, to, after } = page;
  const values: unknown[] = [keyHash, page.sourceId, page.limit];
  const given = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    from === undefined ? '' : `and entry_date >= ${given(from)}`,
    to === undefined ? '' : `and entry_date <= ${given(to)}`,
    after === undefined ? '' : `and (entry_date, entry_id) < (${given(after.date)}, ${given(after.id)})`,
  ];
  const { rows } = await pool.query<EntryRow>({
    // Each combination of conditions is a separate prepared statement.
    name: `list-entries-${conditions.map((condition) => (condition === '' ? 0 : 1)).join('')}`,
    text: `
      select plan, s.source_id is not null as "sourceFound", entry.*
        from ledger.api_key k
        join ledger.account a using (account_id)
        left join ledger.source s on s.account_id = k.account_id and s.source_id = $2 and removed_at is null
        left join lateral (
          select entry_id as id, entry_date as date, type, category, amount_pence as "amountPence",
                 description, external_ref as "externalRef"
            from ledger.entry
           where account_id = s.account_id and source_id = s.source_id ${conditions.join(' ')}
           order by entry_date desc, entry_id desc
           limit $3
        ) as entry on true
       where key_hash = $1 and revoked_at is null
       order by date desc, id desc`,
    values,
  });
  requireAccess(rows[0]);
  if (!rows[0]?.sourceFound) throw sourceNotFound();
  // A source without entries has one row of nulls.
  return rows[0].id === null ? [] : rows;
}
