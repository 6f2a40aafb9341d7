/**
 * What the gateway reads in the books: one function per question, each a single statement. All of them reject
 * with an AbortError once nobody waits for the answer any more.
 */
import type { CallContext } from '../proto/ledger.ts';
import type { EntryType, Plan, SourceRole, SourceType } from '../proto/vocabulary.ts';
import { ask } from './ask.ts';
import type { Sql } from './database.ts';

/** Who asks: the hash of the key that the request came with, and the account it was found to belong to. */
export interface Caller {
  keyHash: Buffer;
  accountId: string;
}

export interface Refused {
  outcome: 'rejected';
  rejected: 'REJECTION_INVALID_KEY' | 'REJECTION_UPGRADE_REQUIRED';
}
export const INVALID_KEY: Refused = { outcome: 'rejected', rejected: 'REJECTION_INVALID_KEY' };
export const UPGRADE_REQUIRED: Refused = { outcome: 'rejected', rejected: 'REJECTION_UPGRADE_REQUIRED' };
export const SOURCE_NOT_FOUND = { outcome: 'sourceNotFound' } as const;

/** Null in the one row that stands for "no such key". */
type Identity = { accountId: string; plan: Plan; apiAccess: boolean } | { accountId: null };

/** The account and plan behind a key. The one statement that cannot name the account: it is what it asks for. */
export async function authenticate(sql: Sql, keyHash: Buffer, call: CallContext) {
  const query = () => sql<Identity[]>`
    select key.*
      from (values (true)) as asked
      left join (
        select account_id as "accountId", plan, p.api_access as "apiAccess"
          from ledger.api_key
          join ledger.account using (account_id)
          join ledger.plan p using (plan)
         where key_hash = ${keyHash} and revoked_at is null
      ) as key on true`;
  const [identity] = await ask(sql, query, 'accountId', call);
  if (identity.accountId === null) return INVALID_KEY;
  if (!identity.apiAccess) return UPGRADE_REQUIRED;
  return { outcome: 'identity', accountId: identity.accountId, plan: identity.plan } as const;
}

interface SourceRow {
  /** Null in the one row that stands for "no source". */
  id: string | null;
  name: string;
  type: SourceType;
  countryCode: string | null;
  role: SourceRole;
  sharePercent: number;
  transactionCount: number;
}

/** Every source of the caller's account that has not been removed, oldest first. */
export async function listSources(sql: Sql, caller: Caller, call: CallContext) {
  const query = () => sql<(CallerFlags & SourceRow)[]>`
    select caller.found, caller."apiAccess", source.*
      from ${callerFlags(sql, caller)} as caller
      left join lateral (
        select source_id as id, name, type, country_code as "countryCode", role,
               share_percent as "sharePercent", transaction_count as "transactionCount"
          from ledger.source
         where account_id = ${caller.accountId} and removed_at is null and caller."apiAccess"
      ) as source on true
     order by id`;
  const rows = await ask(sql, query, 'found', call);
  const refused = refusal(rows[0]);
  if (refused) return refused;
  return { outcome: 'sources', sources: rows.filter(isPresent) } as const;
}

interface EntryRow {
  /** Null in the one row that stands for "no entry". */
  id: string | null;
  date: string;
  type: EntryType;
  amountPence: number;
  category: string | null;
  description: string | null;
  externalRef: string | null;
}

export interface PageQuery {
  sourceId: string;
  /** `YYYY-MM-DD`, both inclusive. */
  from: string | undefined;
  to: string | undefined;
  /** The last entry of the page before. */
  after: { date: string; id: string } | undefined;
  limit: number;
}

/** One page of a source's entries: newest date first, newest created first within a date. */
export async function listEntries(sql: Sql, caller: Caller, page: PageQuery, call: CallContext) {
  const { sourceId, from, to, after, limit } = page;
  const query = () => sql<(CallerFlags & { sourceFound: boolean } & EntryRow)[]>`
    select caller.found, caller."apiAccess", source.found as "sourceFound", entry.*
      from ${callerFlags(sql, caller)} as caller,
           lateral (
             select exists (
               select from ledger.source
                where account_id = ${caller.accountId} and source_id = ${sourceId} and removed_at is null
             ) and caller."apiAccess" as found
           ) as source
      left join lateral (
        select entry_id as id, to_char(entry_date, 'YYYY-MM-DD') as date, type, amount_pence as "amountPence",
               category, description, external_ref as "externalRef"
          from ledger.entry
         where account_id = ${caller.accountId} and source_id = ${sourceId} and source.found
           ${from === undefined ? sql`` : sql`and entry_date >= ${from}`}
           ${to === undefined ? sql`` : sql`and entry_date <= ${to}`}
           ${after === undefined ? sql`` : sql`and (entry_date, entry_id) < (${after.date}, ${after.id})`}
         order by entry_date desc, entry_id desc
         limit ${limit + 1}
      ) as entry on true
     order by date desc, id desc`;
  const rows = await ask(sql, query, 'found', call);
  const first = rows[0];
  const refused = refusal(first);
  if (refused) return refused;
  if (!first.sourceFound) return SOURCE_NOT_FOUND;
  const entries = rows.filter(isPresent);
  return { outcome: 'page', entries: entries.slice(0, limit), hasMore: entries.length > limit } as const;
}

/** Whether the database answers at all. */
export async function isReachable(sql: Sql): Promise<boolean> {
  const rows = await sql`select 1`.catch(() => []);
  return rows.length === 1;
}

interface CallerFlags {
  found: boolean;
  apiAccess: boolean;
}

/** One row, whether or not there is such a key: what the key may do, in the snapshot of the statement around it. */
function callerFlags(sql: Sql, { keyHash, accountId }: Caller) {
  return sql`(
    select count(*) > 0 as found, coalesce(bool_or(p.api_access), false) as "apiAccess"
      from ledger.api_key
      join ledger.account using (account_id)
      join ledger.plan p using (plan)
     where account_id = ${accountId} and key_hash = ${keyHash} and revoked_at is null
  )`;
}

function refusal(flags: CallerFlags): Refused | undefined {
  if (!flags.found) return INVALID_KEY;
  if (!flags.apiAccess) return UPGRADE_REQUIRED;
  return undefined;
}

/** A left join that found nothing still makes one row, of nulls. */
function isPresent<Row extends { id: string | null }>(row: Row): row is Row & { id: string } {
  return row.id !== null;
}
