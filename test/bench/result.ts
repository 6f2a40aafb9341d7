/** The result of one workload. */
import { LOAD_GENERATOR } from './cpu.ts';
import type { Measured, Round } from './interleave.ts';
import { type Spread, spread } from './statistics.ts';
import type { Group } from './workload.ts';

export type { Measured } from './interleave.ts';

export interface Result {
  group: Group;
  name: string;
  clients: number;
  measured: Measured[];
}

/** Requests per second of one side over another's, round by round. */
export function rateRatio(side: Measured, other: Measured): Spread {
  return spread(
    side.rounds.flatMap((round, index) => {
      const beside = other.rounds[index];
      return beside === undefined
        ? []
        : [round.requests / round.seconds / (beside.requests / beside.seconds)];
    }),
  );
}

/** ms */
export function p50({ rounds }: Measured): number {
  return spread(rounds.map(({ latencyMs }) => latencyMs.p50)).median;
}

/** CPU time of a component in µs per entry sent, or per request if the workload reads. NaN: not measured. */
export function cpuPerUnit({ group }: Result, { rounds }: Measured, component: string): number {
  const sum = (count: (round: Round) => number) => rounds.reduce((all, round) => all + count(round), 0);
  const entries = group === 'mixed' ? 0 : sum((round) => round.entries);
  const units = entries === 0 ? sum((round) => round.requests) : entries;
  const seconds = sum(({ cpu }) => cpu?.[component] ?? Number.NaN);
  return (seconds / units) * 1e6;
}

/** The CPU time of all servers, without the load generator, in the units of cpuPerUnit. */
export function cpuInAll(result: Result, side: Measured): number {
  const servers = Object.keys(side.rounds[0]?.cpu ?? {}).filter((name) => name !== LOAD_GENERATOR);
  return servers.reduce((sum, name) => sum + cpuPerUnit(result, side, name), 0);
}

/** Describes the unexpected responses. */
export function failuresOf({ name, clients, measured }: Result): string[] {
  return measured.flatMap(({ side, rounds }) =>
    rounds.flatMap(({ failures }) =>
      Object.entries(failures).map(
        ([response, count]) => `${name}, ${clients} clients, ${side}: ${count} × ${response}`,
      ),
    ),
  );
}
