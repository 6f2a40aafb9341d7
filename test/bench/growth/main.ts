/** `bun run bench --growth N`: the same rows on a database with few entries and on one with N. */
import type { Sql } from '../../../ledger-worker/database/connection.ts';
import { LAST_MONTH, newEntries } from '../entries.ts';
import { closedLoop, openConnection, quantile, sendOnce } from '../load.ts';
import { heading, measure, openSide } from '../measure.ts';
import { DAY_PAGE, pageRequest, postRequest } from '../requests.ts';
import { GROWTH_ROWS, type Row } from '../rows.ts';
import { rememberKeys, rotation, startService, type Target } from '../target.ts';
import { callersOf } from './accounts.ts';
import { filledDirectory, fillFew, openOwner, SERVER_SETTINGS, storedIn } from './fill.ts';
import { countersOf, printStorage, readIndexes, sampleWaits } from './storage.ts';
import { measureUpkeep } from './upkeep.ts';

const UNREAD = 200;
const PAGES_BEFORE = 100;
const PROFILE_SECONDS = 5;
const WARM_UP_CLIENTS = 32;
type Stops = (() => Promise<void>)[];
/** With a connection to its database. */
type Side = Target & { sql: Sql };

/** The rows, on both in turns. */
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
  for (const row of rows) {
    await measure(row, sides);
    for (const side of sides) await profile(row, side);
  }
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
  await printStorage(many.sql, stored);
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

/** What the database does for a request, and waits for. */
async function profile(row: Row, target: Side): Promise<void> {
  const { sql } = target;
  const side = await openSide(target, row);
  side.load(PROFILE_SECONDS);
  const before = await countersOf(sql);
  const waits = sampleWaits(sql);
  const sample = await side.run(PROFILE_SECONDS);
  const waited = await waits.end();
  // The statistics of a session arrive within a second after its transaction.
  await Bun.sleep(1_500);
  const after = await countersOf(sql);
  side.close();
  const per = (name: keyof typeof before) => (after[name] - before[name]) / sample.requests;
  console.log(
    `    ${target.name}: per request ${per('walBytes').toFixed(0)} bytes of WAL, ${per('fullPages').toFixed(2)} full pages, ` +
      `${per('pages').toFixed(1)} pages, ${per('misses').toFixed(2)} of them read; ${after.checkpoints - before.checkpoints} checkpoints; waits: ${waited}`,
  );
}

/** One after the other, each of another account: pages that nothing has read since the start. The processes have served others before. */
async function firstPages(target: Target): Promise<void> {
  const next = rotation(target.accounts.readers);
  const callers = Array.from({ length: PAGES_BEFORE + UNREAD }, () => next());
  await rememberKeys(target, [callers]);
  const connection = await openConnection(target.url);
  const ms: number[] = [];
  for (const caller of callers) {
    const { p50Ms, failures } = await closedLoop([connection], [pageRequest(caller, DAY_PAGE)]);
    if (Object.keys(failures).length > 0) throw new Error(`a page: ${Object.keys(failures)}`);
    ms.push(p50Ms);
  }
  connection.close();
  const unread = ms.slice(PAGES_BEFORE);
  const at = (share: number) => quantile(unread, share).toFixed(1);
  console.log(
    `first page of ${unread.length} accounts that nothing has read: median ${at(0.5)} ms, 0.95 ${at(0.95)} ms, highest ${at(1)} ms`,
  );
}
