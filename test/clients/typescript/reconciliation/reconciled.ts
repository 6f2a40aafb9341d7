/** Reconciliations of files against books, without the service. */

import type { ImportOptions } from '../../../../clients/typescript/import/index.ts';
import { compare, mergeFiles } from '../../../../clients/typescript/match/compare.ts';
import { type Decisions, NO_DECISIONS } from '../../../../clients/typescript/match/decision.ts';
import type { Books } from '../../../../clients/typescript/match/stored-books.ts';
import { reconcile } from '../../../../clients/typescript/reconciliation/reconcile.ts';
import type { Reconciliation } from '../../../../clients/typescript/reconciliation/reconciliation.ts';
import { plan } from '../import/plan.ts';
import { pushed } from '../match/pushed.ts';

export const RULES = [
  'description contains "AGENT" -> Web design / split: expense professionalFees 12 % of gross, rest turnover',
  'description contains "MORTGAGE" -> 27 Station Road / split: residentialFinancialCost 1.00, rest leave out',
  'description contains "SAVINGS" -> leave out',
  'description contains "ASK" -> ask',
  'otherwise -> 27 Station Road',
];
export const WHOLE = ['otherwise -> 27 Station Road'];

/** The files `a.csv`, `b.csv` … of one account, by the rules. */
export async function read(
  files: readonly (readonly string[])[],
  rules: readonly string[] = RULES,
  header?: string,
  corrections?: ImportOptions['corrections'],
) {
  const options = { accountLabel: 'Joint', corrections, ...(header !== undefined && { header }) };
  const results = await Promise.all(files.map((rows) => plan(rules, rows, options)));
  const named = results.map((result, index) => ({
    name: `${'abc'[index]}.csv`,
    result,
    bytes: new TextEncoder().encode(`${files[index]}`),
  }));
  return { files: named, ...mergeFiles(named) };
}

interface Options {
  rules?: readonly string[];
  isProbableKnown?: boolean;
  header?: string;
  corrections?: ImportOptions['corrections'];
  decisions?: Decisions;
}

export async function reconciled(
  books: Books,
  files: readonly (readonly string[])[],
  { rules = RULES, isProbableKnown, header, corrections, decisions = NO_DECISIONS }: Options = {},
): Promise<Reconciliation> {
  const input = await read(files, rules, header, corrections);
  const byDefault = isProbableKnown ? ('same' as const) : undefined;
  const compared = compare(input.files, books, { source: undefined, decisions, byDefault });
  const text = rules.join('\n');
  return reconcile({ ...compared, rules: { text, bytes: new TextEncoder().encode(text) } }).reconciliation;
}

export const pushedFrom = async (rows: readonly string[], rules?: readonly string[]) =>
  pushed((await read([rows], rules)).entries);
/** `file row outcome`. */
export const outcomes = ({ files }: Reconciliation) =>
  files.flatMap(({ name, rows }) => rows.map(({ row, outcome }) => `${name} ${row} ${outcome}`));
