/**
 * `bun run bench`: two services under the same load, alternately on one machine. CONTRIBUTING.md says what its options are for.
 *
 * Without options: the bare stack (see bare-stack/) and this service on one database, the CPU time of this service without requests, and
 * a database with a million entries beside one with few.
 * Load generator and servers share the cores. On a machine with other load the CPU time per request is the steadier figure.
 */
import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { ROOT } from '../fixtures/checkout.ts';
import { startBareStack } from './bare-stack/start.ts';
import { measureDistance } from './distance.ts';
import { measureGrowth, measureUpkeepOf } from './growth/main.ts';
import { heading, measure } from './measure.ts';
import { memoryByMinute } from './memory.ts';
import { printIdle } from './processes.ts';
import { ROWS } from './rows.ts';
import { collectStops, fill, startService, type Target } from './target.ts';

// Ten batches fill the day of an account. This is more than a service fills in a run.
const WRITERS = 1_500;
const ONE_MILLION = 1_000_000;

const { against, distance, growth, minutes, only, upkeep } = new Command('bench')
  .description('Measures this service beside the same stack without its work, in alternating rounds.')
  .option('--against <directory>', 'beside the service of another checkout instead')
  .option('--distance <ms>', 'with Postgres or Redis so far away, there and back, beside near ones', positive)
  .option('--minutes <number>', 'nothing but the memory, for so long under the heaviest load', positive)
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
  .parse()
  .opts<{
    against?: string;
    distance?: number;
    growth?: number;
    minutes?: number;
    only: string;
    upkeep?: true;
  }>();

const { stops, stopAll } = collectStops();
try {
  if (distance !== undefined) await measureDistance(distance, only, stops);
  else if (growth !== undefined) await (upkeep ? measureUpkeepOf : measureGrowth)(growth, only, stops);
  else if (against !== undefined) {
    await measureRows([await start('old', resolve(against)), await start('new')]);
  } else {
    const service = await start('service');
    if (minutes !== undefined) await memoryByMinute(service, minutes);
    else {
      await printIdle(service);
      const bareStack = await startBareStack(service, service.databaseUrl);
      stops.push(bareStack.stop);
      await measureRows([bareStack, service]);
      await stopAll();
      await measureGrowth(ONE_MILLION, only, stops);
    }
  }
} finally {
  await stopAll();
}

async function start(name: string, checkout = ROOT) {
  const service = await startService(name, { checkout });
  stops.push(service.stop);
  return { ...service, accounts: await fill(service, WRITERS) };
}

async function measureRows(sides: [Target, Target]): Promise<void> {
  console.log(heading(sides));
  for (const row of ROWS.filter(({ name, clients }) => `${name} ${clients}`.startsWith(only))) {
    await measure(row, sides);
  }
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}
