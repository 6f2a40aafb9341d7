/** The lines of a rules file with sums of other software: `sum of SOURCE / CATEGORY up to 2026-08-31: 4500.00`. */
import type { PlanSource } from '../options.ts';
import { readDate } from '../values/dates.ts';
import { categoryReader } from './category.ts';
import { piecesOf, unquoted } from './decision.ts';
import { invalid, SUM_OF } from './rules.ts';
import type { EntryType } from './split.ts';
import { problemIn, statedSource, statementsOf } from './statements.ts';

export interface StatedSum {
  type: EntryType;
  category: string;
  /** Below zero: more came back than was spent. */
  pence: bigint;
}

/** The sums of a source. */
export interface StatedSums {
  /** `YYYY-MM-DD`, inclusive. */
  to: string;
  sums: StatedSum[];
}

const LINE = /^(.*\S)\s+up\s+to\s+(\S+)\s*:\s*(\S+)$/i;
const POUNDS = /^(-?)£?(\d{1,11}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d\d))?$/;
const TYPED = /^(income|expense)\s+(?=\S)/i;
const EXAMPLE = 'sum of "Flat 3" / periodAmount up to 2026-08-31: 4500.00';

/** The sums, by the ids of the sources. @throws ImportError `invalid_rules` */
export function statedSumsOf(text: string, sources: readonly PlanSource[]): Map<string, StatedSums> {
  const found = new Map<string, StatedSums>();
  for (const { line, said } of statementsOf(text, SUM_OF)) {
    const [, names = '', to = '', amount = ''] = LINE.exec(said) ?? [];
    const [named = '', category = '', ...more] = piecesOf(names, '/');
    const pence = penceOf(amount);
    if (named === '' || category === '' || more.length > 0)
      throw invalid(line, `is no line about a sum; write for example ${EXAMPLE}`);
    if (readDate(to, 'ymd') !== to) throw invalid(line, `has no day at "${to}"; write it as 2026-08-31`);
    if (pence === undefined)
      throw invalid(line, `has no amount at "${amount}"; write pounds and pence, as 4500.00`);
    const source = statedSource(line, named, sources);
    const { sums, ...before } = found.get(source.id) ?? { to, sums: [] };
    if (before.to !== to)
      throw invalid(
        line,
        `has another day than an earlier line, ${before.to}; the sums of ${source.name} go up to one day`,
      );
    const read = categoryOf(line, category, source);
    if (sums.some((each) => each.type === read.type && each.category === read.category))
      throw invalid(line, `states ${read.category} of ${source.name} again; write one sum`);
    found.set(source.id, { to, sums: [...sums, { ...read, pence }] });
  }
  return found;
}

function penceOf(text: string): bigint | undefined {
  const [, sign = '', whole, decimals = '00'] = POUNDS.exec(text) ?? [];
  return whole === undefined ? undefined : BigInt(`${sign}${whole.replaceAll(',', '')}${decimals}`);
}

function categoryOf(line: number, text: string, source: PlanSource): Omit<StatedSum, 'pence'> {
  const reader = categoryReader(source.categories);
  const [typed = ''] = TYPED.exec(text) ?? [];
  const name = unquoted(text.slice(typed.length));
  const types = (['income', 'expense'] as const).filter(
    (type) => typed === '' || typed.trim().toLowerCase() === type,
  );
  const read = types.flatMap((type) => {
    const each = reader.read(name, type);
    return 'key' in each ? { type, category: each.key } : [];
  });
  const [one, other] = read;
  if (one && other)
    throw invalid(
      line,
      `has a category of income and of expenses; write "income ${name}" or "expense ${name}"`,
    );
  if (one) return one;
  const failed = reader.read(name, types[0] ?? 'income');
  throw problemIn(line, reader.check(name) ?? ('problem' in failed ? failed.problem : ''));
}
