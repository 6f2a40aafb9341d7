/** Shrinks a failed round: repeats it with fewer faults and clients, for a shorter report. */
import type { Cluster } from './cluster.ts';
import { type Round, type RoundOptions, runRound } from './round.ts';

const ATTEMPTS_MAX = 4;

/** @returns the smallest round that still fails; `failed` itself when no smaller one does */
export async function shrink(cluster: Cluster, failed: Round): Promise<Round> {
  let smallest = failed;
  let attempts = 0;
  for (const options of smallerThan(failed)) {
    if (++attempts > ATTEMPTS_MAX) break;
    const plan = { ...options, faults: narrower(options, smallest) };
    // A fault may not work with fewer clients.
    const again = await runRound(cluster, plan).catch(() => undefined);
    if (again?.violations.some(({ rule }) => rule === failed.violations[0]?.rule)) smallest = again;
  }
  return smallest;
}

/** Each fault alone; then only the clients of the violation's account; then one of these. */
function* smallerThan({
  seed,
  faults,
  holdMs,
  clients,
  violations,
  accounts,
}: Round): Generator<RoundOptions> {
  if (faults.length > 1) for (const fault of faults) yield { seed, holdMs, clients, faults: [fault] };
  const account = accounts.get(violations[0]?.accountId ?? '');
  const involved = clients.filter((client) => client.account === account);
  if (involved.length > 0 && involved.length < clients.length)
    yield { seed, holdMs, faults, clients: involved };
  if (involved.length > 1) yield { seed, holdMs, faults, clients: involved.slice(0, 1) };
}

/** Once a single fault has failed, later attempts use it alone. */
function narrower({ faults }: RoundOptions, smallest: Round): RoundOptions['faults'] {
  return faults.length > smallest.faults.length ? smallest.faults : faults;
}
