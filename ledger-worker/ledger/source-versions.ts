/** Versions of sources, to tell whether a page from the replica is current. */
import { arrayText, bytesElement } from '../database/array-literal.ts';
import type { Sql } from '../database/connection.ts';
import type { Pool } from '../database/pool.ts';
import { queryRows } from '../database/query.ts';
import {
  type Caller,
  type CallerRow,
  type Rejected,
  rejectionOf,
  rowsPerRequest,
  SOURCE_NOT_FOUND,
} from './caller.ts';

/**
 * Whether each page may be read, and the current version of its source. Every change to the entries of a source changes its
 * version.
 */
export async function sourceVersions(
  pool: Pool,
  pages: readonly { caller: Caller; sourceId: string }[],
  signal: AbortSignal,
): Promise<(Rejected | typeof SOURCE_NOT_FOUND | { outcome: 'version'; version: string })[]> {
  const query = (sql: Sql) => sql<(CallerRow & { version: string | null })[]>`
    select n, api_access as "apiAccess", ${sourceVersion(sql)} as version
      from unnest(
             ${arrayText(pages, ({ caller }) => caller.accountId)}::uuid[],
             ${arrayText(pages, ({ caller }) => bytesElement(caller.keyHash))}::bytea[],
             ${arrayText(pages, ({ sourceId }) => sourceId)}::uuid[]
           ) with ordinality as request (account_id, key_hash, source_id, n)
     cross join lateral ledger.access_of_key(request.account_id, request.key_hash)`;
  const rows = await queryRows(pool, query, 'n', signal);
  return rowsPerRequest(rows, pages.length).map(([row]) => {
    const refused = rejectionOf(row);
    if (refused) return refused;
    return row?.version ? { outcome: 'version', version: row.version } : SOURCE_NOT_FOUND;
  });
}

/**
 * SQL: null without such a source. Consists of the transaction that last changed the source's row and of the account's last write,
 * because after a failover the new primary can assign a transaction id a second time.
 */
export function sourceVersion(sql: Sql) {
  return sql`(
    select concat_ws(' ', s.xmin, (
             select extract(epoch from written_at) || ' ' || total
               from ledger.write_log l
              where l.account_id = request.account_id
              order by written_at desc, total desc
              limit 1))
      from ledger.source s
     where s.account_id = request.account_id and s.source_id = request.source_id and removed_at is null
  )`;
}
