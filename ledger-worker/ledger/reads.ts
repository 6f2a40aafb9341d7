/**
 * The reads of the Ledger service: each function runs one statement for many requests. Results are in the order of requests. On
 * distributed books all requests of a statement are of one node, and `accountId` is an account on it; otherwise it is null.
 */
import type { Plan, SourceRole, SourceType } from '../../proto/vocabulary.ts';
import { arrayText, bytesElement, bytesField, rowElement } from '../database/array-literal.ts';
import type { Sql } from '../database/connection.ts';
import type { Pool } from '../database/pool.ts';
import { queryRows } from '../database/query.ts';
import {
  type Caller,
  type CallerRow,
  callersText,
  INVALID_KEY,
  type Rejected,
  type RequestRow,
  rejectionOf,
  rowsPerRequest,
  SOURCE_NOT_FOUND,
  UPGRADE_REQUIRED,
} from './caller.ts';

export type Identity = Rejected | { outcome: 'identity'; accountId: string; plan: Plan };

/** The account and plan of each key. Where a caller has no account, the database looks it up. */
export async function authenticate(
  pool: Pool,
  callers: readonly { keyHash: Buffer; accountId: string | null }[],
  signal: AbortSignal,
  accountId: string | null,
): Promise<Identity[]> {
  type Row = RequestRow & ({ accountId: string; plan: Plan; apiAccess: boolean } | { accountId: null });
  const query = (sql: Sql) => sql<Row[]>`
    select n, account_id as "accountId", plan, api_access as "apiAccess"
      from ledger.authenticate(${accountId}, ${callersText(callers)}::ledger.caller[])`;
  const rows = await queryRows(pool, query, 'n', signal);
  return rowsPerRequest(rows, callers.length).map(([row]): Identity => {
    if (!row || row.accountId === null) return INVALID_KEY;
    if (!row.apiAccess) return UPGRADE_REQUIRED;
    return { outcome: 'identity', accountId: row.accountId, plan: row.plan };
  });
}

/** The account of each key, whether or not the key is valid; null without such a key. The account of a key never changes. */
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
  accountId: string | null,
): Promise<Sources[]> {
  const query = (sql: Sql) => sql<(CallerRow & SourceRow)[]>`
    select n, api_access as "apiAccess", source_id as id, name, type, country_code as "countryCode", role,
           share_percent as "sharePercent", transaction_count as "transactionCount"
      from ledger.list_sources(${accountId}, ${callersText(callers)}::ledger.caller[])`;
  const rows = await queryRows(pool, query, 'n', signal);
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
}

export type PageResult = Rejected | typeof SOURCE_NOT_FOUND | Page;

/**
 * One page of each source's entries: newest date first, newest created first within a date. The database formats them as JSON,
 * because parsing and formatting them here would take longer than the query.
 */
export async function listEntries(
  pool: Pool,
  queries: readonly PageQuery[],
  signal: AbortSignal,
  accountId: string | null,
): Promise<PageResult[]> {
  const query = (sql: Sql) => sql<PageRow[]>`
    select n, api_access as "apiAccess", entries, has_more as "hasMore"
      from ledger.list_entries(${accountId}, ${queriesText(queries)}::ledger.page_query[])`;
  const rows = await queryRows(pool, query, 'n', signal);
  return rowsPerRequest(rows, queries.length).map(([row]) => pageOf(row));
}

interface PageRow extends CallerRow {
  /** JSON objects, separated by SEPARATOR; null without such a source. */
  entries: string | null;
  /** The last of them belongs to the next page. */
  hasMore: boolean;
}

function pageOf(row: PageRow | undefined): PageResult {
  const refused = rejectionOf(row);
  if (refused) return refused;
  return row && row.entries !== null
    ? { outcome: 'page', ...trimmed(row.entries, row.hasMore) }
    : SOURCE_NOT_FOUND;
}

/** As ledger.page_query[]. */
const queriesText = (queries: readonly PageQuery[]) =>
  arrayText(queries, (query) => {
    const { caller, sourceId, from, limit } = query;
    const { date, id } = before(query);
    return rowElement([
      caller.accountId,
      bytesField(caller.keyHash),
      sourceId,
      from ?? EARLIEST,
      date,
      id,
      limit,
    ]);
  });

// Between the entries of ledger.list_entries. JSON escapes line ends in strings, so it occurs nowhere else.
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
