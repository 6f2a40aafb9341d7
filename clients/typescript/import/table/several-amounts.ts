/** The amounts of a row with several columns of money. Each amount becomes an entry; together they are the payment. */

import { plainPounds, signedPence } from '../../pounds.ts';
import { nameOfAmount } from '../columns/column-names.ts';
import { isOutNegative } from '../columns/directions.ts';
import type { AmountGroup } from '../columns/layout.ts';
import type { TableRow } from '../files/cells.ts';
import type { ParsedRow, RowAmount } from '../rows/parsed-row.ts';
import { hasPlus, isBlankAmount } from '../values/amounts.ts';
import { quotedEvidence } from '../values/evidence.ts';
import { hasMoneyCell } from './no-payment.ts';
import {
  type AmountNotation,
  amountProblem,
  type CellOf,
  readOrZero,
  type SignedAmount,
} from './signed-amount.ts';

type AmountFields = Pick<
  ParsedRow,
  'amounts' | 'hasSeveralAmounts' | 'category' | 'source' | 'refundOf' | 'isByAmounts'
>;

/** The sum of the row, with its amounts. */
interface SeveralAmounts extends SignedAmount {
  rowValues: AmountFields;
}

type AmountCellProblem = NonNullable<SignedAmount['problem']>;

/** Reads the amounts of each row; undefined for a table with a single amount in a row. */
export function severalAmountsOf(
  rows: readonly TableRow[],
  notation: AmountNotation,
): ((row: TableRow, cell: CellOf) => SeveralAmounts) | undefined {
  const { layout, decimal, directions } = notation;
  const { columns, header } = layout;
  const { amounts } = columns;
  if (!amounts) return undefined;
  const isNegative = (index: number) => isOutNegative(rows, index, decimal);
  const negative = new Set(
    amounts.flatMap((group) => (group.isSigned ? [] : group.columns.filter(isNegative))),
  );
  const nameOf = (index: number) => nameOfAmount(header, index);

  /** The pence of a cell in the direction of its column. */
  function readCell(
    cell: CellOf,
    index: number,
    { direction, isSigned }: AmountGroup,
  ): number | AmountCellProblem {
    const text = cell(index);
    const problem = (problem: string) => amountProblem(index, { problem });
    const read = readOrZero(text, notation);
    if ('problem' in read) return amountProblem(index, read);
    if (negative.has(index)) {
      return direction === 'out' || read.pence === 0
        ? 0 - read.pence
        : problem(
            `Most amounts of "${nameOf(index)}", which is money in, have a minus; it may be money out.`,
          );
    }
    return direction === 'out' && !isSigned && read.pence > 0 && hasPlus(text)
      ? problem(`The amount has a plus, and "${nameOf(index)}" is money out.`)
      : read.pence;
  }

  /** In a known layout, a row with no other amount, such as an adjustment. */
  function checkAlone(cell: CellOf): SeveralAmounts {
    const index = columns.check ?? -1;
    const read = readCell(cell, index, { columns: [index], direction: 'in', isSigned: true });
    if (typeof read !== 'number') return { problem: read, rowValues: {} };
    return { type: read < 0 ? 'expense' : 'income', pence: Math.abs(read), rowValues: {} };
  }

  /** A word or the line above says a direction that no amount of the row has. */
  function againstWords(row: TableRow, rowAmounts: readonly RowAmount[]): AmountCellProblem | undefined {
    const [first] = rowAmounts;
    const word = directions.wordsOf(row).find(({ says }) => rowAmounts.every(({ type }) => type !== says));
    if (!word || !first) return undefined;
    const message = `The row contradicts itself: ${quotedEvidence(word)} says ${word.says}, and ${first.column} says ${first.type}.`;
    return { field: 'type', index: columns.type, message };
  }

  return (row, cell) => {
    const rowAmounts: RowAmount[] = [];
    const problems: AmountCellProblem[] = [];
    let sum = 0;
    for (const group of amounts) {
      const reads = group.columns.map((index) => readCell(cell, index, group));
      const pence = sumOf(reads.filter((read) => typeof read === 'number'));
      const [problem] = reads.filter((read) => typeof read !== 'number');
      sum += group.direction === 'in' ? pence : -pence;
      if (problem) problems.push(problem);
      else if (pence !== 0) rowAmounts.push(rowAmount(pence, group, group.columns.map(nameOf)));
    }
    if (![sum, ...rowAmounts.map((each) => each.pence)].every(Number.isSafeInteger)) {
      problems.push({ field: 'amount', index: amounts[0]?.columns[0], message: 'The amount is too large.' });
    }
    const several = rowAmounts.length + problems.length > 1 ? { hasSeveralAmounts: true as const } : {};
    const problem = problems[0] ?? againstWords(row, rowAmounts);
    if (problem) return { problem, rowValues: several };
    const [one, ...others] = rowAmounts.sort(byContent);
    if (!one && layout.bank?.check !== undefined && !isBlankAmount(cell(columns.check)))
      return checkAlone(cell);
    if (!one) return { ...(hasMoneyCell(cell, columns) && { pence: 0 }), rowValues: {} };
    const rowValues = others.length > 0 ? { ...several, amounts: rowAmounts } : valuesOfOne(one);
    return { type: sum < 0 ? 'expense' : 'income', pence: Math.abs(sum), rowValues };
  };
}

const sumOf = (pence: readonly number[]) => pence.reduce((sum, each) => sum + each, 0);

/** @param pence in the direction of the columns; a minus reverses it */
function rowAmount(pence: number, { direction, category, source }: AmountGroup, names: string[]): RowAmount {
  return {
    type: (direction === 'in') === pence > 0 ? 'income' : 'expense',
    pence: Math.abs(pence),
    column: names.join(' + '),
    isReversed: pence < 0,
    ...(category && { category }),
    ...(source && { source }),
  };
}

/**
 * Orders amounts by their content: income first, then the larger amount. So no name and no position of a column changes the number of a part.
 * Equal amounts in one direction follow their categories and sources: if these are equal too, the entries are interchangeable.
 */
function byContent(one: RowAmount, two: RowAmount): number {
  const useOf = ({ category = '', source = '', isReversed }: RowAmount) =>
    [category, source, isReversed ? '1' : ''].join('\n');
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return (
    compare(two.type, one.type) ||
    two.pence - one.pence ||
    compare(useOf(one), useOf(two)) ||
    compare(one.column, two.column)
  );
}

/** The only amount is the whole row. */
function valuesOfOne({ category, source, isReversed }: RowAmount): AmountFields {
  return {
    ...(source && { source }),
    ...(category && (isReversed ? { refundOf: category } : { category })),
    ...((category ?? source) && { isByAmounts: true }),
  };
}

/** The problem of a row whose amount is another one in a column that repeats it, or whose amounts do not add up to its check column. */
export function againstCheck(
  cell: CellOf,
  notation: AmountNotation,
  amount: SignedAmount,
): AmountCellProblem | undefined {
  const { header } = notation.layout;
  const { check, repeats = [] } = notation.layout.columns;
  if (amount.problem) return undefined;
  const sum = signedPence(amount);
  const isSum = (index: number) => {
    const read = readOrZero(cell(index), notation);
    return 'pence' in read && read.pence === sum;
  };
  const other = repeats.find((index) => !isBlankAmount(cell(index)) && !isSum(index));
  if (other !== undefined) {
    const message = `The amount of the row is ${plainPounds(sum)}, and "${nameOfAmount(header, other)}" is ${cell(other)}.`;
    return { field: 'amount', index: other, message };
  }
  if (check === undefined || isSum(check)) return undefined;
  const text = cell(check);
  const stated = text === '' ? 'is empty' : `is ${text}`;
  const message = `The amounts of the row add up to ${plainPounds(sum)}, and "${nameOfAmount(header, check)}" ${stated}.`;
  return { field: 'amount', index: check, message };
}

/** The texts of the amounts. Money out gets a minus, so that the text alone shows the direction. */
export const amountTexts = (cell: CellOf, amounts: readonly AmountGroup[]): string =>
  amounts
    .flatMap(({ columns, direction, isSigned }) =>
      columns.map((index) => {
        const text = isBlankAmount(cell(index)) ? '' : cell(index);
        return direction === 'in' || isSigned || text === '' ? text : `-${text.replace(/^-/, '')}`;
      }),
    )
    .filter((text) => text !== '')
    .join(' ');
