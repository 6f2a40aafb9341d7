/** `bun run faults`: injects faults for a number of minutes and audits the books after each. */
import { Command, InvalidArgumentError } from 'commander';
import { CATALOGUE } from './catalogue/catalogue.ts';
import type { Kind } from './cluster-database.ts';
import { soak } from './soak.ts';

interface Flags {
  minutes: number;
  seed: string;
  fault: string[];
  round?: number;
  citus?: true;
  list?: true;
}

const namesOf = (kind: Kind) => CATALOGUE[kind].map(({ name }) => name);
const NAMES = [...new Set([...namesOf('postgres'), ...namesOf('citus')])];

const command = new Command('faults')
  .description('Faults in a cluster of two gateways and two workers under load, and an audit after each.')
  .option('--minutes <number>', 'duration of the run', positive, 5)
  .option('--seed <text>', 'seed of all random choices', String(Date.now() % 1_000_000))
  .option('--fault <name>', 'only this fault (repeatable)', oneMore, [])
  .option('--round <number>', "only this round of the seed's schedule", positive)
  .option('--citus', 'a distributed database: a coordinator and two nodes of Citus in the place of Postgres')
  .option('--list', 'list the names of the faults and exit')
  .action(main);

async function main({ minutes, seed, fault: faults, round, citus, list }: Flags): Promise<void> {
  const kind = citus ? 'citus' : 'postgres';
  if (list) return console.log(namesOf(kind).join('\n'));
  console.log(`Seed ${seed}.`);
  const failedRounds = await soak({ kind, minutes, seed, faults, round });
  if (failedRounds > 0) throw new Error(`${failedRounds} rounds failed; seed ${seed}`);
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

function oneMore(name: string, others: string[]): string[] {
  if (!NAMES.includes(name)) throw new InvalidArgumentError('Use --list to see the names.');
  return [...others, name];
}

// The clean-up stops the cluster when this process has ended.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await command.parseAsync().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
