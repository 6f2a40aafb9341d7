/** Runs rounds of faults, chosen by a seed, until the time is up. */
import { startAttempts } from './attempt.ts';
import { checksumOf } from './books.ts';
import { CATALOGUE } from './catalogue/catalogue.ts';
import type { Kind } from './cluster-database.ts';
import type { Fault } from './fault.ts';
import { type Random, random } from './random.ts';
import { faultNames } from './report.ts';
import { CLIENTS, type RoundOptions } from './round.ts';

export interface SoakOptions {
  kind: Kind;
  minutes: number;
  seed: string;
  /** Names of faults; empty: all faults. */
  faults: string[];
  /** Only this round of the seed's schedule. */
  round: number | undefined;
}

const FAILED_ROUNDS_MAX = 5;
const HOLD_MS_MAX = 6_000;
// Sometimes longer than the deadline of a request, so that requests must fail.
const LONG_CHANCE = 0.15;
const LONG_HOLD_MS = [11_000, 14_000] as const;

/** Prints the rounds and statistics. @returns the number of rounds that failed */
export async function soak({ kind, minutes, seed, faults, round: only }: SoakOptions): Promise<number> {
  const attempts = await startAttempts(kind);
  /** The audited books by their accounts, which must not change afterwards. */
  let audited = new Map<string[], string>();
  let failedRounds = 0;
  const end = performance.now() + minutes * 60_000;
  const isDue = (n: number) => (only === undefined ? performance.now() < end : n === only);
  const usable = CATALOGUE[kind]
    .filter(({ name, onlyByName }) => (faults.length === 0 ? !onlyByName : faults.includes(name)))
    .filter(({ isPossible }) => isPossible?.(attempts.cluster) ?? true);
  try {
    for (let n = only ?? 1; isDue(n) && failedRounds < FAILED_ROUNDS_MAX; n++) {
      const plan = planOf(seed, n, usable);
      const failure = await attempts.attempt(plan, async (round) => {
        const { accountIds, violations } = round;
        audited.set(accountIds, await checksumOf(attempts.cluster.database.sql, accountIds));
        console.log(`${n}  ${faultNames(round)}, ${plan.holdMs} ms: ${violations.length} violations`);
      });
      if (failure === undefined) continue;
      failedRounds++;
      console.log(`Round ${n} of seed ${seed} failed.\n${failure}`);
      audited = new Map();
    }
    for (const [accountIds, checksum] of audited) {
      const now = await checksumOf(attempts.cluster.database.sql, accountIds);
      if (now === checksum) continue;
      failedRounds++;
      console.log(`Audited books have changed: ${accountIds.join(', ')}: ${checksum}, now ${now}`);
    }
    console.log(`\n${attempts.statistics}`);
    return failedRounds;
  } finally {
    await attempts.stop();
  }
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

const shuffled = <Item>(items: readonly Item[], { int }: Random): Item[] =>
  items
    .map((item) => ({ item, place: int(0, 1_000_000) }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
