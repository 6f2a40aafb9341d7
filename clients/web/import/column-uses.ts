/** The use of each column: as the reader finds it, as a person chooses it, and where the two do not go together. */

import { groupBy } from '../../typescript/group-by.ts';
import { columnIndex, nameForOptions } from '../../typescript/import/columns/column-names.ts';
import { headerKey } from '../../typescript/import/files/cells.ts';
import type { ImportOptions } from '../../typescript/import/options.ts';
import { eachColumn, withAnswer } from '../../typescript/import/questions/answers.ts';
import {
  type ColumnAnswers,
  FIELDS,
  type Field,
  type Question,
  SINGLE_AMOUNTS,
} from '../../typescript/import/questions-and-answers.ts';
import type { RefusedTable } from '../../typescript/import/result.ts';
import type { ColumnUse, ColumnUses, FileState, Use } from './state.ts';

export const FIELD_NAMES: Record<Field, string> = {
  date: 'Date',
  moneyIn: 'Money in',
  moneyOut: 'Money out',
  amount: 'Amount: a minus is money out',
  spent: 'Amount: money out, a minus is money back',
  unsigned: 'Amount: another column says in or out',
  description: 'Description',
  category: 'Category',
  source: 'Property or business',
  type: 'Income or expense',
  check: 'Sum of the row, to check it',
  balance: 'Balance',
  reference: 'Reference',
};

const SINGLE_USES: readonly Use[] = SINGLE_AMOUNTS;
const AMOUNT_USES: readonly Use[] = [...SINGLE_USES, 'moneyIn', 'moneyOut'];
/** Whether the column has amounts of payments. */
export const isAmountUse = (use: Use | undefined): boolean => AMOUNT_USES.includes(use as Use);

/** Whether the column can be one of several amounts of a row. */
export const isMoneyInOrOut = (use: Use | undefined): use is 'moneyIn' | 'moneyOut' =>
  use === 'moneyIn' || use === 'moneyOut';

/** The names of the amount in formats without columns. */
export const SIGN_FIELDS = ['T', 'TRNAMT'];

/** The options of the reader for the uses. */
export function answersOfUses(uses: ColumnUses = {}): Pick<ColumnAnswers, 'map' | 'ignore' | 'amounts'> {
  const { amounts, ...answers } = Object.entries(uses).reduce<ImportOptions>((options, [name, { use }]) => {
    const kind = SIGN_FIELDS.includes(name) ? 'direction' : 'amount';
    return withAnswer(options, { kind, name, columns: [], rows: [], message: '', choices: [] }, use);
  }, {});
  const entries = groupBy(amounts ?? [], ({ columns: [name = ''] }) => entryColumn(name, uses));
  const withParts = [...entries].flatMap(([name, parts]) => {
    const { category, source } = uses[name] ?? {};
    const columns = parts.flatMap((part) => part.columns);
    return parts
      .slice(0, 1)
      .map((part) => ({ ...part, columns, ...(category && { category }), ...(source && { source }) }));
  });
  return { ...answers, ...(withParts.length > 0 && { amounts: withParts }) };
}

/** The column whose entry the column is a part of: itself, or another one of the same direction. */
function entryColumn(name: string, uses: ColumnUses): string {
  const { use, with: to = '' } = uses[name] ?? {};
  return to !== '' && to !== name && isMoneyInOrOut(use) && uses[to]?.use === use
    ? entryColumn(to, uses)
    : name;
}

type ShownTable = Pick<RefusedTable, 'header' | 'columns' | 'amounts' | 'ignored' | 'sampleRows' | 'sums'>;
/** The outcome of a read of the file: a result, a problem, or both. */
type ResultOrProblem = Pick<FileState, 'problem'> & { result?: FileState['result'] };

const shownTable = ({ result, problem }: ResultOrProblem): ShownTable | undefined =>
  problem ? problem.table : result?.recognised;

const columnLabel = (header: readonly string[], index: number) => header[index] || `Column ${index + 1}`;

const useOf = (direction: 'in' | 'out') => (direction === 'in' ? 'moneyIn' : 'moneyOut');

const questionsAbout = ({ problem }: ResultOrProblem, index: number): Question[] =>
  eachColumn(problem?.questions).filter(({ kind, columns }) => kind !== 'unit' && columns.includes(index));

/** The amounts that add up to a column, if it may be the sum of the row, by their columns. */
function partsOfSum({ problem }: ResultOrProblem): ReadonlyMap<number, 'moneyIn' | 'moneyOut'> {
  const header = problem?.table?.header ?? [];
  const indexOf = (name: string) => columnIndex(name, header.map(headerKey), header.length) ?? -1;
  const amounts = eachColumn(problem?.questions).flatMap(({ amounts = [] }) => amounts);
  return new Map(
    amounts.flatMap(({ columns, direction }) =>
      columns.map((name) => [indexOf(name), useOf(direction)] as const),
    ),
  );
}

/** The use of each column by the reader. @param leavesOpen whether the question leaves the use open */
export function foundUses(
  read: ResultOrProblem,
  leavesOpen: (question: Question) => boolean = () => true,
): Use[] {
  const { header = [], sampleRows = [], columns = {}, amounts = [], ignored } = shownTable(read) ?? {};
  // A table shows its first rows and columns: an open column may be none of them.
  const asked = read.problem?.questions?.flatMap((each) => each.columns.map((index) => index + 1)) ?? [];
  const width = Math.max(header.length, ...asked, ...sampleRows.map((row) => row.length));
  const kept = read.problem ? undefined : read.result?.recognised.answers.map;
  const parts = partsOfSum(read);
  const fieldOf = (index: number) => {
    const amount = amounts.find((each) => each.columns.includes(index));
    if (amount) return useOf(amount.direction);
    const field = FIELDS.find((each) => columns[each] === index);
    return field === 'amount' ? (SINGLE_AMOUNTS.find((each) => kept?.[each]) ?? field) : field;
  };
  return Array.from({ length: width }, (_, index): Use => {
    if (questionsAbout(read, index).some(leavesOpen)) return 'open';
    const rest = read.problem?.code === 'no_header' || parts.has(index) ? 'open' : 'ignore';
    return fieldOf(index) ?? (ignored?.includes(index) === false ? 'other' : rest);
  });
}

export interface FileColumn {
  /** The place of the column, from 0. */
  index: number;
  /** The name of the column in options of the reader. */
  name: string;
  /** The name of the column for people. */
  label: string;
  /** The first values that are not empty. */
  values: string[];
  use: Use;
  chosen: ColumnUse | undefined;
  /** The pence of all amounts of the column. */
  sum: number | null;
  /** The open questions about the column. */
  questions: Question[];
  /** The question is about other columns of amounts too: one answer is for all of them. */
  isOneOfSeveral: boolean;
  /** The category and the property of the amount, chosen now or for an earlier file. */
  destination: Pick<ColumnUse, 'category' | 'source'>;
  /** Earlier columns of the same direction, each an entry of its own: the column can be one entry with one of them. */
  joinable: readonly Pick<FileColumn, 'name' | 'label' | 'use' | 'chosen' | 'destination'>[];
  /** The name of the column that it is one entry with. */
  oneEntryWith: string | undefined;
  /** Its use if another column is the sum of the row, which is an open question. */
  part: 'moneyIn' | 'moneyOut' | undefined;
}

/** Those with a name, a value or a question. */
export function fileColumns(
  read: ResultOrProblem & Pick<FileState, 'parseOptions' | 'usesOfRead'>,
): FileColumn[] {
  const { header = [], sampleRows = [], sums = [], amounts = [] } = shownTable(read) ?? {};
  const found = foundUses(read);
  const parts = partsOfSum(read);
  const [chosen, before] = [read.parseOptions.uses, read.usesOfRead].map((uses) =>
    chosenUses(header, uses, found),
  ) as [Chosen, Chosen];
  const several = read.problem?.questions?.find(({ kind }) => kind === 'amounts');
  const kept = read.problem ? [] : (read.result?.recognised.answers.amounts ?? []);
  const indexOf = (name = '') => columnIndex(name, header.map(headerKey), found.length);
  const entryAt = (index: number): number => {
    const name = chosen[index] && entryColumn(nameForOptions(header, index), read.parseOptions.uses ?? {});
    if (name !== undefined) return indexOf(name) ?? index;
    return amounts.find(({ columns }) => columns.includes(index))?.columns[0] ?? index;
  };
  const basic = found.map((use, index) => ({
    name: nameForOptions(header, index),
    label: columnLabel(header, index),
    use: chosen[index]?.use ?? use,
    chosen: chosen[index],
    destination: chosen[index] ?? kept.find(({ columns: [first] }) => indexOf(first) === index) ?? {},
  }));
  return basic
    .map((column, index) => ({
      ...column,
      index,
      isOneOfSeveral: several?.columns.includes(index) ?? false,
      joinable: isMoneyInOrOut(column.use)
        ? basic.filter(({ use }, to) => to < index && use === column.use && entryAt(to) === to)
        : [],
      oneEntryWith: entryAt(index) === index ? undefined : basic[entryAt(index)]?.name,
      values: sampleRows.flatMap((row) => row[index] || []),
      sum: sums[index] ?? null,
      // An answer is shown at once, before the file is read with it.
      questions: chosen[index] === before[index] ? questionsAbout(read, index) : [],
      part: found[index] === 'open' && !chosen[index] ? parts.get(index) : undefined,
    }))
    .filter(({ index, values, use }) => header[index] || values.length > 0 || use === 'open');
}

type Chosen = (ColumnUse | undefined)[];

function chosenUses(header: readonly string[], uses: ColumnUses = {}, { length }: readonly Use[]): Chosen {
  const chosen = Array<ColumnUse | undefined>(length).fill(undefined);
  for (const [name, use] of Object.entries(uses)) {
    const index = columnIndex(name, header.map(headerKey), length) ?? -1;
    if (index in chosen) chosen[index] = use;
  }
  return chosen;
}

/** The uses with another one for a column. A sum of the row settles its parts. @param use undefined: the reader finds it */
export function withAnswerFor(
  columns: readonly FileColumn[],
  uses: ColumnUses | undefined,
  column: FileColumn,
  use: ColumnUse | undefined,
): ColumnUses {
  const isSum = use?.use === 'check' && column.questions.some(({ amounts }) => amounts);
  const parts = columns.filter(({ part }) => isSum && part);
  const first = column.joinable.find(({ name }) => name === use?.with);
  // The reader has found the other column: the choice of this one must not change it.
  const { category, source } = first?.destination ?? {};
  const withFirst =
    first && isMoneyInOrOut(first.use) ? withUse(uses, first, { use: first.use, category, source }) : uses;
  return parts.reduce(
    (all, part) => withUse(all, part, part.part && { use: part.part }),
    withUse(withFirst, column, use),
  );
}

/** The uses with another one for this column alone. @param use undefined: the reader finds it */
function withUse(
  uses: ColumnUses = {},
  { name, chosen }: Pick<FileColumn, 'name' | 'chosen'>,
  use: ColumnUse | undefined,
): ColumnUses {
  const others = Object.entries(uses).filter(([, each]) => each !== chosen);
  return Object.fromEntries(use ? [...others, [name, use]] : others);
}

/**
 * Questions about two columns of one use, and about a column that is read in another way because of a choice for another one.
 * @param before the uses as found without an answer
 */
export function conflictsOf(
  read: ResultOrProblem,
  uses: ColumnUses | undefined,
  before: readonly Use[],
): Question[] {
  const { header = [] } = shownTable(read) ?? {};
  const found = foundUses(read);
  const chosen = chosenUses(header, uses, found);
  const label = (index: number) => `“${columnLabel(header, index)}”`;
  // The reader has asked for it itself, and does without the column of that name. Of money, both are asked about.
  const isAsked = (at: number, use: Use) => before[at] === 'open' && !isAmountUse(use);
  const others = (index: number, use: Use) =>
    chosen.flatMap((each, at) => {
      const isOther = each && at !== index && (chosen[index] || !isAsked(at, use));
      return isOther && isAgainst(each.use, use, !chosen[index]) ? [at] : [];
    });
  return found.flatMap((use, index): Question[] => {
    const own = chosen[index]?.use ?? before[index];
    if (own === undefined || (!chosen[index] && use === own)) return [];
    const by = others(index, own);
    const isTurned = !chosen[index] && isAmountUse(use);
    if (by.length === 0 && !isTurned) return [];
    const [first = index] = by;
    const message = isTurned
      ? `${label(index)} would be “${FIELD_NAMES[use as Field]}”, and nobody has said so.`
      : isAmountUse(own)
        ? `${label(index)} was the amount, and ${label(first)} is money too: say what each is.`
        : `Both ${label(first)} and ${label(index)} are “${FIELD_NAMES[own as Field]}”: choose another use for one.`;
    const columns = isTurned ? [index] : [index, ...by];
    const choices = isTurned ? [use as Field, 'ignore' as const] : [];
    return [{ kind: 'amount', columns, name: nameForOptions(header, index), rows: [], message, choices }];
  });
}

/** Whether a chosen use excludes the use of another column. @param isFound the other one is not chosen */
function isAgainst(chosen: Use, other: Use, isFound: boolean): boolean {
  if (isAmountUse(chosen) && isAmountUse(other)) {
    const both = [chosen, other];
    return isFound || both.includes('unsigned') || both.every((use) => SINGLE_USES.includes(use));
  }
  return chosen === other && FIELDS.includes(other as Field);
}
