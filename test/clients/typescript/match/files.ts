/** Files, and their comparison with books that were pushed by rules. */
import { compare } from '../../../../clients/typescript/match/compare.ts';
import {
  type Decisions,
  NO_DECISIONS,
  type PairDecision,
} from '../../../../clients/typescript/match/decision.ts';
import type { FileResult } from '../../../../clients/typescript/match/row.ts';
import type { Books } from '../../../../clients/typescript/match/stored-books.ts';
import { plan } from '../import/plan.ts';
import { pushed } from './pushed.ts';

export const RULES = [
  'description contains "AGENT" -> Web design / split: expense professionalFees 12 % of gross, rest turnover',
  'description contains "SAVINGS" -> leave out',
  'description contains "MILL" -> "Flat 3, Mill Lane"',
  'description contains "SHOP" and amount over 999 -> 12 Acacia Avenue',
  'otherwise -> 27 Station Road',
];
export const ALL = ['otherwise -> 27 Station Road'];
export const NUMBERED = 'Date,Description,Amount,Transaction ID';

export type Options = Parameters<typeof plan>[2];
export const fileOf = async (
  name: string,
  rows: readonly string[],
  rules: readonly string[] = RULES,
  options: Options = {},
) => ({
  name,
  result: await plan(rules, rows, options),
});

/** The books after the rows were pushed by the rules. */
export const booksOf = async (
  rows: readonly string[],
  rules: readonly string[] = RULES,
  options: Options = {},
) => pushed((await plan(rules, rows, options)).entries);

export function compared(
  books: Books,
  files: readonly FileResult[],
  decisions: Decisions = NO_DECISIONS,
  byDefault?: PairDecision,
) {
  return compare(files, books, { source: undefined, decisions, byDefault });
}
