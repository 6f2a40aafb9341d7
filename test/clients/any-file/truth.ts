/** The true answer to each question, as a person gives it who knows the meaning of the file. */

import type { DateFormat, ImportOptions } from '../../../clients/typescript/import/options.ts';
import type {
  Answer,
  Choice,
  Meaning,
  Question,
} from '../../../clients/typescript/import/questions-and-answers.ts';
import type { Column, Line, Plan } from './plan.ts';
import { shown, type Written } from './written.ts';

/** The first choice that is true; undefined if none is. */
export function answerTo(question: Question, plan: Plan, written: Written): Answer | undefined {
  const { kind, choices } = question;
  const offered = (answers: readonly Choice[]) => answers.find((answer) => choices.includes(answer));
  switch (kind) {
    case 'unit':
      return offered([plan.unit]);
    case 'heading': {
      const meanings = question.rows.map((row) => headingMeaning(row, written));
      return meanings.every((meaning) => meaning === meanings[0]) && meanings[0]
        ? offered([meanings[0]])
        : undefined;
    }
    case 'values': {
      const column = columnsOf(question, plan)[0];
      return column && valuesAnswer(question, column, plan, written);
    }
    // One message with the answer for each column. It is true if each of them is.
    case 'amounts': {
      const answers = (question.questions ?? []).map((each) => [each.name, answerTo(each, plan, written)]);
      return answers.every(([, answer]) => typeof answer === 'string')
        ? Object.fromEntries(answers)
        : undefined;
    }
    default: {
      const columns = columnsOf(question, plan);
      const answers = columns.map((column) => trueOf(column, kind, plan, written));
      // A question about several columns has an answer that is true of all.
      const answer = offered(
        (answers[0] ?? []).filter((choice) => answers.every((each) => each.includes(choice))),
      );
      return (answer === 'unsigned' && saidBy(question, plan, written)) || answer;
    }
  }
}

/** The column that gives the direction, if the question names it, with the meaning of its values. */
function saidBy({ questions = [] }: Question, plan: Plan, written: Written): Answer | undefined {
  for (const each of questions) {
    const [column] = columnsOf(each, plan);
    const answer = column?.meaning && valuesAnswer(each, column, plan, written);
    const isDirected =
      answer && Object.values(answer).some((meaning) => meaning === 'in' || meaning === 'out');
    if (isDirected) return { [each.name]: answer as Record<string, Meaning> };
  }
  return undefined;
}

function columnsOf({ columns, name }: Question, plan: Plan): Column[] {
  const found = columns.map((column) => plan.columns[column]);
  const named = found.length > 0 ? found : plan.columns.filter((column) => column.name === name);
  return named.filter((column) => column !== undefined);
}

function trueOf(column: Column, kind: Question['kind'], plan: Plan, { lines }: Written): readonly Choice[] {
  if (column.role !== 'amount' || column.answers.length > 0) return column.answers;
  const found = directionAnswers(column, plan, lines);
  if (kind === 'amount' && found.includes('amount')) return found;
  if (isElsewhere(plan)) return ['unsigned', ...found];
  return kind === 'amount' ? [...found, 'amount'] : found;
}

/** Whether words or headings say the direction. */
const isElsewhere = ({ columns, items }: Plan) =>
  columns.some(({ role, meaning }) => meaning && (role === 'type' || role === 'category')) ||
  items.some((item) => item.kind === 'heading' && (item.meaning === 'in' || item.meaning === 'out'));

/** The answers about signs that are true of every row. */
function directionAnswers({ cell }: Column, { sign }: Plan, lines: readonly Line[]): Choice[] {
  const rows = lines
    .filter(({ answer, payments }) => answer === 'keep' && payments.length > 0)
    .map((line) => ({ isOut: line.payments[0]?.direction === 'out', cell: cell(line) }))
    .flatMap(({ isOut, cell: amount }) =>
      typeof amount === 'object' && 'pence' in amount
        ? [{ isOut, pence: amount.pence, mark: amount.mark }]
        : [],
    );
  const isTrue: Partial<Record<Choice, boolean>> = {
    moneyIn: rows.every(({ isOut, pence, mark }) => !isOut && pence > 0 && !mark),
    moneyOut: rows.every(({ isOut, pence, mark }) => isOut && pence > 0 && !mark),
    amount: rows.every(({ isOut, pence, mark }) => isOut === (pence < 0 || mark === 'DR')),
    spent: rows.every(({ isOut, pence, mark }) => isOut === !(pence < 0 || mark === 'CR')),
  };
  const order: Choice[] =
    sign === 'bank'
      ? ['amount', 'moneyIn', 'moneyOut', 'spent']
      : sign === 'spending'
        ? ['spent', 'moneyOut', 'moneyIn', 'amount']
        : ['moneyIn', 'moneyOut', 'amount', 'spent'];
  return order.filter((choice) => isTrue[choice]);
}

function valuesAnswer(question: Question, column: Column, plan: Plan, written: Written): Answer | undefined {
  const { values = [], choices } = question;
  if (!column.meaning) {
    const field = column.answers.find((answer) => choices.includes(answer));
    if (field) return field;
    return choices.includes('keep') ? Object.fromEntries(values.map((value) => [value, 'keep'])) : undefined;
  }
  const known = knownValues(column, plan, written);
  const answer: Record<string, Meaning> = {};
  for (const value of values) {
    const meaning = known.get(value) ?? known.get(value.trim());
    if (!meaning || !choices.includes(meaning)) return undefined;
    answer[value] = meaning;
  }
  return answer;
}

/** The meaning of each text of a column. */
function knownValues(column: Column, plan: Plan, { lines }: Written): Map<string, Meaning> {
  const known = new Map<string, Meaning>();
  for (const line of lines) {
    if (line.heading !== undefined || (line.covers && !line.category)) continue;
    const meaning = column.meaning?.(line) ?? 'keep';
    const cell = column.cell(line);
    const text = shown(cell, plan);
    known.set(text, meaning);
    // A workbook has days, and no texts of them.
    if (typeof cell === 'object' && 'day' in cell) known.set(cell.day, meaning);
  }
  return known;
}

function headingMeaning(row: number, { lines, rows, around }: Written): Meaning | undefined {
  // The name of the file.
  if (row === 0)
    return lines.some(({ payments }) => payments.some((each) => each.happened)) ? 'keep' : 'skip';
  const line = lines[rows.indexOf(row)];
  if (line) return line.heading ?? 'keep';
  return around.find((each) => each.row === row)?.meaning;
}

/**
 * Of a row that may be a total, a part or the opposite of another.
 * @param open the rows that are asked about at once: a whole that is asked about without its parts is not stored beside them
 */
export function rowAnswer(
  row: number,
  open: readonly number[],
  { lines, rows, around }: Written,
): Meaning | undefined {
  const line = lines[rows.indexOf(row)];
  if (!line) return around.some((each) => each.row === row) ? 'skip' : undefined;
  if (line.heading !== undefined) return line.heading;
  const isOpen = (is: (line: Line) => boolean) =>
    lines.some((each, at) => is(each) && open.includes(rows[at] ?? 0));
  if (line.isWhole && !isOpen(({ parent }) => parent !== undefined)) return 'skip';
  if (line.parent !== undefined && !isOpen(({ isWhole }) => isWhole === true)) return 'skip';
  return line.answer === 'keep' && line.payments.some(({ happened }) => happened) ? 'keep' : 'skip';
}

export const dateFormatOf = ({ dateStyle }: Plan): DateFormat =>
  dateStyle === 'm/d/y' ? 'mdy' : dateStyle === 'iso' ? 'ymd' : 'dmy';

/** The columns that a person names for a table whose header is not found, and where the direction is. */
export function mapOf(plan: Plan, written: Written): { options: ImportOptions; answers: number } {
  const map: NonNullable<ImportOptions['map']> = {};
  const values: Record<string, Record<string, Meaning>> = {};
  const rows: Record<number, Meaning> = {};
  let answers = 0;
  for (const [index, column] of plan.columns.entries()) {
    if (isElsewhere(plan) && (column.role === 'type' || column.role === 'category') && column.meaning) {
      values[column.name] = Object.fromEntries(knownValues(column, plan, written));
      answers++;
    }
    const isNamed = ['date', 'amount', 'description'].includes(column.role);
    const [field] = trueOf(column, 'amount', plan, written);
    if (!isNamed || field === undefined || field === 'ignore') continue;
    Object.assign(map, { [field]: String(index + 1) });
    if (column.certainty !== 'usual') answers++;
  }
  for (const [index, { heading }] of written.lines.entries()) {
    if (heading === 'in' || heading === 'out') {
      rows[written.rows[index] ?? 0] = heading;
      answers++;
    }
  }
  return { options: { map, values, rowMeanings: rows }, answers };
}
