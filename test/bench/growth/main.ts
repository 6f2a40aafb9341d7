/** `bun run bench --growth N`: the same rows on a database with few entries and on one with N. */
import type { Sql } from '../../../ledger-worker/database/connection.ts';
import { LAST_MONTH, newEntries } from '../entries.ts';
import { quantile, sendOnce } from '../load.ts';
import { heading, measure } from '../measure.ts';
import { DAY_PAGE, pageRequest, postRequest } from '../requests.ts';
import { GROWTH_ROWS } from '../rows.ts';
import { rememberKeys, rotation, startService, type Target } from '../target.ts';
import { callersOf, WRITERS } from './accounts.ts';
import { filledDirectory, fillFew, openOwner, SERVER_SETTINGS, storedIn } from './fill.ts';
import { measureUpkeep } from './upkeep.ts';

const UNREAD = 200;
const PAGES_BEFORE = 100;
const WARM_UP_CLIENTS = 32;
type Stops = (() => Promise<void>)[];
type Side = Target & { sql: Sql };

export async function measureGrowth(entries: number, only: string, stops: Stops): Promise<void> {
  const rows = GROWTH_ROWS.filter(({ name, clients }) => `growth ${name} ${clients}`.startsWith(only));
  if (rows.length === 0) return;
  const many = await startMany(entries, stops);
  const few = await start('few', stops);
  await fillFew(few.sql, entries);
  const sides: [Side, Side] = [{ ...few, accounts: await callersOf(few.sql) }, many];
  await firstPages(many);
  for (const side of sides) await warmUp(side);
  console.log(heading(sides));
  for (const row of rows) await measure(row, sides);
}

/** What an operator does with the large one, beside load. */
export async function measureUpkeepOf(entries: number, only: string, stops: Stops): Promise<void> {
  const many = await startMany(entries, stops);
  await warmUp(many);
  await measureUpkeep(many, many.sql, only);
}

async function startMany(entries: number, stops: Stops) {
  const directory = await filledDirectory(entries);
  const many = await start('many', stops, directory);
  const stored = await storedIn(many.sql);
  console.log(`many: ${stored} entries`);
  return { ...many, accounts: await callersOf(many.sql) };
}

async function start(name: string, stops: Stops, kept?: string) {
  const service = await startService(name, { kept, postgresSettings: SERVER_SETTINGS });
  stops.push(service.stop);
  const sql = openOwner(service.databaseUrl);
  stops.push(() => sql.end());
  return { ...service, sql };
}

/** All of the indexes, an entry of each writer and a page of each reader: a server that has run for a while has these pages in memory. */
async function warmUp(target: Side): Promise<void> {
  const { writers, readers } = target.accounts;
  await readIndexes(target.sql);
  await rememberKeys(target, writers);
  const posts = writers.flat().map((caller) => postRequest(caller, newEntries(1, LAST_MONTH), '201'));
  const pages = readers.flat().map((caller) => pageRequest(caller, DAY_PAGE));
  await sendOnce(target.url, [...posts, ...pages], WARM_UP_CLIENTS);
}

/**
 * Into memory, as they are where a server has run for a while: all of them into that of the operating system, in the order of the disk, and then
 * the pages of the writers into the server's cache, until it is full.
 */
async function readIndexes(sql: Sql): Promise<void> {
  await sql`create extension if not exists pg_prewarm schema public`;
  await sql`select pg_prewarm(indexrelid, 'read') from pg_index where indrelid = 'ledger.entry'::regclass`;
  const entries = sql`select count(*) as counted from ledger.entry where entry.account_id = filled.account_id`;
  // Each time only one of the indexes is enough.
  for (const ofAccount of [entries, sql`${entries} and external_ref is not null`])
    await sql`
      select sum(counted)
        from public.filled, lateral (${ofAccount}) as of_account
       where n <= ${WRITERS}::integer`;
}

/** One after the other, each of another account: pages that nothing has read since the start. The processes have served others before. */
async function firstPages(target: Target): Promise<void> {
  const next = rotation(target.accounts.readers);
  const callers = Array.from({ length: PAGES_BEFORE + UNREAD }, () => next());
  await rememberKeys(target, [callers]);
  const pages = callers.map((caller) => pageRequest(caller, DAY_PAGE));
  const { times } = await sendOnce(target.url, pages, 1);
  const [median, slowest] = [0.5, 1].map((share) => quantile(times.slice(PAGES_BEFORE), share).toFixed(1));
  console.log(
    `first page of ${UNREAD} accounts that nothing has read: median ${median} ms, slowest ${slowest} ms`,
  );
}
