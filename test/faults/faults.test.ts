/** Injects every fault once, under load: no acknowledged entry is lost or doubled, and no response is wrong. */
import { afterAll, setDefaultTimeout, test } from 'bun:test';
import { CATALOGUE } from './catalogue/catalogue.ts';
import { type Cluster, startCluster } from './cluster.ts';
import type { Fault } from './fault.ts';
import { CLIENTS } from './round.ts';
import { attempt } from './soak.ts';
import { Statistics } from './statistics.ts';

// Long enough for a cluster that does not recover, and for shrinking the failed round.
setDefaultTimeout(300_000);

const HOLD_MS = 400;

let cluster: Cluster = await startCluster();
const statistics = new Statistics();
afterAll(async () => {
  console.log(`${statistics}`);
  await cluster.stop();
});

for (const fault of CATALOGUE) {
  test.skipIf(fault.isPossible?.(cluster) === false)(titleOf(fault), () => survive(fault));
}

async function survive(fault: Fault): Promise<void> {
  const plan = { seed: fault.name, faults: [fault], holdMs: HOLD_MS, clients: CLIENTS };
  const failure = await attempt(cluster, plan, (round) => statistics.add(round));
  if (failure === undefined) return;
  // The next fault needs a clean cluster.
  await cluster.stop();
  cluster = await startCluster();
  throw new Error(failure);
}

function titleOf({ name, failures }: Fault): string {
  const allowed =
    failures.length === 0 ? 'no request fails' : `requests fail only with ${failures.join(' or ')}`;
  return `${name}: ${allowed}, and the books match the responses`;
}
