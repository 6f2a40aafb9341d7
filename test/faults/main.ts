/** `bun run faults`: injects faults, chosen by a seed, for a number of minutes, and audits the books after each. */
import { parseArgs } from 'node:util';
import { CATALOGUE } from './catalogue/catalogue.ts';
import type { Fault } from './fault.ts';
import { failed, writesIn } from './history.ts';
import { random } from './random.ts';
import { type RoundOptions, startRounds } from './round.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    /** Only these faults. */
    fault: { type: 'string', multiple: true, default: [] },
    /** Only this round of the seed's schedule. */
    round: { type: 'string' },
    citus: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});
const { seed, fault: names, round: only } = values;
const kind = values.citus ? 'citus' : 'postgres';
const FAILED_ROUNDS_MAX = 5;

// The clean-up stops the cluster when this process has ended.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
if (values.list) console.log(CATALOGUE[kind].map(({ name }) => name).join('\n'));
else await soak();

/** Prints each round, and their sums. */
async function soak(): Promise<void> {
  console.log(`Seed ${seed}.`);
  const rounds = await startRounds(kind);
  const faults = CATALOGUE[kind]
    .filter(({ name }) => names.length === 0 || names.includes(name))
    .filter(rounds.isPossible);
  if (faults.length === 0) throw new Error('There is no such fault: --list shows the names.');
  const sums = { rounds: 0, requests: 0, acknowledged: 0, failed: 0, 'longest recovery (ms)': 0 };
  let failedRounds = 0;
  const end = performance.now() + Number(values.minutes) * 60_000;
  const isDue = (n: number) => (only === undefined ? performance.now() < end : n === Number(only));
  for (let n = Number(only ?? 1); isDue(n) && failedRounds < FAILED_ROUNDS_MAX; n++) {
    const plan = planOf(n, faults);
    console.log(`${n}  ${plan.faults[0]?.name}, ${plan.holdMs} ms`);
    try {
      const { history, recoveryMs } = await rounds.run(plan);
      sums.rounds++;
      sums.requests += history.requests.length;
      for (const { response } of writesIn(history)) sums.acknowledged += response?.created ?? 0;
      sums.failed += history.requests.filter((each) => failed(each) && each.outcome !== 'abandoned').length;
      sums['longest recovery (ms)'] = Math.max(sums['longest recovery (ms)'], Math.round(recoveryMs));
    } catch (error) {
      failedRounds++;
      process.exitCode = 1;
      console.log(`Round ${n} of seed ${seed} failed: ${error}`);
    }
  }
  console.log(sums);
  await rounds.stop();
}

/** Every fault is used once before any is repeated. */
function planOf(n: number, faults: readonly Fault[]): RoundOptions {
  const { int } = random(`${seed}/turn ${Math.floor((n - 1) / faults.length)}`);
  const places = new Map(faults.map((fault) => [fault, int(0, 1_000_000)]));
  const deck = faults.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
  const own = random(`${seed}/${n}`);
  // Sometimes longer than the deadline of a request, so that requests must fail.
  const holdMs = own.chance(0.15) ? own.int(11_000, 14_000) : own.int(200, own.int(400, 6_000));
  return { seed: `${seed}/${n}`, faults: [deck[(n - 1) % faults.length] as Fault], holdMs };
}
