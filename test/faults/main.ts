/** `bun run faults`: breaks everything that can break, for as long as it is told, and audits the books. */
import { Command, InvalidArgumentError } from 'commander';
import { CATALOGUE } from './catalogue/catalogue.ts';
import { soak } from './soak.ts';

interface Flags {
  minutes: number;
  seed: string;
  fault: string[];
  round?: number;
  list?: true;
}

const NAMES = CATALOGUE.map(({ name }) => name);

const command = new Command('faults')
  .description('Faults in a cluster of two gateways and two workers under load, and an audit after each.')
  .option('--minutes <number>', 'how long to go on', positive, 5)
  .option('--seed <text>', 'what the choices follow from', String(Date.now() % 1_000_000))
  .option('--fault <name>', 'only this fault (may be given again)', oneMore, [])
  .option('--round <number>', "only this round of the seed's schedule", positive)
  .option('--list', 'name the faults and do nothing')
  .action(main);

async function main({ minutes, seed, fault: faults, round, list }: Flags): Promise<void> {
  if (list) return console.log(NAMES.join('\n'));
  console.log(`Seed ${seed}.`);
  const only = round === undefined ? {} : { round };
  const { figures, failedRounds } = await soak({ minutes, seed, faults, ...only, report: console.log });
  console.log(`\n${figures}`);
  if (failedRounds > 0) throw new Error(`${failedRounds} failed; seed ${seed}`);
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

function oneMore(name: string, others: string[]): string[] {
  if (!NAMES.includes(name)) throw new InvalidArgumentError('See --list for the names.');
  return [...others, name];
}

// A signal must let the cluster be taken down: the janitor does that when this process is gone.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await command.parseAsync().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
