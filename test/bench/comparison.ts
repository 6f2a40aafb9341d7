/** A run beside an earlier one. The machine may have been faster or slower then: ratios to the bare stack are comparable. */
import { BARE_STACK } from './books.ts';
import { type IdleCpu, idleInAll } from './idle.ts';
import { cpuInAll, p50, type Result, rateRatio } from './result.ts';

interface Figures {
  'requests/s': number;
  'p50 ms': number;
  'CPU µs': number;
  [BARE_STACK]: number;
}

interface Run {
  results: readonly Result[];
  idleMsPerSecond?: IdleCpu;
}

export function comparisonLines(earlier: Run, now: Run): string {
  const lines = now.results.flatMap((result) => {
    const before = earlier.results.find(
      ({ name, clients }) => name === result.name && clients === result.clients,
    );
    if (!before) return [];
    const [old, fresh] = [figuresOf(before), figuresOf(result)];
    const columns = Object.keys(fresh) as (keyof Figures)[];
    const cells = columns.map((name) => `${name} ${text(old[name])} -> ${text(fresh[name])}`.padEnd(34));
    return [`${`${result.name}, ${result.clients}`.padEnd(44)}${cells.join('')}`.trimEnd()];
  });
  return [
    'The earlier run -> this one; the last column is the ratio of requests/s to the bare stack.',
    ...lines,
    ...idleLine(earlier, now),
  ].join('\n');
}

function idleLine({ idleMsPerSecond: before = {} }: Run, { idleMsPerSecond: idle = {} }: Run): string[] {
  if ([before, idle].some((each) => Object.keys(each).length === 0)) return [];
  return [`CPU without requests, ms a second: ${text(idleInAll(before))} -> ${text(idleInAll(idle))}`];
}

function figuresOf(result: Result): Figures {
  const [service, ...others] = result.measured;
  if (!service) throw new Error(`${result.name} has no figures`);
  const floor = others.find(({ side }) => side === BARE_STACK);
  const seconds = service.rounds.reduce((sum, round) => sum + round.seconds, 0);
  const requests = service.rounds.reduce((sum, round) => sum + round.requests, 0);
  return {
    'requests/s': requests / seconds,
    'p50 ms': p50(service),
    'CPU µs': cpuInAll(result, service),
    [BARE_STACK]: floor ? rateRatio(service, floor).median : Number.NaN,
  };
}

const text = (value: number) => (value < 100 ? value.toFixed(2) : value.toFixed(0));
