/**
 * Asks about each fact of a table that is open: a table is read only if none is.
 *
 * 1. A column is settled by the bank's layout, by a person, or by a name with one certain meaning that its values fit.
 * 2. Each other column with content is a question, unless it is free text, or all of its values are understood.
 * 3. The direction of a single amount needs evidence: words, a running balance, or a minus on most rows. Cards and loans are asked about.
 * 4. A running balance that follows over all rows shows that each row happened, once, with its sign and its unit.
 */

import { lazy } from '../../lazy.ts';
import { MEANINGS, type Question } from '../choices.ts';
import { headerKey, type TableRow } from '../files/cells.ts';
import { ImportError } from '../import-error.ts';
import type { ImportOptions } from '../options.ts';
import { refusalOf } from '../questions/refusal.ts';
import { isOfBooks } from './books-columns.ts';
import { isAmount } from './cell-kinds.ts';
import { chosenColumns } from './chosen-columns.ts';
import { columnIndex } from './column-index.ts';
import { directionQuestion, PAID_OFF } from './direction-question.ts';
import type { TableDirections } from './directions.ts';
import { NAME_OF_FILE, type TextLine, textLines } from './headings.ts';
import {
  hasMoney,
  isKnownTable,
  isUsable,
  labelOf,
  moneyColumns,
  nameForOptions,
  type PartialLayout,
  rowsWithMoney,
  widthOf,
} from './layout.ts';
import { moneyQuestion } from './money-question.ts';
import { runningBalance } from './running-balance.ts';
import type { Column, SettleContext } from './settle-context.ts';
import { withSumQuestion } from './sum-question.ts';
import { unitQuestion } from './unit-question.ts';
import { type DirectionState, valuesQuestion } from './values-question.ts';

/**
 * @param directionsOf the table, without hidden rows
 * @param titles of the table: the names of the file and of the sheet
 * @throws ImportError `unresolved_columns` with all questions, `unknown_column` for an ignored column that is missing
 */
export function requireSettled(
  table: readonly TableRow[],
  layout: PartialLayout,
  options: ImportOptions,
  titles: readonly string[],
  directionsOf: () => TableDirections,
): void {
  const { header, columns, values = new Map() } = layout;
  const context = contextOf(table, layout, options, titles, directionsOf);
  const { data, keys, withMoney, isKnown } = context;
  requireIgnored(keys, header, widthOf(header, data), options);
  const money = moneyColumns(columns);
  requireUnsplit(withMoney, money, header);
  const lines = isKnown || context.balance.follows ? [] : textLines(table, layout, titles);
  if (isSkipped(lines, context)) return;
  const openLines = lines.filter(({ row }) => options.rowMeanings?.[row] === undefined);
  // A line of text, such as "Money out", may give the direction of the rows below it. Ask about the line first, and about the direction later.
  const directionOpen = layout.isExact || openLines.length > 0 ? undefined : directionQuestion(context);
  // `elsewhere`: a person has answered that another column gives the direction. Then columns that need no question otherwise may be that one.
  const direction = !directionOpen ? 'settled' : options.map?.unsigned ? 'elsewhere' : 'open';

  const found = unsettledColumns(context);
  const ofTexts = withPossibleMoney(context, found);
  const ofValues = (column: Column, state: DirectionState) =>
    values.has(column.index) || !isKnown ? valuesQuestion(column, ofTexts, state) : undefined;
  /** The questions about columns without amounts, as if one of them gave the direction. */
  const saidElsewhere = () =>
    found.flatMap(({ question, ...column }) => (question ? [] : (ofValues(column, 'elsewhere') ?? [])));
  let questions = found.flatMap(({ question, ...column }) => question ?? ofValues(column, direction) ?? []);
  if (!isKnown) questions = withSumQuestion(questions, context);
  // Without a column of amounts, the words of the other columns have no meaning yet.
  if (money.length === 0 && questions.every(({ kind }) => kind !== 'amount')) {
    questions = questions.filter(({ kind }) => kind !== 'values');
  }
  questions.push(...openLines.map(({ row, text }) => headingQuestion(row, text)));
  const asked = new Set(questions.flatMap(({ kind, columns }) => (kind === 'amount' ? columns : [])));
  if (directionOpen && !money.some((index) => asked.has(index)))
    questions.push(...withUnsigned(directionOpen, direction, saidElsewhere(), questions));
  if (!isKnown) {
    const unit = unitQuestion(context);
    if (unit) questions.push(unit);
    questions.push(...booksQuestions(context));
  }
  if (questions.length > 0) throw refusalOf(withOneOfAmounts(questions, saidElsewhere));
}

/**
 * Whether the only line of text is above all rows and says that they are no payments: then nothing else is open.
 * @throws ImportError with the question about a line above all rows, which comes before all others
 */
function isSkipped(lines: readonly TextLine[], { data, layout, options }: SettleContext): boolean {
  const first = data[0]?.row ?? 0;
  const ofAll = lines.find(({ row }) => row < first);
  if (!ofAll) return false;
  const meaning = options.rowMeanings?.[ofAll.row];
  if (meaning === undefined) throw refusalOf([headingQuestion(ofAll.row, ofAll.text)]);
  return meaning === 'skip' && lines.length === 1 && isUsable(layout.columns);
}

/**
 * The question about the direction. One choice is that another column gives it.
 * @param said the questions about the columns that may be that one
 * @param asked the other questions about the table
 */
function withUnsigned(
  open: Question,
  state: DirectionState,
  said: readonly Question[],
  asked: readonly Question[],
): Question[] {
  if (said.length === 0) return [open];
  if (state !== 'open') return [];
  return [withSaid({ ...open, choices: [...open.choices, 'unsigned'] }, said, asked)];
}

function contextOf(
  table: readonly TableRow[],
  layout: PartialLayout,
  options: ImportOptions,
  titles: readonly string[],
  directionsOf: () => TableDirections,
): SettleContext {
  const { header, columns } = layout;
  const data = table.slice(layout.firstRow).filter(({ isHidden }) => !isHidden);
  const signOf = (row: TableRow) => {
    const [word] = directionsOf().wordsOf(row);
    return word && (word.says === 'income' ? 1 : -1);
  };
  const balanceOf = lazy(() => runningBalance(data, layout, options.decimal ?? '.', signOf));
  return {
    table,
    data,
    withMoney: rowsWithMoney(data, columns),
    layout,
    isKnown: isKnownTable(layout),
    keys: chosenColumns(header, options).keys,
    titles,
    options,
    get directions() {
      return directionsOf();
    },
    get balance() {
      return balanceOf();
    },
  };
}

type Unsettled = Column & { question: Question | undefined };

/** The columns that nothing settles. Each has a question if it may hold money or a date. */
function unsettledColumns(context: SettleContext): Unsettled[] {
  const { data, layout, isKnown } = context;
  const { header, columns, resolvedColumns, values = new Map() } = layout;
  return Array.from({ length: widthOf(header, data) }, (_, index) => {
    const isDirection = !isKnown && index === columns.type && context.directions.columns.has(index);
    if (!values.has(index) && resolvedColumns.has(index) && !isDirection) return undefined;
    const column = { index, key: headerKey(header[index] ?? ''), name: nameForOptions(header, index) };
    const labelled = { ...column, label: labelOf(header, index) };
    return { ...labelled, question: values.has(index) ? undefined : moneyQuestion(labelled, context) };
  }).filter((column) => column !== undefined);
}

/** Counts rows with a possible amount in an open column as rows with money: the texts of all rows are asked about at once. */
function withPossibleMoney(context: SettleContext, found: readonly Unsettled[]): SettleContext {
  const open = found.flatMap(({ index, question }) => (question?.kind === 'amount' ? [index] : []));
  if (open.length === 0) return context;
  const { data, layout } = context;
  const known = new Set(hasMoney(layout.columns) ? context.withMoney : []);
  const mayHaveAmount = (row: TableRow) =>
    known.has(row) || open.some((index) => isAmount(row.cells[index] ?? ''));
  return { ...context, withMoney: data.filter(mayHaveAmount) };
}

/** The question about the direction, with those about columns that may give it, unless the table has these questions anyway. */
function withSaid(direction: Question, said: readonly Question[], asked: readonly Question[]): Question {
  const isAsked = ({ name }: Question) => asked.some((each) => each.name === name);
  const others = said.filter((each) => !isAsked(each));
  return others.length > 0 ? { ...direction, questions: others } : direction;
}

/** Replaces the questions about single columns of amounts by one about all. If there is only one, another column may give its direction. */
function withOneOfAmounts(
  questions: readonly Question[],
  saidElsewhere: () => readonly Question[],
): Question[] {
  const all = questions.filter(({ kind }) => kind === 'amount');
  const [first] = all;
  if (!first) return [...questions];
  if (all.length === 1) {
    const isUnsigned = first.choices.includes('unsigned');
    const single = isUnsigned ? withSaid(first, saidElsewhere(), questions) : first;
    return questions.map((each) => (each === first ? single : each));
  }
  const one: Question = {
    kind: 'amounts',
    columns: all.flatMap(({ columns }) => columns),
    name: '',
    rows: [],
    message: `Several columns hold amounts. ${all.map(({ message }) => message).join(' ')}`,
    choices: [...new Set(all.flatMap(({ choices }) => choices))],
    questions: all,
  };
  return questions.flatMap((each) => (each === first ? [one] : all.includes(each) ? [] : [each]));
}

const HEADINGS_SHOWN = 60;

const headingQuestion = (row: number, text: string): Question => ({
  kind: 'heading',
  columns: [],
  name: '',
  rows: [row],
  message: `${row === NAME_OF_FILE ? 'The name of the file' : `Row ${row}`} is a line of text, "${text.slice(0, HEADINGS_SHOWN).toWellFormed()}": it may say what the rows below it are.`,
  choices: MEANINGS,
});

/** @throws ImportError if a comma before the pence was taken for a delimiter: a column without a name has two digits beside whole pounds */
function requireUnsplit(
  rows: readonly TableRow[],
  money: readonly number[],
  header: readonly string[],
): void {
  const isSplit = (at: number) =>
    (header[at + 1]?.trim() === '' || rows.some(({ cells }) => cells[at + 1]?.startsWith('0'))) &&
    rows.some(({ cells }) => /^\d\d$/.test(cells[at + 1] ?? '')) &&
    rows.every(
      ({ cells, isOfSheet }) =>
        !isOfSheet && /^(?:[-+]?£?\d{1,3}\|\d\d|\|)$/.test(`${cells[at]}|${cells[at + 1] ?? ''}`),
    );
  const at = money.find(isSplit);
  if (at === undefined) return;
  const message = `The pence of ${labelOf(header, at)} are in the next column: save the table with another delimiter than the decimal comma.`;
  throw new ImportError('unreadable_file', message);
}

function requireIgnored(
  keys: readonly string[],
  header: readonly string[],
  width: number,
  { ignore = [] }: ImportOptions,
): void {
  const names = header.map(headerKey);
  for (const name of ignore) {
    if (columnIndex(name, names.length > 0 ? names : keys, width) !== -1) continue;
    const message = `There is no column "${name.slice(0, 100)}", which is to be left out.`;
    throw new ImportError('unknown_column', message, 'ignore');
  }
}

/** Questions about the columns debit and credit: in the books of a firm a debit is money in, and on a bank statement it is money out. */
function booksQuestions({ layout, keys, data, balance }: SettleContext): Question[] {
  const { columns, resolvedColumns, header } = layout;
  const pair = [columns.moneyIn, columns.moneyOut].filter((index) => index !== undefined);
  const open = pair.filter((index) => !resolvedColumns.has(index));
  // Charges that a tenant owes are no payments: each of the two columns is open.
  if (open.length === 0 || (!balance.isPaidOff && (open.length < pair.length || balance.isAdded))) return [];
  const isCredit = /^cr|cr(?:edit)?$/.test(keys[columns.moneyIn ?? -1] ?? '');
  const isDebit = /^(?:debit|dr)|(?:debit|dr)$/.test(keys[columns.moneyOut ?? -1] ?? '');
  if (!isCredit && !isDebit) return [];
  const why = balance.isContradicted
    ? 'the balance rises by what is paid out'
    : balance.isPaidOff
      ? PAID_OFF
      : isOfBooks(data, keys)
        ? 'columns of an accounts program are beside them, where a debit is money in'
        : undefined;
  if (why === undefined) return [];
  return open.map((index) => {
    const name = nameForOptions(header, index);
    return {
      kind: 'direction',
      columns: [index],
      name,
      rows: [],
      message: `"${name}" may be money in or money out: ${why}.`,
      choices: balance.isPaidOff ? ['moneyIn', 'moneyOut', 'ignore'] : ['moneyIn', 'moneyOut'],
    };
  });
}
