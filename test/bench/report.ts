/** Formats the results as text. */
import { BARE_STACK, BARE_STACK_GATEWAY, BARE_STACK_WORKER, CONTROL, REFERENCE } from './books.ts';
import { LOAD_GENERATOR } from './cpu.ts';
import type { Verdict } from './goals.ts';
import { cpuInAll, cpuPerUnit, type Measured, p50, type Result, rateRatio } from './result.ts';
import { type Latency, type Spread, spread } from './statistics.ts';

type Column = [heading: string, width: number, cell: (result: Result, service: Measured) => string];

const COMPONENTS = ['gateway', 'ledger worker', 'Postgres', 'Redis', LOAD_GENERATOR];

const COLUMNS: Column[] = [
  ['workload', -40, ({ name }) => name],
  ['clients', 7, ({ clients }) => String(clients)],
  ['req/s', 7, (_, { rounds }) => whole(rounds.map(({ requests, seconds }) => requests / seconds))],
  ['entries/s', 9, (_, { rounds }) => whole(rounds.map(({ entries, seconds }) => entries / seconds))],
  ['p50 ms', 8, (_, service) => p50(service).toFixed(2)],
  ['p95', 8, (_, service) => quantile(service, 'p95')],
  ['p99', 8, (_, service) => quantile(service, 'p99')],
  ...[BARE_STACK, REFERENCE].map(
    (name): Column => [
      `× ${name}`,
      18,
      (result, service) => withSide(result, name, (side) => range(rateRatio(service, side))),
    ],
  ),
  ...COMPONENTS.map(
    (name): Column => [
      `${name} µs`,
      Math.max(name.length + 3, 8),
      (result, service) => figure(cpuPerUnit(result, service, name)),
    ],
  ),
  ['in all µs', 9, (result, service) => figure(cpuInAll(result, service))],
];

export const heading = () => COLUMNS.map(([text, width]) => padded(text, width)).join('  ');

/** The processes of the other sides. */
const OTHERS: Record<string, string[]> = {
  [BARE_STACK]: [BARE_STACK_GATEWAY, BARE_STACK_WORKER, 'Postgres'],
  [REFERENCE]: [REFERENCE, 'Postgres'],
};

/** One line for the service, and one for each other side. */
export function resultLine(result: Result): string {
  const service = result.measured[0];
  if (service === undefined) return '';
  const cells = COLUMNS.map(([, width, cell]) => padded(cell(result, service), width)).join('  ');
  const others = Object.entries(OTHERS).map(([name, components]) =>
    withSide(
      result,
      name,
      (side) => `    ${name}: ${rateAndTimes(side)}; ${costs(result, side, components)}`,
    ),
  );
  const control = withSide(
    result,
    CONTROL,
    (side) => `    ${CONTROL}: ${rateAndTimes(side)}; the service is × ${range(rateRatio(service, side))}`,
  );
  return [cells, ...others, control].filter((text) => text !== '').join('\n');
}

const rateAndTimes = (side: Measured) =>
  `${whole(side.rounds.map(({ requests, seconds }) => requests / seconds))} requests/s, ${quantiles(side)}`;

/** CPU time by process. */
const costs = (result: Result, side: Measured, components: string[]) =>
  components
    .map((name) => `${name.replace(`${side.side}: `, '')} ${figure(cpuPerUnit(result, side, name))} µs`)
    .join(', ');

function quantiles(side: Measured): string {
  const texts = (['p50', 'p95', 'p99'] as const).map((at) => `${at} ${quantile(side, at)} ms`);
  return texts.filter((text) => !text.includes('NaN')).join(', ');
}

function quantile({ rounds }: Measured, at: keyof Latency): string {
  return spread(rounds.map(({ latencyMs }) => latencyMs[at])).median.toFixed(2);
}

export function verdictLines(verdicts: readonly Verdict[]): string {
  return verdicts
    .map(({ goal, measured, reached }) => {
      const mark = reached === undefined ? '       ' : reached ? 'reached' : 'MISSED ';
      return `${mark}  ${padded(goal, -78)}  ${measured}`;
    })
    .join('\n');
}

function withSide(result: Result, name: string, text: (side: Measured) => string): string {
  const side = result.measured.slice(1).find((each) => each.side === name);
  return side === undefined ? '' : text(side);
}

function range({ median, min, max }: Spread): string {
  return `${median.toFixed(2)} (${min.toFixed(2)}..${max.toFixed(2)})`;
}

const whole = (values: readonly number[]) => String(Math.round(spread(values).median));

const figure = (value: number) => (Number.isNaN(value) ? '-' : value.toFixed(value < 100 ? 1 : 0));

/** @param width negative: aligned to the left */
function padded(text: string, width: number): string {
  return width < 0 ? text.padEnd(-width) : text.padStart(width);
}
