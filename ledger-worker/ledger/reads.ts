/**
 * What the gateway reads in the books: a statement per question, for any number of those who ask at the same time.
 * Answers come in the order of the questions. All of them reject with an AbortError once nobody waits any more.
 */
import type { Plan, SourceRole, SourceType } from '../../proto/vocabulary.ts';
import { arrayText, bytesElement } from '../database/array-literal.ts';
import type { Sql } from '../database/pool.ts';
import { ask } from '../database/query.ts';
import {
  type Asked,
  accountIds,
  type Caller,
  type CallerFlags,
  callerFlags,
  INVALID_KEY,
  keyHashes,
  perQuestion,
  type Refused,
  refusal,
  SOURCE_NOT_FOUND,
  UPGRADE_REQUIRED,
} from './caller.ts';
import { sourceVersion } from './source-versions.ts';

type Identity = Refused | { outcome: 'identity'; accountId: string; plan: Plan };

/** The account and plan behind each key. The account is what it asks for: ledger.account_of_key leads to it. */
export async function authenticate(
  sql: Sql,
  keyHashes: readonly Buffer[],
  gone: AbortSignal,
): Promise<Identity[]> {
  type Row = Asked & ({ accountId: string; plan: Plan; apiAccess: boolean } | { accountId: null });
  const query = () => sql<Row[]>`
    select n, key.*
      from unnest(${arrayText(keyHashes, bytesElement)}::bytea[]) with ordinality as asked (key_hash, n)
      left join lateral (
        select found.account_id as "accountId", plan, api_access as "apiAccess"
          from (
            select account_id from ledger.account_of_key where key_hash = asked.key_hash offset 0
          ) as found
         cross join lateral (
            select plan, p.api_access
              from ledger.api_key k
              join ledger.account a on a.account_id = k.account_id
              join ledger.plan p using (plan)
             where k.account_id = found.account_id and k.key_hash = asked.key_hash and revoked_at is null
            offset 0
          ) as key
      ) as key on true`;
  const rows = await ask(sql, query, 'n', { cancelled: gone });
  return perQuestion(rows, keyHashes.length).map(([row]): Identity => {
    if (!row || row.accountId === null) return INVALID_KEY;
    if (!row.apiAccess) return UPGRADE_REQUIRED;
    return { outcome: 'identity', accountId: row.accountId, plan: row.plan };
  });
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

type Sources = Refused | { outcome: 'sources'; sources: SourceRow[] };

/** Every source of each caller's account that has not been removed, oldest first. */
export async function listSources(
  sql: Sql,
  callers: readonly Caller[],
  gone: AbortSignal,
): Promise<Sources[]> {
  const query = () => sql<(CallerFlags & SourceRow)[]>`
    select asked.n, caller.found, caller."apiAccess", source.*
      from unnest(${accountIds(callers)}::uuid[], ${keyHashes(callers)}::bytea[])
           with ordinality as asked (account_id, key_hash, n)
     cross join lateral ${callerFlags(sql)} as caller
      left join lateral (
        select source_id as id, name, type, country_code as "countryCode", role,
               share_percent as "sharePercent", transaction_count as "transactionCount"
          from ledger.source s
         where s.account_id = asked.account_id and removed_at is null and caller."apiAccess"
        offset 0
      ) as source on true
     order by n, id`;
  const rows = await ask(sql, query, 'found', { cancelled: gone });
  return perQuestion(rows, callers.length).map(
    (own): Sources => refusal(own[0]) ?? { outcome: 'sources', sources: own.filter(isPresent) },
  );
}

export interface PageQuery {
  caller: Caller;
  sourceId: string;
  /** `YYYY-MM-DD`, both inclusive. */
  from: string | undefined;
  to: string | undefined;
  /** The last entry of the page before. */
  after: { date: string; id: string } | undefined;
  limit: number;
}

export interface Page {
  outcome: 'page';
  /** JSON objects with commas between them. */
  entriesJson: string;
  /** The last of them, when there are more. */
  last: { date: string; id: string } | null;
  /** Of the source, where it was asked for. */
  version?: string | null;
}

/** What becomes of a question for a page. */
export type PageAnswer = Refused | typeof SOURCE_NOT_FOUND | Page;

/**
 * One page of each source's entries: newest date first, newest created first within a date. The database words them as JSON:
 * whoever reads and words them on the way takes longer than it took to find them.
 * @param versioned with the version of each source, if the database is a standby
 */
export async function listEntries(
  sql: Sql,
  pages: readonly PageQuery[],
  gone: AbortSignal,
  versioned = false,
): Promise<PageAnswer[]> {
  const callers = pages.map(({ caller }) => caller);
  const column = (word: (page: PageQuery) => string) => arrayText(pages, word);
  type Row = CallerFlags & {
    sourceFound: boolean;
    /** Null without entries. */
    json: string | null;
    /** The last of them is on the next page. */
    hasMore: boolean;
    version?: string | null;
  };
  const version = versioned
    ? sql`, case when pg_is_in_recovery() then ${sourceVersion(sql)} end as version`
    : sql``;
  const query = () => sql<Row[]>`
    select asked.n, caller.found, caller."apiAccess", source.found as "sourceFound", page.* ${version}
      from unnest(
             ${accountIds(callers)}::uuid[], ${keyHashes(callers)}::bytea[], ${column((page) => page.sourceId)}::uuid[],
             ${column(({ from }) => from ?? EARLIEST)}::date[],
             ${column((page) => before(page).date)}::date[], ${column((page) => before(page).id)}::uuid[],
             ${column(({ limit }) => String(limit))}::integer[]
           ) with ordinality as asked (account_id, key_hash, source_id, first, before_date, before_id, up_to, n)
     cross join lateral ${callerFlags(sql)} as caller
     cross join lateral (
       select caller."apiAccess" and (
         select true from ledger.source s
          where s.account_id = asked.account_id and s.source_id = asked.source_id and removed_at is null
       ) is not null as found
     ) as source
     cross join lateral (
       select string_agg(row_to_json(entry)::text, ${BETWEEN} order by date desc, id desc) as json,
              count(*) > asked.up_to as "hasMore"
         from (
           select entry_id as id, entry_date as date, type, category, amount_pence as "amountPence",
                  description, external_ref as "externalRef"
             from ledger.entry e
            where e.account_id = asked.account_id and e.source_id = asked.source_id and source.found
              and e.entry_date >= asked.first and (e.entry_date, e.entry_id) < (asked.before_date, asked.before_id)
            order by e.entry_date desc, e.entry_id desc
            -- One more than is shown tells whether there are more.
            limit asked.up_to + 1
         ) as entry
     ) as page`;
  const rows = await ask(sql, query, 'found', { cancelled: gone });
  return perQuestion(rows, pages.length).map(([row]) => {
    const refused = refusal(row);
    if (refused) return refused;
    if (!row?.sourceFound) return SOURCE_NOT_FOUND;
    const { json, hasMore, version } = row;
    return { outcome: 'page', ...shown(json ?? '', hasMore), ...(versioned && { version: version ?? null }) };
  });
}

// Within JSON a line end is escaped: it stands between entries only.
const BETWEEN = ',\n';

/** What a page shows of the entries that were read for it. */
function shown(json: string, hasMore: boolean): Pick<Page, 'entriesJson' | 'last'> {
  if (!hasMore) return { entriesJson: json, last: null };
  const entriesJson = json.slice(0, json.lastIndexOf(BETWEEN));
  const { date, id } = JSON.parse(entriesJson.slice(entriesJson.lastIndexOf('\n') + 1));
  return { entriesJson, last: { date, id } };
}

const [EARLIEST, LATEST] = ['0001-01-01', '9999-12-31'];
const ABOVE_ALL_IDS = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** One bound in the place of two: the index is entered at one of them only, and read from there. */
function before({ to = LATEST, after }: PageQuery): { date: string; id: string } {
  return after && after.date <= to ? after : { date: to, id: ABOVE_ALL_IDS };
}

/** Whether the database answers at all. */
export async function isReachable(sql: Sql): Promise<boolean> {
  const rows = await sql`select 1`.catch(() => []);
  return rows.length === 1;
}

/** A left join that found nothing still makes one row, of nulls. */
function isPresent<Row extends { id: string | null }>(row: Row): row is Row & { id: string } {
  return row.id !== null;
}
