/** Statistics of the rounds, as a table with one line per fault, and a line for each violation. */
import { failed, writesIn } from './history.ts';
import type { Round } from './round.ts';

interface Line {
  runs: number;
  requests: number;
  acknowledged: number;
  lost: number;
  doubled: number;
  overCap: number;
  otherViolations: number;
  /** The number of failed requests by outcome. */
  failures: Map<string, number>;
  recoveryMsMax: number | undefined;
}

export const faultNames = ({ faults }: Pick<Round, 'faults'>) => faults.map(({ name }) => name).join(' + ');

export class Statistics {
  readonly #lines = new Map<string, Line>();
  readonly #violations: string[] = [];

  add(round: Round): void {
    const name = faultNames(round);
    const line: Line = this.#lines.get(name) ?? {
      runs: 0,
      requests: 0,
      acknowledged: 0,
      lost: 0,
      doubled: 0,
      overCap: 0,
      otherViolations: 0,
      failures: new Map(),
      recoveryMsMax: undefined,
    };
    this.#lines.set(name, line);

    const { history, violations, recoveryMs } = round;
    line.runs++;
    line.requests += history.requests.length;
    for (const { response } of writesIn(history)) line.acknowledged += response?.created ?? 0;
    for (const { rule, text, entries = 1 } of violations) {
      this.#violations.push(`${name}: ${rule}: ${text}`);
      if (rule === 'lost') line.lost += entries;
      else if (rule === 'doubled') line.doubled++;
      else if (rule === 'over cap') line.overCap++;
      else line.otherViolations++;
    }
    for (const { outcome } of history.requests.filter(failed)) {
      if (outcome === 'abandoned') continue;
      line.failures.set(String(outcome), (line.failures.get(String(outcome)) ?? 0) + 1);
    }
    if (recoveryMs !== undefined) line.recoveryMsMax = Math.max(recoveryMs, line.recoveryMsMax ?? 0);
  }

  toString(): string {
    const rows = [...this.#lines].map(([fault, line]) => [
      fault,
      line.runs,
      line.requests,
      line.acknowledged,
      line.lost,
      line.doubled,
      line.overCap,
      line.otherViolations,
      [...line.failures].map(([outcome, count]) => `${count}× ${outcome}`).join(', ') || '0',
      line.recoveryMsMax === undefined ? 'never' : Math.round(line.recoveryMsMax),
    ]);
    return [aligned([HEADINGS, ...rows.map((row) => row.map(String))]), ...this.#violations].join('\n');
  }
}

const HEADINGS = [
  'fault',
  'runs',
  'requests',
  'acknowledged entries',
  'lost',
  'doubled',
  'over cap',
  'other violations',
  'failed requests',
  'longest recovery (ms)',
];

/** Aligns the first column left and the others right. */
function aligned(rows: string[][]): string {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}
