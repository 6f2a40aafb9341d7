/** The words of a table for the direction of its rows: in columns, and in the lines of text above rows. */

import type { TableRow } from '../files/cells.ts';
import type { DecimalMark, EntryType } from '../options.ts';
import { hasMinus, isBlankAmount, penceOf } from '../values/amounts.ts';
import { areWords, directionOf } from '../values/direction.ts';
import type { Evidence } from '../values/evidence.ts';
import { meaningOf } from './chosen-columns.ts';
import { type PartialLayout, rowsWithMoney, widthOf } from './layout.ts';

export interface TableDirections {
  /** What columns and lines say about a row. */
  wordsOf: (row: TableRow) => Evidence<EntryType>[];
  /** The columns whose values are all understood. */
  columns: ReadonlySet<number>;
  /** Each row with an amount has a word, or a person has named the column. */
  isTyped: boolean;
  /**
   * Most amounts beside a word for expense have a minus, which repeats the direction. Otherwise a minus takes the payment back. Or a minus is
   * on most amounts, each beside a word for income: then no sign repeats its word.
   */
  isExpenseNegative: boolean;
  /** Whether all money in, and no money out, has a minus. */
  isInNegative: boolean;
  /** Whether an amount beside this text for an expense has a minus. */
  hasMinusBeside: (text: string) => boolean;
  /** Whether money out has a minus. */
  isOutNegative: boolean;
}

const DIRECTIONS: Partial<Record<string, EntryType>> = { in: 'income', out: 'expense' };

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
    const says = DIRECTIONS[heading?.meaning ?? ''];
    const ofColumns = [...understood].flatMap((index) => {
      const text = cells[index] ?? '';
      const chosen = values.get(index);
      const meaning = chosen && meaningOf(chosen, text);
      const isOwn = index === columns.type || !chosen;
      const word = meaning === undefined && isOwn ? directionOf(text) : DIRECTIONS[meaning ?? ''];
      const isOfText = meaning !== undefined;
      return word ? [{ says: word, column: header[index] || 'the type', text, isOfText }] : [];
    });
    const ofLine = { column: 'the line above', text: heading?.text ?? '', isOfText: true };
    return says ? [...ofColumns, { says, ...ofLine }] : ofColumns;
  };
  const expenses = { positive: 0, negative: 0 };
  /** The texts for expenses beside which an amount has a minus. */
  const negative = new Set<string>();
  const incomes = { positive: 0, negative: 0 };
  const amount = columns.amountPence ?? columns.amount;
  let isEach = understood.size > 0 || headings.size > 0;
  for (const row of isEach ? withMoney : []) {
    const [word] = wordsOf(row);
    if (!word && !isSkipped(row, layout)) isEach = false;
    if (amount === undefined || !word) continue;
    const counts = word.says === 'expense' ? expenses : incomes;
    const isMinus = hasMinus(row.cells[amount] ?? '');
    counts[isMinus ? 'negative' : 'positive']++;
    if (isMinus && word.says === 'expense') negative.add(word.text);
  }
  const isInNegative = incomes.positive === 0 && expenses.positive > 0 && expenses.negative === 0;
  return {
    wordsOf,
    columns: understood,
    isTyped: isEach || (isTypeMapped && layout.resolvedColumns.has(columns.type ?? -1)),
    isExpenseNegative:
      expenses.negative > expenses.positive || (isInNegative && incomes.negative > expenses.positive),
    hasMinusBeside: (text) => negative.has(text),
    isInNegative,
    isOutNegative: isOutNegative(rows, columns.moneyOut, decimal),
  };
}

/** Whether a person has said that such a row is no payment. */
function isSkipped({ row, cells }: TableRow, { values, headings }: PartialLayout): boolean {
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
  const width = widthOf(header, rows);
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
