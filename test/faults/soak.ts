/** Runs rounds of faults, chosen by a seed, until the time is up. */
import { changesSince } from './books.ts';
import { CATALOGUE } from './catalogue/catalogue.ts';
import { type Cluster, startCluster } from './cluster.ts';
import type { Kind } from './cluster-database.ts';
import { failureReport } from './failure-report.ts';
import type { Fault } from './fault.ts';
import { type Random, random } from './random.ts';
import { CLIENTS, type Round, type RoundOptions, runRound } from './round.ts';
import { faultNames, Statistics } from './statistics.ts';

export interface SoakOptions {
  kind: Kind;
  minutes: number;
  seed: string;
  /** Names of faults; empty: all faults. */
  faults: string[];
  /** Only this round of the seed's schedule. */
  round?: number;
  report: (text: string) => void;
}

const FAILED_ROUNDS_MAX = 5;
const HOLD_MS_MAX = 6_000;
// Sometimes longer than the deadline of a request, so that requests must fail.
const LONG_CHANCE = 0.15;
const LONG_HOLD_MS = [11_000, 14_000] as const;

/** @returns the statistics and the number of rounds with violations */
export async function soak(options: SoakOptions): Promise<{ statistics: Statistics; failedRounds: number }> {
  const { seed, report } = options;
  const statistics = new Statistics();
  let cluster = await startCluster(options.kind);
  let audited: Round['audited'][] = [];
  let failedRounds = 0;
  const first = options.round ?? 1;
  const end = performance.now() + options.minutes * 60_000;
  const isDue = (n: number) => (options.round === undefined ? performance.now() < end : n === options.round);
  try {
    for (let n = first; isDue(n) && failedRounds < FAILED_ROUNDS_MAX; n++) {
      const plan = planOf(seed, n, possible(cluster, options));
      const failure = await attempt(cluster, plan, (round) => {
        statistics.add(round);
        audited.push(round.audited);
        report(`${n}  ${faultNames(round)}, ${plan.holdMs} ms: ${round.violations.length} violations`);
      });
      if (failure === undefined) continue;
      failedRounds++;
      report(`Round ${n} of seed ${options.seed} failed.\n${failure}`);
      // The next round needs a clean cluster.
      await cluster.stop();
      cluster = await startCluster(options.kind);
      audited = [];
    }
    const changed = await changesSince(cluster.database.sql, audited);
    for (const each of changed) report(`Audited books have changed: ${each}`);
    return { statistics, failedRounds: failedRounds + changed.length };
  } finally {
    await cluster.stop();
  }
}

/** @returns a report when the round failed */
export async function attempt(
  cluster: Cluster,
  plan: RoundOptions,
  onRound: (round: Round) => void,
): Promise<string | undefined> {
  try {
    const round = await runRound(cluster, plan);
    onRound(round);
    if (round.violations.length === 0) return undefined;
    return failureReport(round);
  } catch (error) {
    return `The round could not be completed: ${Bun.inspect(error)}`;
  }
}

function possible(cluster: Cluster, { kind, faults: names }: SoakOptions): Fault[] {
  return CATALOGUE[kind]
    .filter(({ name, onlyByName }) => (names.length === 0 ? !onlyByName : names.includes(name)))
    .filter(({ isPossible }) => isPossible?.(cluster) ?? true);
}

/** Every fault is used once before any is repeated. */
function planOf(seed: string, n: number, faults: Fault[]): RoundOptions {
  const cycle = Math.floor((n - 1) / faults.length);
  const deck = shuffled(faults, random(`${seed}/turn ${cycle}`));
  const fault = deck[(n - 1) % faults.length] as Fault;
  const own = random(`${seed}/${n}`);
  const others = faults.filter(({ part }) => part !== fault.part && part !== 'everything');
  const isPair = fault.part !== 'everything' && others.length > 0 && own.chance(0.2);
  return {
    seed: `${seed}/${n}`,
    steps: [isPair ? [fault, own.pick(others)] : [fault]],
    holdMs: own.chance(LONG_CHANCE) ? own.int(...LONG_HOLD_MS) : own.int(200, own.int(400, HOLD_MS_MAX)),
    clients: CLIENTS,
  };
}

function shuffled<Item>(items: readonly Item[], { int }: Random): Item[] {
  const deck = [...items];
  for (let last = deck.length - 1; last > 0; last--) {
    const other = int(0, last);
    [deck[last], deck[other]] = [deck[other] as Item, deck[last] as Item];
  }
  return deck;
}
