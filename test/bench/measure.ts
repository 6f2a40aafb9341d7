/** Measures a row on two services, and prints the second beside the first. Ratios are of the rounds: median, minimum, maximum. */
import { cpuSeconds, LOAD_GENERATOR } from './cpu.ts';
import { interleave, type Measured, type Schedule } from './interleave.ts';
import type { Row } from './rows.ts';
import { newSide } from './side.ts';
import { type Spread, spread } from './statistics.ts';
import { rememberKeys, type Target } from './target.ts';

export type Times = Pick<Schedule, 'seconds' | 'rounds'>;

export async function measure(
  { name, clients, by, requests }: Row,
  targets: readonly Target[],
  times: Times,
) {
  for (const target of targets) await rememberKeys(target, target.accounts[by]);
  const pids = new Map(targets.flatMap((target) => [...target.pids]));
  const sides = targets.map((target) => newSide(target, requests(target.accounts[by])));
  const [first, second] = await interleave(sides, { ...times, clients }, () => cpuSeconds(pids));
  if (first === undefined || second === undefined) return;
  console.log(line(name, clients, first, second));
  for (const { side, rounds } of [first, second]) {
    for (const [result, count] of rounds.flatMap(({ failures }) => Object.entries(failures))) {
      console.log(`    FAILED: ${side}: ${count} × ${result}`);
      process.exitCode = 1;
    }
  }
}

export function heading([first, second]: readonly [Target, Target]): string {
  const what = `${first.name} -> ${second.name}, ratio`;
  return [
    'workload'.padEnd(10),
    'clients',
    `requests/s: ${what}`.padEnd(44),
    `p50 ms: ${what}`.padEnd(44),
    `µs of CPU per request: ${what} (by process)`,
  ].join('  ');
}

function line(name: string, clients: number, first: Measured, second: Measured): string {
  const figures = (of: (round: Measured['rounds'][number]) => number, digits: number) => {
    const [one, other] = [first.rounds.map(of), second.rounds.map(of)];
    const ratio = spread(other.map((value, round) => value / (one[round] ?? Number.NaN)));
    const text = `${spread(one).median.toFixed(digits)} -> ${spread(other).median.toFixed(digits)}`;
    return `${text}, ${ratioText(ratio)}`.padEnd(44);
  };
  return [
    name.padEnd(10),
    String(clients).padStart(7),
    figures(({ requests, seconds }) => requests / seconds, 0),
    figures(({ p50Ms }) => p50Ms, 2),
    cpuText(first, second),
  ].join('  ');
}

const ratioText = ({ median, min, max }: Spread) =>
  `× ${median.toFixed(2)} (${min.toFixed(2)}..${max.toFixed(2)})`;

function cpuText(first: Measured, second: Measured): string {
  const [one, other] = [cpuOf(first), cpuOf(second)];
  const sum = (costs: Map<string, number>) => [...costs.values()].reduce((all, each) => all + each, 0);
  const text = (name: string) => [one, other].map((costs) => costs.get(name)?.toFixed(0) ?? '-').join(' -> ');
  const parts = [...new Set([...one.keys(), ...other.keys()])].map((name) => `${name} ${text(name)}`);
  const [all, allOther] = [sum(one), sum(other)];
  return `${all.toFixed(0)} -> ${allOther.toFixed(0)}, × ${(allOther / all).toFixed(2)} (${parts.join(', ')})`;
}

/** µs per request by the process of a side, without those of the other side. Empty where it cannot be measured. */
function cpuOf({ side, rounds }: Measured): Map<string, number> {
  const requests = rounds.reduce((sum, round) => sum + round.requests, 0);
  const names = Object.keys(rounds[0]?.cpu ?? {}).filter((name) => name !== LOAD_GENERATOR);
  return new Map(
    names
      .filter((name) => name.startsWith(`${side}: `))
      .map((name) => {
        const seconds = rounds.reduce((sum, { cpu }) => sum + (cpu?.[name] ?? 0), 0);
        return [name.slice(side.length + 2), (seconds / requests) * 1e6];
      }),
  );
}
