/** Tests that inject each fault once, under load: no acknowledged entry is lost or doubled, and no response is wrong. */
import { afterAll, setDefaultTimeout, test } from 'bun:test';
import type { Kind } from './cluster-database.ts';
import type { Fault } from './fault.ts';
import { startRounds } from './round.ts';

const HOLD_MS = 300;
/** One after the other, in one round: accounts and audit take longer than a fault. More would use up keys and daily caps. */
const FAULTS_PER_ROUND = 5;
/** On a slow machine a process may take longer to start than the default deadline of a request, and 503 would be right. */
const DEADLINE = { REQUEST_TIMEOUT_MS: '30000' };

export async function testEach(kind: Kind, faults: readonly Fault[]): Promise<void> {
  // Long enough for a cluster that does not recover.
  setDefaultTimeout(300_000);
  const rounds = await startRounds(kind, DEADLINE);
  afterAll(rounds.stop);
  for (const round of roundsOf(faults.filter(rounds.isPossible))) {
    test(`${round.map(titleOf).join(', ')}: the books match the responses`, async () => {
      const seed = round.map(({ name }) => name).join();
      await rounds.run({ seed, faults: round, holdMs: HOLD_MS });
    });
  }
  for (const fault of faults) if (!rounds.isPossible(fault)) test.skip(fault.name, () => {});
}

const roundsOf = (faults: readonly Fault[]) =>
  faults.flatMap((_, n) => (n % FAULTS_PER_ROUND === 0 ? [faults.slice(n, n + FAULTS_PER_ROUND)] : []));

function titleOf({ name, failures }: Fault): string {
  const allowed =
    failures.length === 0 ? 'no request fails' : `requests fail only with ${failures.join(' or ')}`;
  return `${name} (${allowed})`;
}
