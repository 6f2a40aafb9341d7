/** `bun run bench --growth N`: the same rows on a database with few entries and on one with N. */
import type { Sql } from '../../../ledger-worker/database/connection.ts';
import { closedLoop } from '../closed-loop.ts';
import { newEntries } from '../entries.ts';
import { httpConnection } from '../http-load.ts';
import { heading, measure, type Times } from '../measure.ts';
import { DAY_PAGE, pageRequest, postRequest } from '../requests.ts';
import { GROWTH_ROWS, type Row } from '../rows.ts';
import { newSide } from '../side.ts';
import { rememberKeys, rotation, type Target } from '../target.ts';
import { startHere } from '../tree.ts';
import { callersOf } from './accounts.ts';
import { filledDirectory, fillFew, openOwner, storedIn } from './fill.ts';
import { countersOf, printStorage, sampleWaits } from './storage.ts';

const UNREAD = 200;
const PROFILE_SECONDS = 5;

export async function measureGrowth(
  entries: number,
  only: string,
  times: Times,
  stops: (() => Promise<void>)[],
): Promise<void> {
  const directory = await filledDirectory(entries);
  const settings = process.env.GROWTH_SETTINGS ? JSON.parse(process.env.GROWTH_SETTINGS) : {};
  const start = async (name: string, kept?: string) => {
    const tree = await startHere(name, kept, settings);
    stops.push(tree.stop);
    const sql = openOwner(tree.databaseUrl);
    stops.push(() => sql.end());
    return { ...tree, sql };
  };
  const few = await start('few');
  await fillFew(few.sql, entries);
  const many = await start('many', directory);
  const stored = await storedIn(many.sql);
  console.log(`many: ${stored} entries`);
  await printStorage(many.sql, stored);
  const sides = [
    { ...few, accounts: await callersOf(few.sql) },
    { ...many, accounts: await callersOf(many.sql) },
  ] as const;
  await firstPages(sides[1]);
  for (const side of sides) await warmUp(side);
  console.log(heading(sides));
  for (const row of GROWTH_ROWS.filter(({ name, clients }) => `${name} ${clients}`.startsWith(only))) {
    await measure(row, sides, times);
    for (const side of sides) await profile(row, side, side.sql);
  }
}

/** Each writer and each reader once: the server has run for a while, and it has not just started. */
async function warmUp(target: Target): Promise<void> {
  const began = performance.now();
  await rememberKeys(target, target.accounts.readers);
  await rememberKeys(target, target.accounts.writers);
  const connections = await Promise.all(Array.from({ length: 32 }, () => httpConnection(target.url)));
  const { writers, readers } = target.accounts;
  const posts = writers.flat().map((caller) => postRequest(caller, newEntries(1, 30), '201'));
  const pages = readers.flat().map((caller) => pageRequest(caller, DAY_PAGE));
  for (const requests of [posts, pages]) {
    const {
      requests: n,
      seconds,
      failures,
    } = await closedLoop(connections, requests, Number.POSITIVE_INFINITY);
    console.log(
      `${target.name}: warm-up ${n} requests, ${(n / seconds).toFixed(0)}/s ${JSON.stringify(failures)}`,
    );
  }
  for (const connection of connections) connection.close();
  console.log(`${((performance.now() - began) / 1000).toFixed(0)} s`);
}

async function profile({ by, clients, requests }: Row, target: Target, sql: Sql): Promise<void> {
  const side = newSide(target, requests(target.accounts[by]));
  await side.begin(clients);
  side.load(PROFILE_SECONDS);
  const before = await countersOf(sql);
  const waits = sampleWaits(sql);
  const sample = await side.run(PROFILE_SECONDS);
  const waited = await waits.end();
  // The statistics of a session arrive within a second after its transaction.
  await Bun.sleep(1_500);
  const after = await countersOf(sql);
  side.end();
  const per = (name: keyof typeof before) => (after[name] - before[name]) / sample.requests;
  console.log(
    `    ${target.name}: per request ${per('walBytes').toFixed(0)} bytes of WAL, ${per('fullPages').toFixed(2)} full pages, ` +
      `${per('misses').toFixed(2)} pages read; ${after.checkpoints - before.checkpoints} checkpoints; waits: ${waited}`,
  );
}

/** One after the other, each of another account: pages that nothing has read since the start. */
async function firstPages(target: Target): Promise<void> {
  const next = rotation(target.accounts.readers);
  const callers = Array.from({ length: UNREAD }, () => next());
  await rememberKeys(target, [callers]);
  const connection = await httpConnection(target.url);
  const ms: number[] = [];
  for (const caller of callers) {
    const { p50Ms, failures } = await closedLoop(
      [connection],
      [pageRequest(caller, DAY_PAGE)],
      Number.POSITIVE_INFINITY,
    );
    if (Object.keys(failures).length > 0) throw new Error(`a page: ${Object.keys(failures)}`);
    ms.push(p50Ms);
  }
  connection.close();
  ms.sort((a, b) => a - b);
  const at = (share: number) => ms[Math.floor((ms.length - 1) * share)]?.toFixed(1);
  console.log(
    `first page of ${ms.length} accounts that nothing has read: median ${at(0.5)} ms, 0.95 ${at(0.95)} ms, highest ${at(1)} ms`,
  );
}
