/** The rows of a file that make no entry: rows that are no payments, and rows that a rule or a person leaves out. */
import type { ImportResult } from '../result.ts';

interface OmittedRow {
  row: number;
  reason: string;
  /** The line of the rule that leaves the row out. */
  rule?: number;
  /** Set if a person leaves the row out. */
  isByHand?: true;
}

/** Each row once, in the order of the file. A row is left out with all its parts. */
export function omittedRows({ entries, skipped, leftOut, leftOutUnreadable }: ImportResult): OmittedRow[] {
  const withEntry = new Set(entries.map(({ row }) => row));
  const byRow = new Map<number, OmittedRow>();
  for (const { row, rule } of leftOut) {
    if (withEntry.has(row) || byRow.has(row)) continue;
    byRow.set(row, rule === undefined ? byHand(row) : byRule(row, rule));
  }
  return [...skipped, ...byRow.values(), ...leftOutUnreadable.map(byHand)].sort(
    (one, two) => one.row - two.row,
  );
}

const byRule = (row: number, rule: number): OmittedRow => ({
  row,
  reason: `Line ${rule} of the rules leaves it out.`,
  rule,
});

const byHand = (row: number): OmittedRow => ({ row, reason: 'It is left out.', isByHand: true });
