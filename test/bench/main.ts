/**
 * `bun run bench`: two services under the same load, alternately on one machine. CONTRIBUTING.md says what its options are for.
 *
 * Without options: the bare stack (see bare-stack/) and this service on one database, the CPU time of this service without requests, and
 * a database with a million entries beside one with few.
 * Load generator and servers share the cores. On a machine with other load the CPU time per request is the steadier figure.
 */
import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { startBareStack } from './bare-stack/start.ts';
import { measureGrowth, measureUpkeepOf } from './growth/main.ts';
import { printIdle } from './idle.ts';
import { heading, measure } from './measure.ts';
import { memoryByMinute } from './memory.ts';
import { ROWS } from './rows.ts';
import { fill, type Target } from './target.ts';
import { startHere, startTree, type Tree } from './tree.ts';

const THIS = resolve(import.meta.dir, '../..');
// Ten batches fill the day of an account. This is more than a service fills in a second.
const FILLED_PER_SECOND = 30;
const WRITERS_MIN = 1_500;
const ONE_MILLION = 1_000_000;

const { against, growth, minutes, only, seconds, rounds, upkeep } = new Command('bench')
  .description('Measures this service beside the same stack without its work, in alternating rounds.')
  .option('--against <directory>', 'beside the service of another checkout instead')
  .option(
    '--minutes <number>',
    'measures nothing but the memory, for so long under the heaviest load',
    positive,
  )
  .option(
    '--growth <entries>',
    'the database with so many entries beside one with few; it is filled once, into .local/, and kept',
    positive,
  )
  .option(
    '--upkeep',
    'with --growth: erasure, retention, a migration and vacuum beside load instead of the rows',
  )
  .option('--only <text>', 'rows whose name begins so, such as "POST 1 "', '')
  .option('--seconds <number>', 'seconds per side and round', positive, 0.5)
  .option('--rounds <number>', 'number of rounds', positive, 8)
  .parse()
  .opts<{
    against?: string;
    growth?: number;
    minutes?: number;
    only: string;
    seconds: number;
    rounds: number;
    upkeep?: true;
  }>();

const stops: (() => Promise<void>)[] = [];
const stopAll = async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stopAll().then(() => process.exit(1)));
}
try {
  if (growth !== undefined) {
    if (upkeep) await measureUpkeepOf(growth, only, stops);
    else await measureGrowth(growth, only, { seconds, rounds }, stops);
  } else if (against !== undefined) {
    const old = await filled(await startTree('old', resolve(against)));
    await measureRows([old, await filled(await startTree('new', THIS))]);
  } else {
    const here = await startHere('service');
    const service = await filled(here);
    if (minutes !== undefined) await memoryByMinute(service, minutes);
    else {
      await printIdle(service);
      const bareStack = await startBareStack(service, here.databaseUrl);
      stops.push(bareStack.stop);
      await measureRows([bareStack, service]);
      await stopAll();
      await measureGrowth(ONE_MILLION, only, { seconds, rounds }, stops);
    }
  }
} finally {
  await stopAll();
}

async function filled(tree: Tree): Promise<Target> {
  stops.push(tree.stop);
  const writers = Math.max(WRITERS_MIN, Math.ceil(seconds * rounds * FILLED_PER_SECOND * 2));
  return { ...tree, accounts: await fill(tree, writers) };
}

async function measureRows(sides: [Target, Target]): Promise<void> {
  console.log(heading(sides));
  for (const row of ROWS.filter(({ name, clients }) => `${name} ${clients}`.startsWith(only))) {
    await measure(row, sides, { seconds, rounds });
  }
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}
