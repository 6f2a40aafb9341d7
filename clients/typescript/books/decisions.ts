/** What people have decided of rows that the books probably have. */
import type { ReadEntry } from '../import/options.ts';
import type { Comparison } from './comparison.ts';

/** `send`: the row is a payment of its own. `leave`: it is the stored entry. */
export type Decision = 'send' | 'leave';

/** By `decisionKey`. */
export type Decisions = ReadonlyMap<string, Decision>;

/** A decision is about a row and a stored entry: another file with the same row has it too. */
export function decisionKey(
  { entry, rowReference = entry.externalRef }: ReadEntry,
  storedId: string,
): string {
  return `${rowReference} ${storedId}`;
}

/** The comparison without the questions that are decided. @param all what holds for rows without a decision */
export function withDecisions(
  entries: readonly ReadEntry[],
  comparison: Comparison,
  decisions: Decisions,
  all?: Decision,
): Comparison {
  const rows = comparison.rows.map((row, index) => {
    const { probably, ...own } = row;
    if (!probably) return row;
    const decision = decisions.get(decisionKey(entries[index] as ReadEntry, probably.stored.id)) ?? all;
    if (decision === 'send') return own;
    return decision === 'leave' ? { ...own, probably: { ...probably, isDecided: true as const } } : row;
  });
  return { ...comparison, rows };
}
