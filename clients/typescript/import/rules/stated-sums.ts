/** The lines of a rules file with sums of other software: `sum of SOURCE / CATEGORY up to 2026-08-31: 4500.00`. */
import type { EntryType, SourceWithCategories } from '../options.ts';
import { readDate } from '../values/dates.ts';
import { piecesOf, unquoted } from './action.ts';
import { categoryReader } from './category.ts';
import { invalidLine, linesWith, restOf, SUM_OF, wrongLine } from './rules-text.ts';
import { sourceOfLine } from './sources.ts';

interface StatedSum {
  type: EntryType;
  category: string;
  /** Below zero: more came back than was spent. */
  pence: bigint;
}

/** The sums of other software for a source, up to a day. */
export interface StatedSums {
  /** The last day of the sums, as `YYYY-MM-DD`. */
  to: string;
  sums: StatedSum[];
}

const SUM_LINE = /^(.*\S)\s+up\s+to\s+(\S+)\s*:\s*(\S+)$/i;
const STATED_POUNDS = /^(-?)£?(\d{1,11}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d\d))?$/;
const SUM_EXAMPLE = 'sum of "Flat 3" / periodAmount up to 2026-08-31: 4500.00';

/** The sums, by the ids of the sources. @throws ImportError `invalid_rules` */
export function statedSumsOf(
  text: string,
  sources: readonly SourceWithCategories[],
): Map<string, StatedSums> {
  const found = new Map<string, StatedSums>();
  for (const { line, content } of linesWith(text, SUM_OF)) {
    const [, names = '', to = '', amount = ''] = SUM_LINE.exec(restOf(content, SUM_OF)) ?? [];
    const [named = '', category = '', ...more] = piecesOf(names, '/');
    const pence = statedPence(amount);
    if (
      named === '' ||
      category === '' ||
      more.length > 0 ||
      readDate(to, 'ymd') !== to ||
      pence === undefined
    )
      throw invalidLine(line, `is no line about a sum; write for example ${SUM_EXAMPLE}`);
    const source = sourceOfLine(line, named, sources);
    const before = found.get(source.id) ?? { to, sums: [] };
    const { sums } = before;
    const read = statedCategory(line, unquoted(category), source);
    if (before.to !== to || sums.some((each) => each.category === read.category))
      throw invalidLine(
        line,
        `contradicts an earlier line; the sums of ${source.name} go up to one day, and a category has one`,
      );
    found.set(source.id, { to, sums: [...sums, { ...read, pence }] });
  }
  return found;
}

function statedPence(text: string): bigint | undefined {
  const [, sign = '', whole, decimals = '00'] = STATED_POUNDS.exec(text) ?? [];
  return whole === undefined ? undefined : BigInt(`${sign}${whole.replaceAll(',', '')}${decimals}`);
}

/** No source has a category of this name for income and for expenses. */
function statedCategory(
  line: number,
  name: string,
  { categories }: SourceWithCategories,
): Omit<StatedSum, 'pence'> {
  const reader = categoryReader(categories);
  const problem = reader.check(name);
  if (problem) throw wrongLine(line, problem);
  const read = reader.read(name, 'income');
  return 'key' in read
    ? { type: 'income', category: read.key }
    : { type: 'expense', category: (reader.read(name, 'expense') as { key: string }).key };
}
