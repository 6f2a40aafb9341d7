/** The words of a table for the direction of its rows: in columns, and in the lines of text above rows. */

import type { TableRow } from '../files/cells.ts';
import type { DecimalMark, EntryType } from '../options.ts';
import { hasMinus, isBlankAmount, penceOf } from '../values/amounts.ts';
import { areWords, directionOf } from '../values/direction.ts';
import type { Evidence } from '../values/evidence.ts';
import { meaningOf } from './chosen-columns.ts';
import { columnCount, type PartialLayout, rowsWithMoney } from './layout.ts';

/**
 * The meaning of a minus beside a word for the direction, by the amounts of the table:
 *
 * - `repeatsExpense`: most amounts beside a word for expense have a minus.
 * - `repeatsIncome`: all amounts beside a word for income have a minus, and none beside a word for expense.
 * - `contradicts`: the same, and these are most amounts. Then no sign repeats its word.
 * - `takesBack`: neither. Few amounts have a minus, and it turns the direction around.
 */
type MinusMeaning = 'repeatsExpense' | 'repeatsIncome' | 'contradicts' | 'takesBack';

export interface TableDirections {
  /** What columns and lines say about a row. */
  wordsOf: (row: TableRow) => Evidence<EntryType>[];
  /** The columns whose values are all understood. */
  columns: ReadonlySet<number>;
  /** Each row with an amount has a word, or a person has named the column. */
  isTyped: boolean;
  minus: MinusMeaning;
  /** Whether an amount beside this text for an expense has a minus. */
  hasMinusBeside: (text: string) => boolean;
  /** Whether the column of money out has a minus. */
  isOutNegative: boolean;
}

const TYPES_OF_MEANINGS: Partial<Record<string, EntryType>> = { in: 'income', out: 'expense' };

export function tableDirections(
  rows: readonly TableRow[],
  layout: PartialLayout,
  decimal: DecimalMark,
): TableDirections {
  const { columns, header, values = new Map(), headings = new Map(), isTypeMapped = false } = layout;
  const withMoney = rowsWithMoney(rows, columns);
  const understood = directionColumns(withMoney, layout);
  const wordsOf = ({ row, cells }: TableRow): Evidence<EntryType>[] => {
    if (understood.size === 0 && headings.size === 0) return [];
    const heading = headings.get(row);
    const says = TYPES_OF_MEANINGS[heading?.meaning ?? ''];
    const wordsOfColumns = [...understood].flatMap((index) => {
      const text = cells[index] ?? '';
      const chosen = values.get(index);
      const meaning = chosen && meaningOf(chosen, text);
      const isOwn = index === columns.type || !chosen;
      const word = meaning === undefined && isOwn ? directionOf(text) : TYPES_OF_MEANINGS[meaning ?? ''];
      const isOfText = meaning !== undefined;
      return word ? [{ says: word, column: header[index] || 'the type', text, isOfText }] : [];
    });
    const line = { column: 'the line above', text: heading?.text ?? '', isOfText: true };
    return says ? [...wordsOfColumns, { says, ...line }] : wordsOfColumns;
  };
  const counts = { income: { minus: 0, others: 0 }, expense: { minus: 0, others: 0 } };
  /** The texts for expenses beside which an amount has a minus. */
  const negative = new Set<string>();
  const amount = columns.amountPence ?? columns.amount;
  let isEach = understood.size > 0 || headings.size > 0;
  for (const row of isEach ? withMoney : []) {
    const [word] = wordsOf(row);
    if (!word && !isSkippedRow(row, layout)) isEach = false;
    if (amount === undefined || !word) continue;
    const isMinus = hasMinus(row.cells[amount] ?? '');
    counts[word.says][isMinus ? 'minus' : 'others']++;
    if (isMinus && word.says === 'expense') negative.add(word.text);
  }
  return {
    wordsOf,
    columns: understood,
    isTyped: isEach || (isTypeMapped && layout.resolvedColumns.has(columns.type ?? -1)),
    minus: minusMeaning(counts),
    hasMinusBeside: (text) => negative.has(text),
    isOutNegative: isOutNegative(rows, columns.moneyOut, decimal),
  };
}

/** @param counts of the amounts beside the words for each direction, with and without a minus */
function minusMeaning({
  income,
  expense,
}: Record<EntryType, Record<'minus' | 'others', number>>): MinusMeaning {
  if (expense.minus > expense.others) return 'repeatsExpense';
  if (income.others > 0 || expense.minus > 0 || expense.others === 0) return 'takesBack';
  return income.minus > expense.others ? 'contradicts' : 'repeatsIncome';
}

/** Whether a person has said that such a row is no payment. */
function isSkippedRow({ row, cells }: TableRow, { values, headings }: PartialLayout): boolean {
  const isOfValue = [...(values ?? [])].some(
    ([index, chosen]) => meaningOf(chosen, cells[index] ?? '') === 'skip',
  );
  return isOfValue || headings?.get(row)?.meaning === 'skip';
}

/** A kind of card as well as a direction. */
const KIND_OF_CARD = /^(?:debit|credit)s?$/i;

/**
 * Columns whose every value is a direction. Without a name for it, both directions have to be there. Debit and Credit may then be cards,
 * unless the amounts say the same.
 */
function directionColumns(rows: readonly TableRow[], layout: PartialLayout): Set<number> {
  const { columns, header, values, resolvedColumns, isTypeMapped = false } = layout;
  const { type, ...others } = columns;
  const read = new Set(Object.values(others).flat());
  const width = columnCount(header, rows);
  const isDirection = (index: number) => {
    if (index === type && isTypeMapped) return true;
    const chosen = values?.get(index);
    if (chosen) return [...chosen.values()].some((meaning) => meaning === 'in' || meaning === 'out');
    if (read.has(index) || (resolvedColumns.has(index) && index !== type)) return false;
    const texts = new Set<string>();
    for (const { cells } of rows) {
      const text = cells[index];
      if (!text || texts.has(text)) continue;
      // Of most columns the first text is no direction.
      if (directionOf(text) === undefined) return false;
      texts.add(text);
    }
    const words = [...texts];
    if (index === type) return words.length > 0 && areWords(words);
    const isRepeated = ({ cells }: TableRow) => !cells[index] || directionOf(cells[index]) === signOf(cells);
    const isCard = words.every((text) => KIND_OF_CARD.test(text)) && !rows.every(isRepeated);
    return areWords(words) && !isCard && new Set(words.map(directionOf)).size === 2;
  };
  const signOf = (cells: readonly string[]): EntryType =>
    hasMinus(cells[columns.amount ?? -1] ?? '') || !isBlankAmount(cells[columns.moneyOut ?? -1] ?? '')
      ? 'expense'
      : 'income';
  return new Set(Array.from({ length: width }, (_, index) => index).filter(isDirection));
}

/** Some banks write a minus in all rows of money out. A single other sign is then the exception. */
export function isOutNegative(
  rows: readonly TableRow[],
  moneyOut: number | undefined,
  decimal: DecimalMark,
): boolean {
  if (moneyOut === undefined) return false;
  let sum = 0;
  for (const { cells } of rows) {
    sum += Math.sign(penceOf(cells[moneyOut] ?? '', decimal)) || 0;
  }
  return sum < 0;
}
