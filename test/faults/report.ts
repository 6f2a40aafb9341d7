/** Reports of rounds: a table with one line per fault, and of a failed round its violations with the requests around them. */
import { lineOf } from '../../clients/conformance/history.ts';
import { failed, writesIn } from './history.ts';
import type { Round } from './round.ts';

const NOTHING = {
  runs: 0,
  requests: 0,
  acknowledged: 0,
  lost: 0,
  doubled: 0,
  'over cap': 0,
  'other violations': 0,
  failed: 0,
  'longest recovery (ms)': 0,
};

export const faultNames = ({ steps }: Pick<Round, 'steps'>) =>
  steps.map((faults) => faults.map(({ name }) => name).join(' + ')).join(', ');

export class Statistics {
  readonly #byFault: Record<string, typeof NOTHING> = {};

  add(round: Round): void {
    const name = faultNames(round);
    const line = this.#byFault[name] ?? { ...NOTHING };
    this.#byFault[name] = line;
    const { history, violations, recoveryMs = Number.POSITIVE_INFINITY } = round;
    line.runs++;
    line.requests += history.requests.length;
    for (const { response } of writesIn(history)) line.acknowledged += response?.created ?? 0;
    for (const { rule, entries = 1 } of violations) {
      const isOwn = rule === 'lost' || rule === 'doubled' || rule === 'over cap';
      line[isOwn ? rule : 'other violations'] += entries;
    }
    line.failed += history.requests.filter((each) => failed(each) && each.outcome !== 'abandoned').length;
    line['longest recovery (ms)'] = Math.max(line['longest recovery (ms)'], Math.round(recoveryMs));
  }

  toString(): string {
    return Bun.inspect.table(Object.entries(this.#byFault).map(([fault, line]) => ({ fault, ...line })));
  }
}

const LINES_MAX = 40;

/** The first violation of each rule, the faults, and the requests of the account without a success. */
export function failureReport({ violations, history, seed, holdMs, ...round }: Round): string {
  const head = `${violations.length} violations: ${faultNames(round)}; seed ${seed}, held for ${holdMs} ms`;
  const firsts = [...Map.groupBy(violations, ({ rule }) => rule).values()].flatMap(([first]) => first ?? []);
  const actions = history.disturbances.map(({ begun, what }) => ({ begun, line: `*** ${what}` }));
  const details = firsts.map(({ rule, text, accountId }) => {
    const requests = history.requests
      .filter((request) => ['', request.accountId].includes(accountId) && !request.response)
      .map((request) => ({
        begun: request.begun,
        line: request.kind === 'me' ? `/me: ${request.outcome}` : `${lineOf(request)}, ${request.outcome}`,
      }));
    const lines = [...actions, ...requests]
      .sort((a, b) => a.begun - b.begun)
      .map(({ begun, line }) => `    ${Math.round(begun)}  ${line}`);
    return [`  ${rule}: ${text}`, ...lines.slice(0, LINES_MAX)].join('\n');
  });
  return [head, ...details].join('\n');
}
