/** An account's day of writes, moved in time as only time could. */
import Redis from 'ioredis';
import { sql, system } from './system.ts';

/** What Redis knows of the account's day is gone, as after a restart of Redis. */
export async function forgetDay(accountId: string): Promise<void> {
  if (system.redisUrl === undefined) return;
  const redis = new Redis(system.redisUrl);
  await redis.del(`ledger:{${accountId}}:day`);
  redis.disconnect();
}

/** How many entries Redis believes the account to have created in the last 24 h; undefined: it knows nothing. */
export async function dayInRedis(accountId: string): Promise<number | undefined> {
  const redis = new Redis(system.redisUrl ?? '');
  const [newest] = await redis.lrange(`ledger:{${accountId}}:day`, -1, -1);
  redis.disconnect();
  return newest === undefined ? undefined : Number(newest.split(':')[1]);
}

/** The writes of an account, oldest first: how many entries each created. */
export async function writesOf(accountId: string): Promise<{ writtenAt: Date; created: number }[]> {
  return sql<{ writtenAt: Date; created: number }[]>`
    select written_at as "writtenAt", created from ledger.write_log where account_id = ${accountId}
     order by written_at, total`;
}

/**
 * Dates the writes of an account anew, oldest first: each leaves the window of 24 h so many seconds from now, a
 * negative number being how long ago it left. Redis forgets the day.
 */
export async function letWritesLeaveIn(accountId: string, seconds: number[]): Promise<void> {
  await sql`
    update ledger.write_log w
       set written_at = clock_timestamp() - interval '24 hours' + n.seconds * interval '1 second'
      from (select total, (${`{${seconds.join()}}`}::float8[])[row_number() over (order by written_at, total)] as seconds
              from ledger.write_log where account_id = ${accountId}) n
     where w.account_id = ${accountId} and w.total = n.total and n.seconds is not null`;
  await forgetDay(accountId);
}
