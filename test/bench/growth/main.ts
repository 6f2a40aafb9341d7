/** `bun run bench --growth N`: the same rows on a database with few entries and on one with N. */
import { closedLoop } from '../closed-loop.ts';
import { httpConnection } from '../http-load.ts';
import { heading, measure, type Times } from '../measure.ts';
import { pageRequest } from '../requests.ts';
import { GROWTH_ROWS } from '../rows.ts';
import { newSide } from '../side.ts';
import { spread } from '../statistics.ts';
import { fill, rememberKeys, type Target } from '../target.ts';
import { startHere } from '../tree.ts';
import { callersOf } from './accounts.ts';
import { filledDirectory, openOwner, storedIn } from './fill.ts';
import { countersOf, printStorage } from './storage.ts';

const CALLERS = 1_500;
const UNREAD = 200;
const PROFILE_SECONDS = 5;

export async function measureGrowth(
  entries: number,
  only: string,
  times: Times,
  stops: (() => Promise<void>)[],
): Promise<void> {
  const directory = await filledDirectory(entries);
  const few = await startHere('few');
  stops.push(few.stop);
  const many = await startHere('many', directory);
  stops.push(many.stop);
  const [sqlOfFew, sql] = [openOwner(few.databaseUrl), openOwner(many.databaseUrl)];
  stops.push(async () => {
    await Promise.all([sqlOfFew.end(), sql.end()]);
  });
  const stored = await storedIn(sql);
  console.log(`many: ${stored} entries`);
  await printStorage(sql, stored);
  const unread = await callersOf(sql, many.admin, UNREAD);
  await firstPages({ ...many, accounts: unread });
  const sides: [Target, Target] = [
    { ...few, accounts: await fill(few, CALLERS) },
    { ...many, accounts: await callersOf(sql, many.admin, CALLERS) },
  ];
  console.log(heading(sides));
  for (const row of GROWTH_ROWS.filter(({ name, clients }) => `growth ${name} ${clients}`.startsWith(only))) {
    await measure(row, sides, times);
    for (const [target, database] of [
      [sides[0], sqlOfFew],
      [sides[1], sql],
    ] as const) {
      const side = newSide(target, row.requests(target.accounts[row.by]));
      await side.begin(row.clients);
      side.load(PROFILE_SECONDS);
      const before = await countersOf(database);
      const sample = await side.run(PROFILE_SECONDS);
      // The statistics of a session arrive within a second after its transaction.
      await Bun.sleep(1_500);
      const after = await countersOf(database);
      side.end();
      const per = (name: keyof typeof before) => (after[name] - before[name]) / sample.requests;
      console.log(
        `    ${target.name}: per request ${per('walBytes').toFixed(0)} bytes of WAL, ${per('fullPages').toFixed(2)} full pages, ` +
          `${per('misses').toFixed(2)} pages read; ${after.checkpoints - before.checkpoints} checkpoints`,
      );
    }
  }
}

/** One after the other, each of another account: pages that nothing has read since the start. */
async function firstPages(target: Target): Promise<void> {
  const callers = Object.values(target.accounts).flat();
  await rememberKeys(target, callers);
  const connection = await httpConnection(target.url);
  const ms: number[] = [];
  for (const [caller] of callers) {
    if (caller === undefined) continue;
    const { p50Ms, failures } = await closedLoop(
      [connection],
      [pageRequest(caller, 50)],
      Number.POSITIVE_INFINITY,
    );
    if (Object.keys(failures).length > 0) throw new Error(`a page: ${Object.keys(failures)}`);
    ms.push(p50Ms);
  }
  connection.close();
  const { median, max } = spread(ms);
  console.log(
    `first page of ${ms.length} accounts that nothing has read: median ${median.toFixed(1)} ms, highest ${max.toFixed(1)} ms`,
  );
}
