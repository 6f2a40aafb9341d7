/** The reads of the Ledger service: each function runs one statement for many requests. Results are in the order of requests. */
import type { Plan, SourceRole, SourceType } from '../../proto/vocabulary.ts';
import { arrayText, bytesElement } from '../database/array-literal.ts';
import type { Sql } from '../database/connection.ts';
import type { Pool } from '../database/pool.ts';
import { queryRows } from '../database/query.ts';
import {
  accountIds,
  type Caller,
  type CallerFlags,
  callerFlags,
  INVALID_KEY,
  keyHashes,
  type Rejected,
  type RequestRow,
  rejectionOf,
  rowsPerRequest,
  SOURCE_NOT_FOUND,
  UPGRADE_REQUIRED,
} from './caller.ts';
import { sourceVersion } from './source-versions.ts';

export type Identity = Rejected | { outcome: 'identity'; accountId: string; plan: Plan };

/** The account and plan of each key. The account is not known yet: ledger.account_of_key maps the key to it. */
export async function authenticate(
  pool: Pool,
  keyHashes: readonly Buffer[],
  signal: AbortSignal,
  _accountId: string | null = null,
): Promise<Identity[]> {
  type Row = RequestRow & ({ accountId: string; plan: Plan; apiAccess: boolean } | { accountId: null });
  const query = (sql: Sql) => sql<Row[]>`
    select n, key.*
      from unnest(${arrayText(keyHashes, bytesElement)}::bytea[]) with ordinality as request (key_hash, n)
      left join lateral (
        select found.account_id as "accountId", plan, api_access as "apiAccess"
          from (
            select account_id from ledger.account_of_key where key_hash = request.key_hash offset 0
          ) as found
         cross join lateral (
            select plan, p.api_access
              from ledger.api_key k
              join ledger.account a on a.account_id = k.account_id
              join ledger.plan p using (plan)
             where k.account_id = found.account_id and k.key_hash = request.key_hash and revoked_at is null
            offset 0
          ) as key
      ) as key on true`;
  const rows = await queryRows(pool, query, 'n', signal);
  return rowsPerRequest(rows, keyHashes.length).map(([row]): Identity => {
    if (!row || row.accountId === null) return INVALID_KEY;
    if (!row.apiAccess) return UPGRADE_REQUIRED;
    return { outcome: 'identity', accountId: row.accountId, plan: row.plan };
  });
}

/** The account of each key, null without such a key. */
export async function accountsOfKeys(
  pool: Pool,
  keyHashes: readonly Buffer[],
  signal: AbortSignal,
): Promise<(string | null)[]> {
  const query = (sql: Sql) => sql<(RequestRow & { accountId: string | null })[]>`
    select n, account_id as "accountId"
      from unnest(${arrayText(keyHashes, bytesElement)}::bytea[]) with ordinality as request (key_hash, n)
      left join ledger.account_of_key using (key_hash)`;
  const rows = await queryRows(pool, query, 'n', signal);
  return rowsPerRequest(rows, keyHashes.length).map(([row]) => row?.accountId ?? null);
}

interface SourceRow {
  /** Null in the row of an account without sources. */
  id: string | null;
  name: string;
  type: SourceType;
  countryCode: string | null;
  role: SourceRole;
  sharePercent: number;
  transactionCount: number;
}

type Sources = Rejected | { outcome: 'sources'; sources: SourceRow[] };

/** The sources of each caller's account that are not removed, oldest first. */
export async function listSources(
  pool: Pool,
  callers: readonly Caller[],
  signal: AbortSignal,
  _accountId: string | null = null,
): Promise<Sources[]> {
  const query = (sql: Sql) => sql<(CallerFlags & SourceRow)[]>`
    select request.n, caller.found, caller."apiAccess", source.*
      from unnest(${accountIds(callers)}::uuid[], ${keyHashes(callers)}::bytea[])
           with ordinality as request (account_id, key_hash, n)
     cross join lateral ${callerFlags(sql)} as caller
      left join lateral (
        select source_id as id, name, type, country_code as "countryCode", role,
               share_percent as "sharePercent", transaction_count as "transactionCount"
          from ledger.source s
         where s.account_id = request.account_id and removed_at is null and caller."apiAccess"
        offset 0
      ) as source on true
     order by n, id`;
  const rows = await queryRows(pool, query, 'found', signal);
  return rowsPerRequest(rows, callers.length).map(
    (own): Sources => rejectionOf(own[0]) ?? { outcome: 'sources', sources: own.filter(isPresent) },
  );
}

export interface PageQuery {
  caller: Caller;
  sourceId: string;
  /** `YYYY-MM-DD`, both inclusive. */
  from: string | undefined;
  to: string | undefined;
  /** The last entry of the previous page. */
  after: { date: string; id: string } | undefined;
  limit: number;
}

export interface Page {
  outcome: 'page';
  /** JSON objects, separated by commas. */
  entriesJson: string;
  /** The last of them, if there are more. */
  last: { date: string; id: string } | null;
  /** The version of the source, if requested. */
  version?: string | null;
}

export type PageResult = Rejected | typeof SOURCE_NOT_FOUND | Page;

/**
 * One page of each source's entries: newest date first, newest created first within a date. The database formats them as JSON,
 * because parsing and formatting them here would take longer than the query.
 * @param versioned include the version of each source; null if the database is not a standby
 */
export async function listEntries(
  pool: Pool,
  pages: readonly PageQuery[],
  signal: AbortSignal,
  versioned = false,
  _accountId: string | null = null,
): Promise<PageResult[]> {
  const callers = pages.map(({ caller }) => caller);
  const column = (format: (page: PageQuery) => string) => arrayText(pages, format);
  type Row = CallerFlags & {
    sourceFound: boolean;
    /** Null without entries. */
    json: string | null;
    /** The last of them belongs to the next page. */
    hasMore: boolean;
    version?: string | null;
  };
  const version = (sql: Sql) =>
    versioned ? sql`, case when pg_is_in_recovery() then ${sourceVersion(sql)} end as version` : sql``;
  const query = (sql: Sql) => sql<Row[]>`
    select request.n, caller.found, caller."apiAccess", source.found as "sourceFound", page.* ${version(sql)}
      from unnest(
             ${accountIds(callers)}::uuid[], ${keyHashes(callers)}::bytea[], ${column((page) => page.sourceId)}::uuid[],
             ${column(({ from }) => from ?? EARLIEST)}::date[],
             ${column((page) => before(page).date)}::date[], ${column((page) => before(page).id)}::uuid[],
             ${column(({ limit }) => String(limit))}::integer[]
           ) with ordinality as request (account_id, key_hash, source_id, first, before_date, before_id, up_to, n)
     cross join lateral ${callerFlags(sql)} as caller
     cross join lateral (
       select caller."apiAccess" and (
         select true from ledger.source s
          where s.account_id = request.account_id and s.source_id = request.source_id and removed_at is null
       ) is not null as found
     ) as source
     cross join lateral (
       select string_agg(row_to_json(entry)::text, ${SEPARATOR} order by date desc, id desc) as json,
              count(*) > request.up_to as "hasMore"
         from (
           select entry_id as id, entry_date as date, type, category, amount_pence as "amountPence",
                  description, external_ref as "externalRef"
             from ledger.entry e
            where e.account_id = request.account_id and e.source_id = request.source_id and source.found
              and e.entry_date >= request.first and (e.entry_date, e.entry_id) < (request.before_date, request.before_id)
            order by e.entry_date desc, e.entry_id desc
            -- One more than the page shows whether there are more.
            limit request.up_to + 1
         ) as entry
     ) as page`;
  const rows = await queryRows(pool, query, 'found', signal);
  return rowsPerRequest(rows, pages.length).map(([row]) => {
    const refused = rejectionOf(row);
    if (refused) return refused;
    if (!row?.sourceFound) return SOURCE_NOT_FOUND;
    const { json, hasMore, version } = row;
    return {
      outcome: 'page',
      ...trimmed(json ?? '', hasMore),
      ...(versioned && { version: version ?? null }),
    };
  });
}

// JSON escapes line ends in strings, so this occurs only between entries.
const SEPARATOR = ',\n';

/** Drops the entry that belongs to the next page. */
function trimmed(json: string, hasMore: boolean): Pick<Page, 'entriesJson' | 'last'> {
  if (!hasMore) return { entriesJson: json, last: null };
  const entriesJson = json.slice(0, json.lastIndexOf(SEPARATOR));
  const { date, id } = JSON.parse(entriesJson.slice(entriesJson.lastIndexOf('\n') + 1));
  return { entriesJson, last: { date, id } };
}

const [EARLIEST, LATEST] = ['0001-01-01', '9999-12-31'];
const ABOVE_ALL_IDS = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** `to` and `after` as one bound: the index scan can start at only one. */
function before({ to = LATEST, after }: PageQuery): { date: string; id: string } {
  return after && after.date <= to ? after : { date: to, id: ABOVE_ALL_IDS };
}

/** A left join without a match has one row of nulls. */
function isPresent<Row extends { id: string | null }>(row: Row): row is Row & { id: string } {
  return row.id !== null;
}
