/** Statistics of the rounds: a table with one line per fault, and a line for each violation. */
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
  readonly #violations: string[] = [];

  add(round: Round): void {
    const name = faultNames(round);
    const line = this.#byFault[name] ?? { ...NOTHING };
    this.#byFault[name] = line;
    const { history, violations, recoveryMs = Number.POSITIVE_INFINITY } = round;
    line.runs++;
    line.requests += history.requests.length;
    for (const { response } of writesIn(history)) line.acknowledged += response?.created ?? 0;
    for (const { rule, text, entries = 1 } of violations) {
      this.#violations.push(`${name}: ${rule}: ${text}`);
      const isOwn = rule === 'lost' || rule === 'doubled' || rule === 'over cap';
      line[isOwn ? rule : 'other violations'] += entries;
    }
    line.failed += history.requests.filter((each) => failed(each) && each.outcome !== 'abandoned').length;
    line['longest recovery (ms)'] = Math.max(line['longest recovery (ms)'], Math.round(recoveryMs));
  }

  toString(): string {
    const rows = Object.entries(this.#byFault).map(([fault, line]) => ({ fault, ...line }));
    return [Bun.inspect.table(rows), ...this.#violations].join('\n');
  }
}
