/**
 * Every fault once, under load: no acknowledged entry is lost, none doubled, and nobody is told what is not
 * so.
 */
import { afterAll, setDefaultTimeout, test } from 'bun:test';
import { CATALOGUE } from './catalogue/catalogue.ts';
import { type Cluster, startCluster } from './cluster.ts';
import type { Fault } from './fault.ts';
import { Figures } from './figures.ts';
import { CREW } from './round.ts';
import { attempt } from './soak.ts';

// A hang guard: a cluster that does not recover is waited for, and tried again with less.
setDefaultTimeout(300_000);

const HOLD_MS = 400;

let cluster: Cluster = await startCluster();
const figures = new Figures();
afterAll(async () => {
  console.log(`${figures}`);
  await cluster.stop();
});

for (const fault of CATALOGUE) {
  test.skipIf(fault.isPossible?.(cluster) === false)(titleOf(fault), () => survive(fault));
}

async function survive(fault: Fault): Promise<void> {
  const plan = { seed: fault.name, faults: [fault], holdMs: HOLD_MS, crew: CREW };
  const failure = await attempt(cluster, plan, (round) => figures.add(round));
  if (failure === undefined) return;
  // Whatever it left must not spoil the next.
  await cluster.stop();
  cluster = await startCluster();
  throw new Error(failure);
}

function titleOf({ name, failures }: Fault): string {
  const allowed =
    failures.length === 0 ? 'no request fails' : `requests fail by nothing but ${failures.join(' or ')}`;
  return `${name}: ${allowed}, and the books are as acknowledged`;
}
