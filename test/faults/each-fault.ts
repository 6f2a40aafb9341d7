/** Tests that inject each fault once, under load: no acknowledged entry is lost or doubled, and no response is wrong. */
import { afterAll, setDefaultTimeout, test } from 'bun:test';
import { type Cluster, startCluster } from './cluster.ts';
import type { Kind } from './cluster-database.ts';
import type { Fault } from './fault.ts';
import { CLIENTS } from './round.ts';
import { attempt } from './soak.ts';
import { Statistics } from './statistics.ts';

const HOLD_MS = 300;
/** One after the other, in one round: accounts and audit take longer than a fault. More would use up keys and daily caps. */
const FAULTS_PER_ROUND = 3;
/** One client of each behaviour. `bun run faults` has more of them, and for longer. */
const FEW_CLIENTS = [...Map.groupBy(CLIENTS, ({ account }) => account).values()].flatMap(
  ([first]) => first ?? [],
);

export async function testEach(kind: Kind, catalogue: readonly Fault[]): Promise<void> {
  const faults = catalogue.filter(({ onlyByName }) => !onlyByName);
  // Long enough for a cluster that does not recover.
  setDefaultTimeout(300_000);
  let cluster = await startCluster(kind);
  const statistics = new Statistics();
  afterAll(async () => {
    console.log(`${statistics}`);
    await cluster.stop();
  });

  const survive = async (round: readonly Fault[]) => {
    const seed = round.map(({ name }) => name).join();
    const plan = { seed, steps: round.map((fault) => [fault]), holdMs: HOLD_MS, clients: FEW_CLIENTS };
    const failure = await attempt(cluster, plan, (each) => statistics.add(each));
    if (failure === undefined) return;
    // The next faults need a clean cluster.
    await cluster.stop();
    cluster = await startCluster(kind);
    throw new Error(failure);
  };
  for (const round of roundsOf(faults.filter((fault) => isPossible(fault, cluster)))) {
    test(`${round.map(titleOf).join(', ')}: the books match the responses`, () => survive(round));
  }
  for (const fault of faults) if (!isPossible(fault, cluster)) test.skip(fault.name, () => {});
}

const isPossible = (fault: Fault, cluster: Cluster) => fault.isPossible?.(cluster) ?? true;

/** What a fault rules out of the audit, it rules out for its whole round. So those that do share rounds. */
function roundsOf(faults: readonly Fault[]): Fault[][] {
  const alike = Map.groupBy(
    faults,
    ({ disturbsRedis, movesRows }) => `${disturbsRedis ?? false} ${movesRows ?? false}`,
  );
  return [...alike.values()].flatMap((group) =>
    group.flatMap((_, n) => (n % FAULTS_PER_ROUND === 0 ? [group.slice(n, n + FAULTS_PER_ROUND)] : [])),
  );
}

function titleOf({ name, failures }: Fault): string {
  const allowed =
    failures.length === 0 ? 'no request fails' : `requests fail only with ${failures.join(' or ')}`;
  return `${name} (${allowed})`;
}
