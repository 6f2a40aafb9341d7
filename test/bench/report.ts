/** Formats the results as text. */
import { CONTROL, REFERENCE } from './books.ts';
import { LOAD_GENERATOR } from './cpu.ts';
import type { Verdict } from './goals.ts';
import { PGBENCH } from './pgbench.ts';
import { cpuPerUnit, type Measured, p50, type Result, rateRatio } from './result.ts';
import { type Latency, type Spread, spread } from './statistics.ts';
import { BARE } from './work.ts';
import { COPY } from './workloads/floor.ts';

type Column = [heading: string, width: number, cell: (result: Result, service: Measured) => string];

const COMPONENTS = ['gateway', 'ledger worker', 'Postgres', 'Redis', LOAD_GENERATOR];
const SERVING = ['gateway', 'ledger worker', 'Postgres', 'Redis', REFERENCE];

const COLUMNS: Column[] = [
  ['workload', -40, ({ name }) => name],
  ['clients', 7, ({ clients }) => String(clients)],
  ['req/s', 7, (_, { rounds }) => whole(rounds.map(({ requests, seconds }) => requests / seconds))],
  ['entries/s', 9, (_, { rounds }) => whole(rounds.map(({ entries, seconds }) => entries / seconds))],
  ['p50 ms', 8, (_, service) => p50(service).toFixed(2)],
  ['p95', 8, (_, service) => quantile(service, 'p95')],
  ['p99', 8, (_, service) => quantile(service, 'p99')],
  ['bare p50', 8, (result) => withSide(result, BARE, (bare) => p50(bare).toFixed(2))],
  [`× ${BARE}`, 18, (result, service) => withSide(result, BARE, (bare) => range(rateRatio(service, bare)))],
  [
    `× ${REFERENCE}`,
    18,
    (result, service) => withSide(result, REFERENCE, (other) => range(rateRatio(service, other))),
  ],
  ...COMPONENTS.map(
    (name): Column => [
      `${name} µs`,
      Math.max(name.length + 3, 8),
      (result, service) => figure(cpuPerUnit(result, service, name)),
    ],
  ),
  ['in all µs', 9, (result, service) => figure(inAll(result, service))],
  [
    'bare Postgres µs',
    16,
    (result) => withSide(result, BARE, (bare) => figure(cpuPerUnit(result, bare, 'Postgres'))),
  ],
  [
    `${REFERENCE} in all µs`,
    22,
    (result) => withSide(result, REFERENCE, (other) => figure(inAll(result, other))),
  ],
];

export const heading = () => COLUMNS.map(([text, width]) => padded(text, width)).join('  ');

/** One line for the service, and one for each further side. */
export function resultLine(result: Result): string {
  const service = result.measured[0];
  if (service === undefined) return '';
  const cells = COLUMNS.map(([, width, cell]) => padded(cell(result, service), width)).join('  ');
  const others = (result.group === 'rate' ? [BARE, REFERENCE] : [PGBENCH, COPY, CONTROL]).map((name) =>
    withSide(result, name, (side) => comparison(result, side)),
  );
  return [cells, ...others.filter((text) => text !== '')].join('\n');
}

function comparison(result: Result, side: Measured): string {
  const [service, bare] = [result.measured[0], result.measured.find(({ side }) => side === BARE)];
  if (result.group === 'rate') return `    ${side.side}: ${quantiles(side)}`;
  const rate = whole(side.rounds.map(({ requests, seconds }) => requests / seconds));
  const ratios = [
    service && `the service is × ${range(rateRatio(service, side))}`,
    bare && `the ${BARE} is × ${range(rateRatio(bare, side))}`,
  ];
  return `    ${side.side}: ${rate} requests/s, ${quantiles(side)}; ${ratios.filter(Boolean).join('; ')}`;
}

/** The CPU time of all servers, without the load generator. */
function inAll(result: Result, side: Measured): number {
  return SERVING.reduce((sum, name) => sum + cpuPerUnit(result, side, name), 0);
}

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
