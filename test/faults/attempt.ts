/** A cluster for rounds of faults: after a round that failed, the next one gets a clean cluster. */
import { type Cluster, startCluster } from './cluster.ts';
import type { Kind } from './cluster-database.ts';
import { failureReport, Statistics } from './report.ts';
import { type Round, type RoundOptions, runRound } from './round.ts';

export interface Attempts {
  readonly cluster: Cluster;
  readonly statistics: Statistics;
  /** @returns a report when the round failed */
  attempt(plan: RoundOptions, onRound?: (round: Round) => unknown): Promise<string | undefined>;
  stop(): Promise<void>;
}

/** @param env of the gateways */
export async function startAttempts(kind: Kind, env: Record<string, string> = {}): Promise<Attempts> {
  let cluster = await startCluster(kind, env);
  const statistics = new Statistics();

  async function failureOf(plan: RoundOptions, onRound: (round: Round) => unknown) {
    try {
      const round = await runRound(cluster, plan);
      statistics.add(round);
      await onRound(round);
      return round.violations.length === 0 ? undefined : failureReport(round);
    } catch (error) {
      return `The round could not be completed: ${Bun.inspect(error)}`;
    }
  }

  return {
    get cluster() {
      return cluster;
    },
    statistics,
    async attempt(plan, onRound = () => {}) {
      const failure = await failureOf(plan, onRound);
      if (failure === undefined) return undefined;
      await cluster.stop();
      cluster = await startCluster(kind, env);
      return failure;
    },
    stop: () => cluster.stop(),
  };
}
