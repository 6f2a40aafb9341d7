/** An account's day of writes, moved in time as only time could. */
import Redis from 'ioredis';
import { sql, system } from './system.ts';

/** A write as Redis has it: when the database dated it, and how many entries had been created up to and including it. */
export interface RedisWrite {
  earliestUs: number;
  latestUs: number;
  total: number;
}

const dayOf = (accountId: string) => `ledger:{${accountId}}:day`;

async function withRedis<Result>(work: (redis: Redis) => Promise<Result>): Promise<Result> {
  const redis = new Redis(system.redisUrl ?? '');
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

/** What Redis knows of the account's day is gone, as after a restart of Redis. */
export async function forgetDay(accountId: string): Promise<void> {
  if (system.redisUrl === undefined) return;
  await withRedis((redis) => redis.del(dayOf(accountId)));
}

/** How many entries Redis believes the account to have created in the last 24 h; undefined: it knows nothing. */
export async function dayInRedis(accountId: string): Promise<number | undefined> {
  return (await writesInRedis(accountId)).at(-1)?.total;
}

/** The writes of an account as Redis knows them, oldest first, behind the element where the window begins. */
export async function writesInRedis(accountId: string): Promise<RedisWrite[]> {
  const elements = await withRedis((redis) => redis.lrange(dayOf(accountId), 0, -1));
  return elements.slice(1).map((element) => {
    const [earliestUs = Number.NaN, total = Number.NaN, latestUs = Number.NaN] = element
      .split(':')
      .map(Number);
    return { earliestUs, latestUs, total };
  });
}

/** Redis knows these writes of the account, and no others. */
export async function setWritesInRedis(accountId: string, writes: RedisWrite[]): Promise<void> {
  const elements = writes.map(({ earliestUs, total, latestUs }) => `${earliestUs}:${total}:${latestUs}`);
  await withRedis((redis) =>
    redis
      .multi()
      .del(dayOf(accountId))
      .rpush(dayOf(accountId), '0:0:0', ...elements)
      .exec(),
  );
}

/** The writes of an account, oldest first: how many entries each created. */
export async function writesOf(accountId: string): Promise<{ writtenAt: Date; created: number }[]> {
  return sql<{ writtenAt: Date; created: number }[]>`
    select written_at as "writtenAt", created from ledger.write_log where account_id = ${accountId}
     order by written_at, total`;
}

/** The same as Redis would have them if it knew the times. */
export async function writesInDatabase(accountId: string): Promise<RedisWrite[]> {
  return sql<RedisWrite[]>`
    select time as "earliestUs", time as "latestUs", total::float8 as total
      from ledger.write_log cross join lateral (select (extract(epoch from written_at) * 1000000)::float8 as time) as us
     where account_id = ${accountId}
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

/** Lets so many seconds pass for the account's day, in the database and in Redis. */
export async function letDayPass(accountId: string, seconds: number): Promise<void> {
  await sql`
    update ledger.write_log set written_at = written_at - ${seconds} * interval '1 second' where account_id = ${accountId}`;
  const known = await writesInRedis(accountId);
  if (known.length === 0) return;
  await setWritesInRedis(
    accountId,
    known.map(({ earliestUs, latestUs, total }) => ({
      earliestUs: earliestUs - seconds * 1_000_000,
      latestUs: latestUs - seconds * 1_000_000,
      total,
    })),
  );
}
