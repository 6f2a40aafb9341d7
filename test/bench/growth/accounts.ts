/** Callers of a database that is full: accounts that have created nothing for a day. */
import type { Sql } from '../../../ledger-worker/database/connection.ts';
import type { Accounts, AdminClient, Caller } from '../target.ts';

const CLIENTS = 16;

/** @returns as many random accounts that write, and as many others that read, each with a key of its own */
export async function callersOf(sql: Sql, admin: AdminClient, count: number): Promise<Accounts> {
  const sources = await sql<{ accountId: string; sourceId: string }[]>`
    select account_id as "accountId", source_id as "sourceId"
      from ledger.source s
     where transaction_count > 0
       and not exists (
         select from ledger.write_log l
          where l.account_id = s.account_id and l.written_at > now() - interval '1 day')
     order by random()
     limit ${2 * count}`;
  if (sources.length === 0)
    throw new Error('every account has created entries within a day: try again tomorrow');
  const callers: Caller[][] = [];
  let next = 0;
  const create = async () => {
    for (let source = sources[next++]; source !== undefined; source = sources[next++]) {
      const { key } = await admin.createKey({ accountId: source.accountId });
      callers.push([{ ...source, key }]);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, create));
  const half = Math.ceil(callers.length / 2);
  return { writers: callers.slice(0, half), readers: callers.slice(half) };
}
