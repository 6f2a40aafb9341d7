/** The performance goals, and whether a run reached them. */
import { BARE_STACK, CONTROL, REFERENCE } from './books.ts';
import { type IdleCpu, idleInAll, idleText } from './idle.ts';
import { MEMORY_BOUNDS, type Memory } from './memory.ts';
import { cpuInAll, failuresOf, type Measured, p50, type Result, rateRatio } from './result.ts';
import type { Unread } from './unread.ts';

export interface Verdict {
  goal: string;
  measured: string;
  /** Undefined: a figure without a goal. */
  reached: boolean | undefined;
}

const BATCH_RATIO_MIN = 0.92;
const BATCHES = new Set(['POST 100', 'POST 500']);
const BATCH_CLIENTS_MAX = 32;
const SINGLE_P50_MAX = 1.1;
const SINGLE_CPU_MAX = 1.3;
const SINGLE_OVER_REFERENCE_MIN = 2;
const GROWTH_CHANGE_MAX = 0.15;
const IDLE_MS_MAX = 5;
const MEMORY_CHANGE_MAX = 0.1;

export function verdictsOn(results: readonly Result[]): Verdict[] {
  return results.flatMap((result) => {
    const failed = failuresOf(result).map((failure) => ({
      goal: failure,
      measured: 'FAILED',
      reached: false,
    }));
    if (failed.length > 0) return failed;
    return [...againstBareStack(result), ...againstReference(result), ...afterGrowth(result)];
  });
}

/** Against the bare stack, which checks nothing: what the service adds to it. */
function againstBareStack(result: Result): Verdict[] {
  const { group, clients } = result;
  const [service, floor] = [result.measured[0], sideOf(result, BARE_STACK)];
  if (service === undefined || floor === undefined) return [];
  const where = placeOf(result);
  const { median } = rateRatio(service, floor);
  const rate = (min?: number): Verdict => ({
    goal: `${where}: requests/s${min === undefined ? ',' : ` at least ${min}`} of the ${BARE_STACK}`,
    measured: median.toFixed(2),
    reached: min === undefined ? undefined : median >= min,
  });
  const atMost = (what: string, ratio: number, max: number): Verdict => ({
    goal: `${where}: ${what} at most ${max} times the ${BARE_STACK}'s`,
    measured: ratio.toFixed(2),
    reached: ratio <= max,
  });
  if (group === 'post' && BATCHES.has(result.name) && clients <= BATCH_CLIENTS_MAX)
    return [rate(BATCH_RATIO_MIN)];
  if (group === 'post' && result.name === 'POST 1' && clients === 1) {
    return [
      atMost('p50', p50(service) / p50(floor), SINGLE_P50_MAX),
      atMost('CPU time', cpuInAll(result, service) / cpuInAll(result, floor), SINGLE_CPU_MAX),
    ];
  }
  return [rate()];
}

const placeOf = ({ name, clients }: Result) => `${name}, ${clients} ${clients === 1 ? 'client' : 'clients'}`;

function againstReference(result: Result): Verdict[] {
  const { name, group } = result;
  const [service, reference] = [result.measured[0], sideOf(result, REFERENCE)];
  if (service === undefined || reference === undefined) return [];
  const min = group === 'post' && name === 'POST 1' ? SINGLE_OVER_REFERENCE_MIN : 1;
  const { median } = rateRatio(service, reference);
  const goal = `${placeOf(result)}: ${min === 1 ? 'ahead' : `${min} times`} of ${REFERENCE}`;
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

export function verdictsOnIdle(idle: IdleCpu): Verdict[] {
  if (Object.keys(idle).length === 0) return [];
  const inAll = idleInAll(idle);
  return [
    {
      goal: `without requests: at most ${IDLE_MS_MAX} ms of CPU a second in all processes`,
      measured: `${inAll.toFixed(2)} (${idleText(idle)})`,
      reached: inAll <= IDLE_MS_MAX,
    },
  ];
}

export function verdictsOnMemory(memory: Record<string, Memory>): Verdict[] {
  return Object.entries(MEMORY_BOUNDS).flatMap(([name, bound]) => {
    const used = memory[name];
    if (used === undefined) return [];
    const { peak, middle, end } = used;
    const change = end / middle - 1;
    return [
      {
        goal: `memory of the ${name} with batches of 500: below its bound of ${bound} MiB, flat`,
        measured: `peak ${peak.toFixed(0)} MiB, ${(change * 100).toFixed(0)} % in the last third`,
        reached: peak < bound && change <= MEMORY_CHANGE_MAX,
      },
    ];
  });
}

/** Of clients without a key only: a thousand callers with one may use up the limit of requests in flight. */
export function verdictsOnUnread(rows: readonly Unread[]): Verdict[] {
  return rows.map(({ name, hasKeys, gateway, p99, failures }) => {
    const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
    const { gateway: bound } = MEMORY_BOUNDS;
    return {
      goal: `beside 1,000 connections, ${name}: gateway below ${bound} MiB${hasKeys ? '' : ', no /me fails'}`,
      measured: `${gateway.toFixed(0)} MiB, ${failed} failed, p99 ${p99.toFixed(1)} ms`,
      reached: gateway < bound && (hasKeys || failed === 0),
    };
  });
}

function sideOf({ measured }: Result, name: string): Measured | undefined {
  return measured.slice(1).find(({ side }) => side === name);
}
