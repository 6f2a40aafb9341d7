/**
 * A round that failed, tried again with less: the fewer clients and faults still fail, the shorter the
 * story.
 */
import type { Cluster } from './cluster.ts';
import { playRound, type Round, type RoundOptions } from './round.ts';

const ATTEMPTS_MAX = 4;

/** @returns the last round that still failed: the one given, when nothing simpler does */
export async function simplify(cluster: Cluster, failed: Round): Promise<Round> {
  let simplest = failed;
  let attempts = 0;
  for (const options of simpler(failed)) {
    if (++attempts > ATTEMPTS_MAX) break;
    const plan = { ...options, faults: narrower(options, simplest) };
    // A fault may need more clients than are left.
    const again = await playRound(cluster, plan).catch(() => undefined);
    if (again?.violations.some(({ rule }) => rule === failed.violations[0]?.rule)) simplest = again;
  }
  return simplest;
}

/** Each fault alone; then the clients of the account in question alone; then one of them. */
function* simpler({ seed, faults, holdMs, crew, violations, accounts }: Round): Generator<RoundOptions> {
  if (faults.length > 1) for (const fault of faults) yield { seed, holdMs, crew, faults: [fault] };
  const account = accounts.get(violations[0]?.accountId ?? '');
  const concerned = crew.filter((role) => role.account === account);
  if (concerned.length > 0 && concerned.length < crew.length) yield { seed, holdMs, faults, crew: concerned };
  if (concerned.length > 1) yield { seed, holdMs, faults, crew: concerned.slice(0, 1) };
}

/** Once a fault alone has failed, it stays alone. */
function narrower({ faults }: RoundOptions, simplest: Round): RoundOptions['faults'] {
  return faults.length > simplest.faults.length ? simplest.faults : faults;
}
