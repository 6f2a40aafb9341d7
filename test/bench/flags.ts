/** The command line of `bun run bench`. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { GROUPS, type Group } from './workload.ts';

export interface Flags {
  only: Group[];
  entries: number[];
  clients: number[];
  seconds: number;
  /** Absent: the default of what is measured. */
  rounds: number | undefined;
  accounts: number;
  growth: number;
  json: string;
  against: string | undefined;
  minutes: number | undefined;
}

export function readFlags(): Flags {
  return new Command('bench')
    .description(
      'Measures the service against the bare database and a conventional implementation, in alternating rounds.',
    )
    .option('--only <names>', `some of ${GROUPS.join()}`, groups, [...GROUPS])
    .option('--entries <numbers>', 'entries per POST', numbers, [1, 100, 500])
    .option('--clients <numbers>', 'numbers of parallel clients', numbers, [1, 8, 32, 128])
    .option('--seconds <number>', 'seconds per side and round', positive, 0.5)
    .option('--rounds <number>', 'number of rounds', positive)
    .option('--accounts <number>', 'accounts in the books', positive, 10_000)
    .option(
      '--growth <number>',
      'entries in the large books; 10000000 takes some minutes longer',
      positive,
      1_000_000,
    )
    .option('--json <file>', 'output file for all figures', join(tmpdir(), 'bench-result.json'))
    .option(
      '--against <directory>',
      'measures nothing but this tree and the one in the directory, alternately',
    )
    .option(
      '--minutes <number>',
      'measures nothing but the memory, for so long under the heaviest load',
      positive,
    )
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
    if (group === undefined) throw new InvalidArgumentError(`${name} is not one of ${GROUPS.join()}.`);
    return group;
  });
}
