/** Rows that are probably known, in a reconciliation. */
import type { Compared } from '../books/compared.ts';
import type { Comparison } from '../books/comparison.ts';
import { type ComparedRow, isOpen } from '../books/match-status.ts';

/** An undecided row is missing, unless the books have an entry with exactly its content under another reference. */
export function withoutOpenQuestions({ comparison }: Pick<Compared, 'comparison'>): Comparison {
  return {
    ...comparison,
    rows: comparison.rows.map((row) => (isOpen(row) && !isEqual(row) ? withoutQuestion(row) : row)),
  };
}

const isEqual = ({ probably }: ComparedRow) => probably?.fields.length === 0 && !probably.isElsewhere;

function withoutQuestion({ probably: _, ...row }: ComparedRow): ComparedRow {
  return row;
}
