/** The reads of the Ledger service. Each statement is the same for one Postgres and for a node of Citus. */
import type {
  Caller__Output as Caller,
  ListEntriesRequest__Output as ListEntriesRequest,
  Page,
  Source,
} from '../../proto/contract.ts';
import type { Plan } from '../../proto/domain.ts';
import { arrayText, bytesField, rowElement } from '../database/array-literal.ts';
import type { Sql } from '../database/connection.ts';
import { UnexpectedResult } from '../database/errors.ts';
import { type Pool, queryRows } from '../database/pool.ts';

interface Refused {
  outcome: 'refused';
  refused: 'REFUSAL_INVALID_KEY' | 'REFUSAL_UPGRADE_REQUIRED';
}
export const INVALID_KEY: Refused = { outcome: 'refused', refused: 'REFUSAL_INVALID_KEY' };
const UPGRADE_REQUIRED: Refused = { outcome: 'refused', refused: 'REFUSAL_UPGRADE_REQUIRED' };
const SOURCE_NOT_FOUND = { outcome: 'sourceNotFound', sourceNotFound: {} } as const;

/** Every statement checks the key of its caller. */
interface CallerRow {
  /** Null if the key is unknown or revoked. */
  apiAccess: boolean | null;
}

function refusalOf({ apiAccess }: CallerRow): Refused | undefined {
  if (apiAccess === null) return INVALID_KEY;
  return apiAccess ? undefined : UPGRADE_REQUIRED;
}

/** The account of a key, whether or not the key is valid; null without such a key. The account of a key never changes. */
export async function accountOfKey(pool: Pool, keyHash: Buffer, signal: AbortSignal): Promise<string | null> {
  const query = (sql: Sql) => sql<{ accountId: string | null }[]>`
    select ledger.require_writable(),
           (select account_id from ledger.account_of_key where key_hash = ${keyHash}) as "accountId"`;
  const [{ accountId }] = await queryRows(pool, query, 'accountId', signal);
  return accountId;
}

type Identity =
  | Refused
  | { outcome: 'identity'; identity: { accountId: string; plan: Plan; readOnly: boolean } };

/** The plan of the caller's account, and whether the key cannot write. */
export async function authenticate(pool: Pool, caller: Caller, signal: AbortSignal): Promise<Identity> {
  const query = (sql: Sql) => sql<(CallerRow & { plan: Plan; readOnly: boolean })[]>`
    select plan, api_access as "apiAccess", read_only as "readOnly"
      from ledger.authenticate(${caller.accountId}, ${caller.keyHash})`;
  const [row] = await queryRows(pool, query, 'apiAccess', signal);
  const { accountId } = caller;
  return (
    refusalOf(row) ?? { outcome: 'identity', identity: { accountId, plan: row.plan, readOnly: row.readOnly } }
  );
}

/** `id` is null in the only row of an account without sources. */
type SourceRow = CallerRow & Omit<Source, 'id'> & { id: string | null };

type Sources = Refused | { outcome: 'sources'; sources: { sources: Source[] } };

/** The sources of the caller's account that are not removed, oldest first. */
export async function listSources(pool: Pool, caller: Caller, signal: AbortSignal): Promise<Sources> {
  const query = (sql: Sql) => sql<SourceRow[]>`
    select api_access as "apiAccess", source_id as id, name, type, country_code as "countryCode", role,
           share_percent as "sharePercent", transaction_count as "transactionCount"
      from ledger.list_sources(${caller.accountId}, ${caller.keyHash})`;
  const rows = await queryRows(pool, query, 'apiAccess', signal);
  const sources = rows.filter(({ id }) => id !== null) as Source[];
  return refusalOf(rows[0]) ?? { outcome: 'sources', sources: { sources } };
}

export type PageQuery = ListEntriesRequest & { caller: Caller };

type PageResult = Refused | typeof SOURCE_NOT_FOUND | { outcome: 'page'; page: Page };

interface PageRow extends CallerRow {
  /** The number of the query, counted from 1. */
  n: number;
  /** JSON objects, separated by SEPARATOR; null without such a source. */
  entries: string | null;
  /** The last of them belongs to the next page. */
  hasMore: boolean;
}

/**
 * One page of each source's entries: newest date first, newest created first within a date. The database formats them as JSON,
 * because parsing and formatting them here would take longer than the query.
 * @param queries of accounts on one node
 * @returns a result for each query, in order
 */
export async function listEntries(
  pool: Pool,
  queries: readonly PageQuery[],
  signal: AbortSignal,
): Promise<PageResult[]> {
  const parameter = arrayText(queries, (query) => {
    const { caller, sourceId, from = EARLIEST, limit } = query;
    const { date, id } = before(query);
    return rowElement([caller.accountId, bytesField(caller.keyHash), sourceId, from, date, id, limit]);
  });
  const query = (sql: Sql) => sql<PageRow[]>`
    select n, api_access as "apiAccess", entries, has_more as "hasMore"
      from ledger.list_entries(${queries[0]?.caller.accountId ?? null}, ${parameter}::ledger.page_query[])`;
  const rows = await queryRows(pool, query, 'n', signal);
  return queries.map((_, index) => {
    const row = rows[index];
    if (row?.n !== index + 1) throw new UnexpectedResult();
    return pageResult(row);
  });
}

function pageResult(row: PageRow): PageResult {
  const refused = refusalOf(row);
  if (refused) return refused;
  return row.entries === null
    ? SOURCE_NOT_FOUND
    : { outcome: 'page', page: trimmed(row.entries, row.hasMore) };
}

// Between the entries of ledger.list_entries. JSON escapes line ends in strings, so it occurs nowhere else.
const SEPARATOR = ',\n';

/** Drops the entry that belongs to the next page. */
function trimmed(json: string, hasMore: boolean): Page {
  if (!hasMore) return { entriesJson: Buffer.from(json), last: null };
  const entriesJson = json.slice(0, json.lastIndexOf(SEPARATOR));
  const { date, id } = JSON.parse(entriesJson.slice(entriesJson.lastIndexOf('\n') + 1));
  return { entriesJson: Buffer.from(entriesJson), last: { date, id } };
}

const [EARLIEST, LATEST] = ['0001-01-01', '9999-12-31'];
const ABOVE_ALL_IDS = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** `to` and `after` as one bound: the index scan can start at only one. */
function before({ to = LATEST, after }: PageQuery): { date: string; id: string } {
  return after && after.date <= to ? after : { date: to, id: ABOVE_ALL_IDS };
}
