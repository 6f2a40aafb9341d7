/** Round after round of faults, chosen by a seed, until the time is up. */

import { sealedOtherwise } from './books.ts';
import { CATALOGUE } from './catalogue/catalogue.ts';
import { type Cluster, startCluster } from './cluster.ts';
import type { Fault } from './fault.ts';
import { Figures, faultsOf } from './figures.ts';
import { type Random, random } from './random.ts';
import { CREW, playRound, type Round, type RoundOptions } from './round.ts';
import { simplify } from './simplify.ts';
import { storyOf } from './story.ts';

export interface SoakOptions {
  minutes: number;
  seed: string;
  /** Names; none: every fault. */
  faults: string[];
  /** Only this round of the seed's schedule. */
  round?: number;
  report: (text: string) => void;
}

const FAILED_ROUNDS_MAX = 5;
const HOLD_MS_MAX = 6_000;
// Now and then longer than any request may take: then it has to be told that it failed.
const LONG_CHANCE = 0.15;
const LONG_HOLD_MS = [11_000, 14_000] as const;

/** @returns the figures, and in how many rounds something was violated */
export async function soak(options: SoakOptions): Promise<{ figures: Figures; failedRounds: number }> {
  const { seed, report } = options;
  const figures = new Figures();
  let cluster = await startCluster();
  let sealed: Round['sealed'][] = [];
  let failedRounds = 0;
  const first = options.round ?? 1;
  const end = performance.now() + options.minutes * 60_000;
  const isDue = (n: number) => (options.round === undefined ? performance.now() < end : n === options.round);
  try {
    for (let n = first; isDue(n) && failedRounds < FAILED_ROUNDS_MAX; n++) {
      const plan = planOf(seed, n, possible(cluster, options.faults));
      const failure = await attempt(cluster, plan, (round) => {
        figures.add(round);
        sealed.push(round.sealed);
        report(`${n}  ${faultsOf(round)}, ${plan.holdMs} ms: ${round.violations.length} violations`);
      });
      if (failure === undefined) continue;
      failedRounds++;
      report(`Round ${n} of seed ${options.seed} failed.\n${failure}`);
      // Whatever it left must not spoil the next.
      await cluster.stop();
      cluster = await startCluster();
      sealed = [];
    }
    const changed = await sealedOtherwise(cluster.sql, sealed);
    for (const each of changed) report(`Books that had been audited are not as they were: ${each}`);
    return { figures, failedRounds: failedRounds + changed.length };
  } finally {
    await cluster.stop();
  }
}

/** @returns the story, when the round failed */
export async function attempt(
  cluster: Cluster,
  plan: RoundOptions,
  onRound: (round: Round) => void,
): Promise<string | undefined> {
  try {
    const round = await playRound(cluster, plan);
    onRound(round);
    if (round.violations.length === 0) return undefined;
    return storyOf(await simplify(cluster, round));
  } catch (error) {
    return `The round could not be played to its end: ${Bun.inspect(error)}`;
  }
}

function possible(cluster: Cluster, names: string[]): Fault[] {
  return CATALOGUE.filter(({ name }) => names.length === 0 || names.includes(name)).filter(
    ({ isPossible }) => isPossible?.(cluster) ?? true,
  );
}

/** Every fault comes once before any comes again. */
function planOf(seed: string, n: number, faults: Fault[]): RoundOptions {
  const turn = Math.floor((n - 1) / faults.length);
  const deck = shuffled(faults, random(`${seed}/turn ${turn}`));
  const fault = deck[(n - 1) % faults.length] as Fault;
  const own = random(`${seed}/${n}`);
  const others = faults.filter(({ part }) => part !== fault.part && part !== 'everything');
  const isPair = fault.part !== 'everything' && others.length > 0 && own.chance(0.2);
  return {
    seed: `${seed}/${n}`,
    faults: isPair ? [fault, own.pick(others)] : [fault],
    holdMs: own.chance(LONG_CHANCE) ? own.int(...LONG_HOLD_MS) : own.int(200, own.int(400, HOLD_MS_MAX)),
    crew: CREW,
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
