/** Rounds in one cluster. After a round that failed, the next one gets a clean cluster. */

import { startCluster } from './cluster.ts';
import type { Kind } from './cluster-database.ts';
import type { Fault } from './fault.ts';
import { lineOf } from './linearizability/requests.ts';
import { type Round, type RoundOptions, runRound } from './round.ts';

/** @param env of the gateways */
export async function startRounds(kind: Kind, env: Record<string, string> = {}) {
  let cluster = await startCluster(kind, env);
  return {
    /** Whether this machine allows the fault. */
    isPossible: (fault: Fault) => fault.isPossible?.(cluster) ?? true,
    /** @throws Error with a report when the round failed */
    async run(options: RoundOptions): Promise<Round> {
      try {
        const round = await runRound(cluster, options);
        if (round.violations.length > 0) throw new Error(reportOf(round));
        return round;
      } catch (error) {
        await cluster.stop();
        cluster = await startCluster(kind, env);
        throw error;
      }
    },
    stop: () => cluster.stop(),
  };
}

const LINES_MAX = 40;

/** The first violation of each rule, the faults, and the requests of the account without a success. */
function reportOf({ violations, history, seed, holdMs, faults }: Round): string {
  const names = faults.map(({ name }) => name).join(', ');
  const head = `${violations.length} violations: ${names}; seed ${seed}, held for ${holdMs} ms`;
  const firsts = [...Map.groupBy(violations, ({ rule }) => rule).values()].flatMap(([first]) => first ?? []);
  const actions = history.disturbances.map(({ begun, what }) => ({ begun, line: `*** ${what}` }));
  const details = firsts.map(({ rule, text, accountId }) => {
    const requests = history.requests
      .filter((request) => ['', request.accountId].includes(accountId) && !request.response)
      .map((request) => ({
        begun: request.begun,
        line: `${request.kind === 'me' ? '/me' : lineOf(request)}, ${request.outcome}`,
      }));
    const lines = [...actions, ...requests]
      .sort((a, b) => a.begun - b.begun)
      .map(({ begun, line }) => `    ${Math.round(begun)}  ${line}`);
    return [`  ${rule}: ${text}`, ...lines.slice(0, LINES_MAX)].join('\n');
  });
  return [head, ...details].join('\n');
}
