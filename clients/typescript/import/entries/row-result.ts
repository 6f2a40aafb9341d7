/** The result of a row on its own: entries and left-out parts, a reason to skip it, or problems. */

import type { NewTransaction } from '../../resources.ts';
import { firstCodePoints } from '../files/cells.ts';
import { DESCRIPTION_LENGTH_MAX, type ImportOptions } from '../options.ts';
import type { RowCorrection } from '../questions-and-answers.ts';
import type { ImportEntry, LeftOut } from '../result.ts';
import type { ParsedFile, ParsedRow, RowProblem, ValidRow } from '../rows/parsed-row.ts';
import { rowAssigner } from '../rules/assign-row.ts';
import type { AssignedRow } from '../rules/assignment.ts';
import type { RuleMatches } from '../rules/compiled-rules.ts';
import { referenceProblem } from './reference-problems.ts';

type LeftOutPart = Omit<LeftOut, 'isReferenceDerived' | 'rowReference'>;

/** The entries of a row, and the parts that a rule leaves out. */
export interface RowEntries {
  entries: Omit<ImportEntry, 'isReferenceDerived' | 'account'>[];
  leftOut: LeftOutPart[];
  /** Equal for rows with equal content. */
  content: string;
}
export type RowResult =
  | RowEntries
  | { skipped: string }
  /** The whole row, or all its parts. Empty for an unreadable row that a person leaves out. */
  | { leftOut: LeftOutPart[] }
  | { problems: RowProblem[] };

/** The entries have no references yet. @throws ImportError `unknown_category`, `invalid_rules` */
export function rowResults(
  options: ImportOptions,
  columns: ParsedFile['columnNames'],
  matches: RuleMatches,
): (parsed: ParsedRow, correction?: RowCorrection) => RowResult {
  const assign = rowAssigner(options, { category: columns.category, source: columns.source }, matches);
  return (parsed, correction) => {
    const problems = [...parsed.problems];
    if (parsed.skipReason !== undefined) return { skipped: parsed.skipReason };
    const assigned = assign(parsed, correction);
    if (assigned && 'problem' in assigned) problems.push(assigned.problem);
    const parts = assigned && 'parts' in assigned ? assigned.parts : [];
    const tooLong = referenceProblem(parsed, Math.max(0, ...parts.map(({ number = 0 }) => number)));
    if (tooLong) problems.push(tooLong);
    const { date } = parsed;
    if (problems.length > 0 || date === undefined || !assigned || 'problem' in assigned) return { problems };
    return entriesOfRow({ ...parsed, date }, assigned);
  };
}

function entriesOfRow(
  parsed: ParsedRow & { date: string },
  { rule, source, isSourceChosen, parts }: AssignedRow,
): RowResult {
  const { row, date, type, pence, conversion } = parsed;
  const converted = conversion && { conversion };
  const decided = {
    ...converted,
    ...(source && { source, isSourceChosen }),
    ...(rule !== undefined && { rule }),
  };
  const entries: RowEntries['entries'] = [];
  const leftOut: LeftOutPart[] = [];
  for (const { number, type, pence, category, isLeftOut, ...own } of parts) {
    const partOf = number === undefined ? {} : { part: number };
    const description = entryDescription({ description: parsed.description, ...converted, ...own });
    const line = own.rule ?? rule;
    if (isLeftOut && line !== undefined) {
      leftOut.push({ row, ...partOf, rule: line, date, type, amountPence: pence, description });
      continue;
    }
    const entry: NewTransaction = { date, type, amountPence: pence };
    if (category !== undefined) entry.category = category;
    if (description !== '') entry.description = description;
    entries.push({ row, entry, ...decided, ...own, ...partOf });
  }
  if (entries.length === 0) return { leftOut };
  const amounts = parsed.amounts?.map(({ type, pence }) => [type, pence]) ?? [];
  const categories = entries.map(({ entry }) => entry.category ?? null);
  const content = [date, type, pence, ...amounts, categories, entryDescription(parsed)];
  return { entries, leftOut, content: JSON.stringify(content) };
}

/** The facts of a whole row. */
export const describedOf = (parsed: ValidRow) => ({
  date: parsed.date,
  type: parsed.type,
  amountPence: parsed.pence,
  description: entryDescription(parsed),
});

/** The description of the entries of a row. */
const entryDescription = ({ description, conversion }: Pick<ParsedRow, 'description' | 'conversion'>) =>
  conversion
    ? withTextAtEnd(description, conversion.text)
    : firstCodePoints(description, DESCRIPTION_LENGTH_MAX);

/** Joins both texts, and shortens the first to fit. */
function withTextAtEnd(text: string, last: string): string {
  const first = firstCodePoints(text, DESCRIPTION_LENGTH_MAX - last.length - ' - '.length);
  return first === '' ? last : `${first} - ${last}`;
}
