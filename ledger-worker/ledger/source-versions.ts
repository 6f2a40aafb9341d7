/** Whether a page of the replica is the one of now. */
import { arrayText } from '../database/array-literal.ts';
import type { Sql } from '../database/pool.ts';
import { ask } from '../database/query.ts';
import {
  accountIds,
  type Caller,
  type CallerFlags,
  callerFlags,
  keyHashes,
  perQuestion,
  type Refused,
  refusal,
  SOURCE_NOT_FOUND,
} from './caller.ts';

/**
 * What a page is judged by: whether it may be read, and which version of its source is the one of now. Everything that
 * changes the entries of a source makes a new one.
 */
export async function sourceVersions(
  sql: Sql,
  pages: readonly { caller: Caller; sourceId: string }[],
  gone: AbortSignal,
): Promise<(Refused | typeof SOURCE_NOT_FOUND | { outcome: 'version'; version: string })[]> {
  const callers = pages.map(({ caller }) => caller);
  const query = () => sql<(CallerFlags & { version: string | null })[]>`
    select asked.n, caller.found, caller."apiAccess", ${sourceVersion(sql)} as version
      from unnest(
             ${accountIds(callers)}::uuid[], ${keyHashes(callers)}::bytea[],
             ${arrayText(pages, ({ sourceId }) => sourceId)}::uuid[]
           ) with ordinality as asked (account_id, key_hash, source_id, n)
     cross join lateral ${callerFlags(sql)} as caller`;
  const rows = await ask(sql, query, 'found', { cancelled: gone });
  return perQuestion(rows, pages.length).map(([row]) => {
    const refused = refusal(row);
    if (refused) return refused;
    return row?.version ? { outcome: 'version', version: row.version } : SOURCE_NOT_FOUND;
  });
}

/**
 * Null where there is no such source. The transaction that last changed its row, and the account's last write: after a
 * standby has taken over, the number of a transaction that it did not know is given a second time.
 */
export function sourceVersion(sql: Sql) {
  return sql`(
    select concat_ws(' ', s.xmin, (
             select extract(epoch from written_at) || ' ' || total
               from ledger.write_log l
              where l.account_id = asked.account_id
              order by written_at desc, total desc
              limit 1))
      from ledger.source s
     where s.account_id = asked.account_id and s.source_id = asked.source_id and removed_at is null
  )`;
}
