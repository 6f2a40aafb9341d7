/** What can be said on the command line. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { GROUPS, type Group } from './workload.ts';

export interface Flags {
  only: Group[];
  entries: number[];
  clients: number[];
  seconds: number;
  rounds: number;
  accounts: number;
  growth: number;
  json: string;
}

export function readFlags(): Flags {
  return new Command('bench')
    .description(
      'Measures the service on a system of its own against the bare database and a usual build, in turns.',
    )
    .option('--only <names>', `some of ${GROUPS.join()}`, groups, [...GROUPS])
    .option('--entries <numbers>', 'entries per POST', numbers, [1, 10, 100, 500])
    .option('--clients <numbers>', 'clients at a time', numbers, [1, 8, 32, 128])
    .option('--seconds <number>', 'of each side in each round', positive, 0.5)
    .option('--rounds <number>', 'how often the sides take turns', positive, 3)
    .option('--accounts <number>', 'accounts in the books', positive, 10_000)
    .option(
      '--growth <number>',
      'entries in the large books: 10000000 takes some minutes more',
      positive,
      1_000_000,
    )
    .option('--json <file>', 'where the figures go', join(tmpdir(), 'bench-result.json'))
    .parse()
    .opts<Flags>();
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

function numbers(text: string): number[] {
  return text.split(',').map(positive);
}

function groups(text: string): Group[] {
  return text.split(',').map((name) => {
    const group = GROUPS.find((each) => each === name);
    if (group === undefined) throw new InvalidArgumentError(`${name} is none of ${GROUPS.join()}.`);
    return group;
  });
}
