/** Lines of text between the rows of a table. They may give the meaning of the rows below. */
import { headerKey, type TableRow } from '../files/cells.ts';
import type { ImportOptions } from '../options.ts';
import { isBlankAmount } from '../values/amounts.ts';
import { hasHappened } from '../values/states.ts';
import { isBalance, isOnlyTotal, isTime, isTotal } from '../values/total-texts.ts';
import { isAmountText, isDate } from './cell-kinds.ts';
import { type Heading, moneyColumns, type PartialLayout } from './layout.ts';

export interface TextLine {
  row: number;
  text: string;
  /** The rows with an amount below it, up to the next line. */
  below: number[];
}

/** In place of a number: the name of the file or the sheet, which holds for all rows. */
export const NAME_OF_FILE = 0;
/** Above all rows. A word raises a question and answers none. */
const PLAN =
  /\b(?:budget|forecast|upcoming|planned|scheduled|projected|projection|estimated?|expected|to come|to do)\b/i;

/** A short title, such as "Unpaid bills". A line with a date or a colon is about the file. */
const isOfState = (text: string) => {
  const words = text.match(/\p{L}+/gu) ?? [];
  return (
    words.length <= TITLE_WORDS &&
    !/:|(?:\d\D*){6}/.test(text) &&
    words.some((word) => hasHappened(word, '') === false)
  );
};
const TITLE_WORDS = 5;

/** Whether the only texts of a row are beneath the names of amounts, and have no digit: a second header, such as "Planned". */
export const isSubheader = (cells: readonly string[], money: readonly number[]): boolean =>
  cells.every((text, index) => text === '' || (money.includes(index) && !/\d/.test(text)));

/** The lines that have rows below them. Totals, balances, times and repeated headers say nothing about those. */
export function textLines(
  rows: readonly TableRow[],
  layout: PartialLayout,
  titles: readonly string[] = [],
): TextLine[] {
  const { columns, firstRow, header } = layout;
  const money = moneyColumns(columns);
  const keys = header.map(headerKey).join();
  const above = rows
    .slice(0, Math.max(0, firstRow - 1))
    .map(({ row, cells }) => ({ row, text: cells.filter((text) => text !== '').join(' ') }));
  const plans = [...titles.map((text) => ({ row: NAME_OF_FILE, text })), ...above];
  const lines: TextLine[] = plans
    .filter(({ text }) => PLAN.test(text.replace(/[_-]/g, ' ')) || isOfState(text))
    .slice(0, 1)
    .map((each) => ({ ...each, below: [] }));
  let line = lines[0];
  for (const { row, cells, isHidden } of rows.slice(firstRow)) {
    if (isHidden) continue;
    const isPaid =
      money.length > 0 ? money.some((index) => !isBlankAmount(cells[index] ?? '')) : cells.some(isAmountText);
    if (isPaid && !isSubheader(cells, money)) {
      line?.below.push(row);
      continue;
    }
    const texts = cells.filter((text) => text !== '');
    const date = cells[columns.date ?? -1] ?? '';
    // Wider than `isDate`: a row whose date no calendar has is no line of text.
    const isDated = isDate(date) || /^\d+[-/.]\d/.test(date) || !/\p{L}|^$/u.test(date);
    if (
      isDated ||
      texts.some((text) => isDate(text) || isAmountText(text)) ||
      texts.every(isTime) ||
      cells.map(headerKey).join() === keys
    )
      continue;
    const isOfTotal = texts.some((text) => isTotal(text) || isBalance(text) || isOnlyTotal(text));
    line = isOfTotal ? undefined : { row, text: texts.join(' '), below: [] };
    if (line) lines.push(line);
  }
  return lines.filter(({ below }) => below.length > 0);
}

/** The answers of a person about the lines, by the rows below them. */
export function chosenHeadings(
  rows: readonly TableRow[],
  layout: PartialLayout,
  { rowMeanings: chosen = {} }: ImportOptions,
  titles: readonly string[],
): Map<number, Heading> {
  if (Object.keys(chosen).length === 0) return new Map();
  return new Map(
    textLines(rows, layout, titles).flatMap(({ row, text, below }) => {
      const meaning = chosen[row];
      return meaning === undefined ? [] : below.map((each) => [each, { text, meaning }] as const);
    }),
  );
}
