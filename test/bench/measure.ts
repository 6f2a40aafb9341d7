/** Measures a row on two services, and prints the second beside the first. Ratios are of the rounds: median, minimum, maximum. */
import { closedLoop, openConnections, quantile, type Request, type Sample } from './load.ts';
import { cpuSeconds, sum } from './processes.ts';
import type { Row } from './rows.ts';
import { rememberKeys, type Target } from './target.ts';

interface Round extends Sample {
  /** Seconds, by the name of a process of the side. */
  cpu: Map<string, number>;
  packets: number;
}

/** Seconds are those of each side in each round. */
const TIMES = { seconds: 0.5, rounds: 8 };
const WARM_UP_SECONDS = 0.5;
// For the first run, when no rate is known: more than one second can use.
const FIRST_REQUESTS = 20_000;
const FIRST_BYTES = 10_000_000;
const SPARE = 1.3;

export async function measure(row: Row, targets: readonly [Target, Target], times = TIMES): Promise<void> {
  const [first, second] = await interleave(row, targets, times);
  console.log(line(row, first, second));
  for (const [index, rounds] of [first, second].entries()) {
    for (const { failures } of rounds) {
      if (Object.keys(failures).length === 0) continue;
      console.log(`    FAILED: ${targets[index]?.name}: ${JSON.stringify(failures)}`);
      process.exitCode = 1;
    }
  }
}

async function openSide({ url, accounts }: Target, { by, clients, requests }: Row) {
  const next = requests(accounts[by]);
  const connections = await openConnections(url, clients);
  const render = (count: number) => Array.from({ length: count }, next);
  let loaded: Request[] = [];
  let perSecond = 0;
  return {
    /** Renders the requests for a run of so many seconds, outside of the measured time. */
    load(seconds: number) {
      perSecond ||= Math.min(FIRST_REQUESTS, FIRST_BYTES / (render(1)[0]?.bytes.length ?? 1));
      loaded = render(Math.ceil(perSecond * seconds * SPARE) + clients);
      Bun.gc(true);
    },
    async run(seconds: number): Promise<Sample> {
      const end = performance.now() + seconds * 1_000;
      const left = loaded.values();
      const next = () => (performance.now() < end ? left.next().value : undefined);
      const sample = await closedLoop(connections, next);
      perSecond = sample.times.length / sample.seconds;
      return sample;
    },
    close() {
      for (const connection of connections) connection.close();
    },
  };
}

/** In alternation, A B B A …, so that other load on the machine affects both sides equally. @returns the rounds of each side */
async function interleave(row: Row, targets: readonly [Target, Target], { seconds, rounds }: typeof TIMES) {
  const measured: [Round[], Round[]] = [[], []];
  const sides: Awaited<ReturnType<typeof openSide>>[] = [];
  try {
    for (const target of targets) {
      await rememberKeys(target, target.accounts[row.by]);
      sides.push(await openSide(target, row));
    }
    // New processes and connections are slower.
    for (const side of sides) {
      side.load(WARM_UP_SECONDS);
      await side.run(WARM_UP_SECONDS);
    }
    for (let round = 0; round < rounds; round++) {
      const order = [...sides.entries()];
      for (const [index, side] of round % 2 === 0 ? order : order.reverse()) {
        side.load(seconds);
        const { pids, packets = () => 0 } = targets[index] as Target;
        const before = cpuSeconds(pids);
        const packetsBefore = packets();
        const sample = await side.run(seconds);
        const cpu = [...cpuSeconds(pids)].map(([name, at]) => [name, at - (before.get(name) ?? 0)] as const);
        measured[index]?.push({ ...sample, cpu: new Map(cpu), packets: packets() - packetsBefore });
      }
    }
  } finally {
    for (const side of sides) side.close();
  }
  return measured;
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

function line({ name, clients }: Row, first: Round[], second: Round[]): string {
  const figures = (of: (round: Round) => number, digits: number) => {
    const [one, other] = [first.map(of), second.map(of)];
    const ratios = other.map((value, round) => value / (one[round] ?? Number.NaN));
    const [median, min, max] = [0.5, 0, 1].map((share) => quantile(ratios, share).toFixed(2));
    const medians = [one, other].map((values) => quantile(values, 0.5).toFixed(digits));
    return `${medians.join(' -> ')}, × ${median} (${min}..${max})`.padEnd(44);
  };
  return [
    name.padEnd(10),
    String(clients).padStart(7),
    figures(({ times, seconds }) => times.length / seconds, 0),
    figures(({ times }) => quantile(times, 0.5), 2),
    cpuText(cpuOf(first), cpuOf(second)),
    ...packetsText(second),
  ].join('  ');
}

function packetsText(rounds: Round[]): string[] {
  const [packets, requests] = [
    sum(rounds.map((round) => round.packets)),
    sum(rounds.map(({ times }) => times.length)),
  ];
  return packets === 0 ? [] : [`packets per request: ${(packets / requests).toFixed(2)}`];
}

function cpuText(one: Map<string, number>, other: Map<string, number>): string {
  const text = (name: string) => [one, other].map((costs) => costs.get(name)?.toFixed(0) ?? '-').join(' -> ');
  const parts = [...new Set([...one.keys(), ...other.keys()])].map((name) => `${name} ${text(name)}`);
  const [all = 0, allOther = 0] = [one, other].map((costs) => sum([...costs.values()]));
  return `${all.toFixed(0)} -> ${allOther.toFixed(0)}, × ${(allOther / all).toFixed(2)} (${parts.join(', ')})`;
}

/** µs per request, by process. Empty where it cannot be measured. */
function cpuOf(rounds: Round[]): Map<string, number> {
  const requests = sum(rounds.map(({ times }) => times.length));
  const names = [...(rounds[0]?.cpu.keys() ?? [])];
  const secondsOf = (name: string) => sum(rounds.map(({ cpu }) => cpu.get(name) ?? 0));
  return new Map(names.map((name) => [name, (secondsOf(name) / requests) * 1e6]));
}
