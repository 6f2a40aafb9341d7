/** Tests that inject each fault once, under load: no acknowledged entry is lost or doubled, and no response is wrong. */
import { afterAll, setDefaultTimeout, test } from 'bun:test';
import { startAttempts } from './attempt.ts';
import type { Cluster } from './cluster.ts';
import type { Kind } from './cluster-database.ts';
import type { Fault } from './fault.ts';
import { CLIENTS } from './round.ts';

const HOLD_MS = 300;
/** One after the other, in one round: accounts and audit take longer than a fault. More would use up keys and daily caps. */
const FAULTS_PER_ROUND = 5;
/** One client of each behaviour. `bun run faults` has more of them, and for longer. */
const FEW_CLIENTS = [...Map.groupBy(CLIENTS, ({ account }) => account).values()].flatMap(
  ([first]) => first ?? [],
);
/** On a slow machine a process may take longer to start than the default deadline of a request, and 503 would be right. */
const DEADLINE = { REQUEST_TIMEOUT_MS: '30000' };

export async function testEach(kind: Kind, catalogue: readonly Fault[]): Promise<void> {
  const faults = catalogue.filter(({ onlyByName }) => !onlyByName);
  // Long enough for a cluster that does not recover.
  setDefaultTimeout(300_000);
  const attempts = await startAttempts(kind, DEADLINE);
  afterAll(async () => {
    console.log(`${attempts.statistics}`);
    await attempts.stop();
  });

  for (const round of roundsOf(faults.filter((fault) => isPossible(fault, attempts.cluster)))) {
    test(`${round.map(titleOf).join(', ')}: the books match the responses`, async () => {
      const seed = round.map(({ name }) => name).join();
      const plan = { seed, steps: round.map((fault) => [fault]), holdMs: HOLD_MS, clients: FEW_CLIENTS };
      const failure = await attempts.attempt(plan);
      if (failure !== undefined) throw new Error(failure);
    });
  }
  for (const fault of faults) if (!isPossible(fault, attempts.cluster)) test.skip(fault.name, () => {});
}

const isPossible = (fault: Fault, cluster: Cluster) => fault.isPossible?.(cluster) ?? true;

/** What a fault rules out of the audit, it rules out for its whole round. So those that do share rounds. */
function roundsOf(faults: readonly Fault[]): Fault[][] {
  const alike = Map.groupBy(faults, ({ disturbsRedis, movesRows }) => `${disturbsRedis} ${movesRows}`);
  return [...alike.values()].flatMap((group) =>
    group.flatMap((_, n) => (n % FAULTS_PER_ROUND === 0 ? [group.slice(n, n + FAULTS_PER_ROUND)] : [])),
  );
}

function titleOf({ name, failures }: Fault): string {
  const allowed =
    failures.length === 0 ? 'no request fails' : `requests fail only with ${failures.join(' or ')}`;
  return `${name} (${allowed})`;
}
