/**
 * Files that no reader can decide by the documented rules. None of them is drawn. Each line is a limit of the rules; `reasonOf` finds those
 * that a random file can have.
 */

import type { Cell, Column, DrawnFile, Line } from './drawn-file.ts';
import { linesOf } from './lines.ts';
import { isFormatted } from './written.ts';

export const UNDECIDABLE = {
  'minus on most rows is money back':
    'no word names a card, and refunds are more than half of the rows: rule 1 reads a bank account',
  'minus on most costs beside words':
    'of the costs that a word names, most have a minus: then the minus says the same as the word',
  'balance of a debt':
    'a column of a card that nothing names: the debt grows as the balance of an account does (rule 1)',
  'words that mostly differ': 'a state in five or more texts that mostly differ is free text (rule 2)',
  'total of one row': 'an equal row may be a second rent: a total sums up two rows or more (rule 3)',
  'opening balance': 'under a name that nobody knows, as the first row: there is nothing before it (rule 3)',
  'payout with a minus':
    'the opposite of a sum that went out is a card that is paid in full (rule 3): it needs a column that says so',
  'parts apart': 'a whole that is not beside its parts, and double entry on different days (rule 3)',
  'file of plans':
    'a whole file of payments to come, if no known word above the header or in its name says so (rules 2 and 3)',
  'word in a description':
    'a state, a direction or a unit in the text of a payment: that text is no statement',
  'marks without a unit':
    'a workbook whose number format says pence, and all of whose amounts are texts such as "4133 CR": a text has no number format',
  'empty column': 'a column without any content, whose blank cells say that nothing happened',
  'one value with two meanings': 'a word that is money in for some rows and money out for others',
} as const;
type Undecidable = keyof typeof UNDECIDABLE;

export function reasonOf(drawn: DrawnFile): Undecidable | undefined {
  const lines = linesOf(drawn);
  const amounts = drawn.columns.filter(({ role }) => role === 'amount');
  if (drawn.sign === 'spending' && !isCalledCard(drawn)) {
    const cells = amounts.flatMap(({ cell }) => lines.map(cell)).filter(isAmount);
    const minus = cells.filter(({ pence }) => pence < 0).length;
    if (minus >= 2 && minus * 2 > cells.length) return 'minus on most rows is money back';
  }
  // Of categories with refunds: elsewhere a minus is money out.
  if (drawn.features.some((feature) => feature.includes('categories, one refund'))) {
    const costs = lines
      .filter(({ heading, covers }) => heading === undefined && !covers)
      .filter((line) => drawn.columns.some((column) => column.meaning?.(line) === 'out'));
    const cells = amounts.flatMap(({ cell }) => costs.map(cell)).filter(isAmount);
    if (cells.length > 0 && cells.filter(({ pence }) => pence < 0).length * 2 >= cells.length)
      return 'minus on most costs beside words';
  }
  // Where one word has no sign, the minus of the others has to be usual.
  if (drawn.features.some((feature) => feature.includes('one without'))) {
    const costs = lines.filter(({ payments }) => payments[0]?.direction === 'out');
    const cells = amounts.flatMap(({ cell }) => costs.map(cell)).filter(isAmount);
    if (cells.filter(({ pence }) => pence < 0).length * 2 <= cells.length)
      return 'minus on most costs beside words';
  }
  if (isFormatted(drawn)) {
    const cells = amounts.flatMap(({ cell }) => lines.map(cell)).filter(isAmount);
    if (cells.every(({ mark }) => mark !== undefined)) return 'marks without a unit';
  }
  for (const column of drawn.columns) {
    const values = valuesOf(column, lines);
    if (!values) return 'one value with two meanings';
    if (isState(column) && Object.keys(values).every((value) => value === '')) return 'empty column';
    if (isState(column) && isFreeText(lines.map(column.cell))) return 'words that mostly differ';
  }
  for (const line of lines) if (line.covers && !isSum(line, drawn, amounts)) return 'total of one row';
  return undefined;
}

const isAmount = (cell: Cell): cell is Extract<Cell, { pence: number }> =>
  typeof cell === 'object' && 'pence' in cell;
/** By a word that everyone knows, and not by the name of a card. */
const isCalledCard = ({ isCardNamed, fileName, preamble, format }: DrawnFile) =>
  isCardNamed &&
  (format === 'ofx' ||
    format === 'qif' ||
    /card|visa/i.test([fileName, ...preamble.map(({ text }) => text)].join(' ')));
const isState = (column: Column) => column.role === 'other' && column.meaning !== undefined;

/** The words of a column that has a meaning. Undefined if one has two. */
function valuesOf({ cell, meaning }: Column, lines: readonly Line[]) {
  const values: Record<string, ReturnType<NonNullable<Column['meaning']>>> = {};
  if (!meaning) return values;
  for (const line of lines) {
    if (line.heading !== undefined || (line.covers && !line.category)) continue;
    const value = cell(line);
    // A day says that the payment happened, and each has its own.
    const text = typeof value === 'string' ? value.trim() : 'day' in value ? value.day : '';
    if (values[text] !== undefined && values[text] !== meaning(line)) return undefined;
    values[text] = meaning(line);
  }
  return values;
}

function isFreeText(cells: readonly Cell[]): boolean {
  const texts = cells.filter((cell) => typeof cell === 'string' && cell !== '');
  return texts.length >= 5 && new Set(texts).size * 2 > texts.length;
}

function isSum(line: Line, drawn: DrawnFile, amounts: readonly Column[]): boolean {
  const covers = line.covers ?? [];
  // A column says what a payout is.
  if (line.isOpposite) return true;
  if (covers.length < 2) return false;
  if (drawn.isSeveral) return true;
  return amounts.some(({ cell }) => {
    const summed = covers.map(cell).filter((each) => isAmount(each) && each.pence !== 0);
    const total = cell(line);
    return summed.length >= 2 && isAmount(total) && total.pence !== 0;
  });
}
