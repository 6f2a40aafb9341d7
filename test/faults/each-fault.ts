/** Tests that inject each fault once, under load: no acknowledged entry is lost or doubled, and no response is wrong. */
import { afterAll, setDefaultTimeout, test } from 'bun:test';
import { startCluster } from './cluster.ts';
import type { Kind } from './cluster-database.ts';
import type { Fault } from './fault.ts';
import { CLIENTS } from './round.ts';
import { attempt } from './soak.ts';
import { Statistics } from './statistics.ts';

const HOLD_MS = 400;

export async function testEach(kind: Kind, faults: readonly Fault[]): Promise<void> {
  // Long enough for a cluster that does not recover, and for shrinking the failed round.
  setDefaultTimeout(300_000);
  let cluster = await startCluster(kind);
  const statistics = new Statistics();
  afterAll(async () => {
    console.log(`${statistics}`);
    await cluster.stop();
  });

  const survive = async (fault: Fault) => {
    const plan = { seed: fault.name, faults: [fault], holdMs: HOLD_MS, clients: CLIENTS };
    const failure = await attempt(cluster, plan, (round) => statistics.add(round));
    if (failure === undefined) return;
    // The next fault needs a clean cluster.
    await cluster.stop();
    cluster = await startCluster(kind);
    throw new Error(failure);
  };
  for (const fault of faults) {
    test.skipIf(fault.isPossible?.(cluster) === false)(titleOf(fault), () => survive(fault));
  }
}

function titleOf({ name, failures }: Fault): string {
  const allowed =
    failures.length === 0 ? 'no request fails' : `requests fail only with ${failures.join(' or ')}`;
  return `${name}: ${allowed}, and the books match the responses`;
}
