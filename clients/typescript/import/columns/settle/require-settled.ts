/**
 * Asks about each fact of a table that is open: a table is read only if none is. The rules:
 *
 * - A column is settled by the bank's layout, by a person, or by a name with one certain meaning that its values fit.
 * - Each other column with content is a question, unless it is free text, or all of its values are understood.
 * - The direction of a single amount needs evidence: words, a running balance, or a minus on most rows. Cards and loans are asked about.
 * - A running balance that follows over all rows shows that each row happened, once, with its sign and its unit.
 *
 * The order of the questions, each in its own file: lines of text (`heading-question.ts`), the direction (`direction-question.ts`), each
 * column by its amounts and dates (`money-question.ts`) or by its texts (`values-question.ts`), amounts that add up (`sum-question.ts`), the
 * unit (`unit-question.ts`), debit and credit (`books-question.ts`). `nested-questions.ts` joins questions that depend on each other.
 */

import { headerKey, type TableRow } from '../../files/cells.ts';
import { ImportError } from '../../import-error.ts';
import type { ImportOptions } from '../../options.ts';
import { refusalOf } from '../../questions/refusal.ts';
import type { Question } from '../../questions-and-answers.ts';
import { isAmountText } from '../cell-kinds.ts';
import { columnIndex, labelOf, nameForOptions } from '../column-names.ts';
import type { TableDirections } from '../directions.ts';
import { columnCount, hasMoney, moneyColumns, type PartialLayout } from '../layout.ts';
import { booksQuestions } from './books-question.ts';
import { directionQuestion } from './direction-question.ts';
import { headingQuestions } from './heading-question.ts';
import { moneyQuestion } from './money-question.ts';
import { withOneOfAmounts, withUnsigned } from './nested-questions.ts';
import { type Column, type SettleContext, settleContext } from './settle-context.ts';
import { withSumQuestion } from './sum-question.ts';
import { unitQuestions } from './unit-question.ts';
import { type DirectionState, valuesQuestion } from './values-question.ts';

/**
 * @param directionsOf finds the words for directions in the rows that are not hidden
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
  const context = settleContext(table, layout, options, titles, directionsOf);
  const { isKnown } = context;
  const { columns, values = new Map() } = layout;
  requireIgnored(context);
  requireUnsplit(context);

  const lineQuestions = headingQuestions(context);
  if (!lineQuestions) return;
  // A line of text, such as "Money out", may give the direction of the rows below it. Ask about the line first, and about the direction later.
  const directionOpen = layout.isExact || lineQuestions.length > 0 ? undefined : directionQuestion(context);
  // `inAnotherColumn`: by an answer, another column gives the direction. Columns that need no question otherwise may be that one.
  const direction = !directionOpen ? 'settled' : options.map?.unsigned ? 'inAnotherColumn' : 'open';

  const found = unsettledColumns(context);
  const withPossibleRows = withPossibleMoney(context, found);
  const valuesQuestionOf = (column: Column, state: DirectionState) =>
    values.has(column.index) || !isKnown ? valuesQuestion(column, withPossibleRows, state) : undefined;
  /** The questions about columns without amounts, as if one of them gave the direction. */
  const directionColumnQuestions = () =>
    found.flatMap(({ question, ...column }) =>
      question ? [] : (valuesQuestionOf(column, 'inAnotherColumn') ?? []),
    );
  let questions = found.flatMap(
    ({ question, ...column }) => question ?? valuesQuestionOf(column, direction) ?? [],
  );
  if (!isKnown) questions = withSumQuestion(questions, context);
  // Without a column of amounts, the words of the other columns have no meaning yet.
  const money = moneyColumns(columns);
  if (money.length === 0 && questions.every(({ kind }) => kind !== 'amount')) {
    questions = questions.filter(({ kind }) => kind !== 'values');
  }

  questions.push(...lineQuestions);
  const asked = new Set(questions.flatMap(({ kind, columns }) => (kind === 'amount' ? columns : [])));
  if (directionOpen && !money.some((index) => asked.has(index)))
    questions.push(...withUnsigned(directionOpen, direction, directionColumnQuestions(), questions));
  if (!isKnown) questions.push(...unitQuestions(context), ...booksQuestions(context));
  if (questions.length > 0) throw refusalOf(withOneOfAmounts(questions, directionColumnQuestions));
}

type Unsettled = Column & { question: Question | undefined };

/** The columns that nothing settles. Each has a question if it may hold money or a date. */
function unsettledColumns(context: SettleContext): Unsettled[] {
  const { data, layout, isKnown } = context;
  const { header, columns, resolvedColumns, values = new Map() } = layout;
  return Array.from({ length: columnCount(header, data) }, (_, index) => {
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
    known.has(row) || open.some((index) => isAmountText(row.cells[index] ?? ''));
  return { ...context, withMoney: data.filter(mayHaveAmount) };
}

/** @throws ImportError if a comma before the pence was taken for a delimiter: a column without a name has two digits beside whole pounds */
function requireUnsplit({ withMoney: rows, layout: { header, columns } }: SettleContext): void {
  const isSplit = (at: number) =>
    (header[at + 1]?.trim() === '' || rows.some(({ cells }) => cells[at + 1]?.startsWith('0'))) &&
    rows.some(({ cells }) => /^\d\d$/.test(cells[at + 1] ?? '')) &&
    rows.every(
      ({ cells, isOfSheet }) =>
        !isOfSheet && /^(?:[-+]?£?\d{1,3}\|\d\d|\|)$/.test(`${cells[at]}|${cells[at + 1] ?? ''}`),
    );
  const at = moneyColumns(columns).find(isSplit);
  if (at === undefined) return;
  const message = `The pence of ${labelOf(header, at)} are in the next column: save the table with another delimiter than the decimal comma.`;
  throw new ImportError('unreadable_file', message);
}

/** @throws ImportError if there is no column that is to be left out */
function requireIgnored({ data, layout: { header }, options: { ignore = [] } }: SettleContext): void {
  const names = header.map(headerKey);
  for (const name of ignore) {
    if (columnIndex(name, names, columnCount(header, data)) !== -1) continue;
    const message = `There is no column "${name.slice(0, 100)}", which is to be left out.`;
    throw new ImportError('unknown_column', message, 'ignore');
  }
}
