/** The performance goals, and whether a run reached them. */
import { CONTROL, REFERENCE } from './books.ts';
import type { Memory } from './memory.ts';
import { failuresOf, type Measured, p50, type Result, rateRatio } from './result.ts';
import { BARE } from './work.ts';
import { COPY } from './workloads/floor.ts';

export interface Verdict {
  goal: string;
  measured: string;
  /** Undefined: a figure without a goal. */
  reached: boolean | undefined;
}

const BATCH_RATIO_MIN = 0.9;
const SINGLE_RATIO_MIN = 1.5;
const SINGLE_CLIENTS = 32;
const P50_OVER_BARE_MS_MAX = 0.5;
const PAGE_RATIO_MIN = 0.5;
const SINGLE_OVER_REFERENCE_MIN = 2;
const GROWTH_CHANGE_MAX = 0.15;
const MEMORY_MB_MAX = 150;
const MEMORY_CHANGE_MAX = 0.1;

export function verdictsOn(results: readonly Result[]): Verdict[] {
  return results.flatMap((result) => {
    const failed = failuresOf(result).map((failure) => ({
      goal: failure,
      measured: 'FAILED',
      reached: false,
    }));
    if (failed.length > 0) return failed;
    return [
      ...againstBare(result),
      ...againstReference(result),
      ...afterGrowth(result),
      ...againstFloor(result),
    ];
  });
}

function againstBare(result: Result): Verdict[] {
  const { group, name, clients } = result;
  const where = `${name}, ${clients} ${clients === 1 ? 'client' : 'clients'}`;
  const [service, bare] = [result.measured[0], sideOf(result, BARE)];
  if (service === undefined || bare === undefined) return [];
  const atLeast = (min: number): Verdict => {
    const { median } = rateRatio(service, bare);
    const goal = `${where}: at least ${min} of the bare call`;
    return { goal, measured: median.toFixed(2), reached: median >= min };
  };
  const verdicts: Verdict[] = [];
  if (group === 'post' && name === 'POST 500') verdicts.push(atLeast(BATCH_RATIO_MIN));
  if (group === 'post' && name === 'POST 1' && clients === SINGLE_CLIENTS)
    verdicts.push(atLeast(SINGLE_RATIO_MIN));
  if (group === 'read' && name.startsWith('GET 50, first')) verdicts.push(atLeast(PAGE_RATIO_MIN));
  if (group === 'post' && name === 'POST 1' && clients === 1) {
    const over = p50(service) - p50(bare);
    verdicts.push({
      goal: `${where}: p50 at most ${P50_OVER_BARE_MS_MAX} ms over the bare call`,
      measured: `${over.toFixed(2)} ms`,
      reached: over <= P50_OVER_BARE_MS_MAX,
    });
  }
  return verdicts;
}

function againstReference(result: Result): Verdict[] {
  const { name, clients, group } = result;
  const [service, reference] = [result.measured[0], sideOf(result, REFERENCE)];
  if (service === undefined || reference === undefined || group === 'rate') return [];
  const min = group === 'post' && name === 'POST 1' ? SINGLE_OVER_REFERENCE_MIN : 1;
  const { median } = rateRatio(service, reference);
  const goal = `${name}, ${clients} ${clients === 1 ? 'client' : 'clients'}: ${min === 1 ? 'ahead' : `${min} times`} of ${REFERENCE}`;
  return [{ goal, measured: median.toFixed(2), reached: min === 1 ? median > 1 : median >= min }];
}

function afterGrowth(result: Result): Verdict[] {
  const [large, small] = [result.measured[0], sideOf(result, CONTROL)];
  if (large === undefined || small === undefined) return [];
  const rate = rateRatio(large, small).median;
  const time = p50(large) / p50(small);
  return [
    {
      goal: `${result.name}: p50 and requests/s within 15 % of small books`,
      measured: `requests/s × ${rate.toFixed(2)}, p50 × ${time.toFixed(2)}`,
      // In both directions: if small books are much slower, the comparison is wrong and may hide an effect of growth.
      reached: [rate, time].every((each) => Math.abs(each - 1) <= GROWTH_CHANGE_MAX),
    },
  ];
}

function againstFloor(result: Result): Verdict[] {
  const [service, copy] = [result.measured[0], sideOf(result, COPY)];
  if (service === undefined || copy === undefined) return [];
  const cpu = ({ rounds }: Measured) => perEntry(rounds, ({ cpu }) => (cpu?.Postgres ?? Number.NaN) * 1e6);
  const wal = ({ rounds }: Measured) => perEntry(rounds, ({ walBytes }) => walBytes);
  const figure = (what: string, ours: number, floor: number): Verdict => ({
    goal: `${result.name}: ${what}`,
    measured: `${ours.toFixed(1)}, floor ${floor.toFixed(1)} (× ${(ours / floor).toFixed(2)})`,
    reached: undefined,
  });
  return [
    figure('µs of Postgres per entry', cpu(service), cpu(copy)),
    figure('bytes of WAL per entry', wal(service), wal(copy)),
  ];
}

function perEntry(rounds: Measured['rounds'], used: (round: Measured['rounds'][number]) => number): number {
  const entries = rounds.reduce((sum, round) => sum + round.entries, 0);
  return rounds.reduce((sum, round) => sum + used(round), 0) / entries;
}

export function verdictsOnMemory(memory: Record<string, Memory>): Verdict[] {
  return ['gateway', 'ledger worker'].flatMap((name) => {
    const used = memory[name];
    if (used === undefined) return [];
    const { peak, middle, end } = used;
    const change = end / middle - 1;
    return [
      {
        goal: `memory of the ${name} under the heaviest load: under ${MEMORY_MB_MAX} MB, flat`,
        measured: `peak ${peak.toFixed(0)} MB, ${(change * 100).toFixed(0)} % in the last third`,
        reached: peak < MEMORY_MB_MAX && change <= MEMORY_CHANGE_MAX,
      },
    ];
  });
}

function sideOf({ measured }: Result, name: string): Measured | undefined {
  return measured.slice(1).find(({ side }) => side === name);
}
