/** Amounts that add up to one of the columns in all rows: one question in place of one for each column. */
import { type Question, SINGLE_AMOUNTS } from '../../questions-and-answers.ts';
import { labelOf, nameForOptions } from '../column-names.ts';
import { amountColumns, type ColumnSum, onlySum, rowsWithAmount } from '../column-sums.ts';
import { type Columns, moneyColumns } from '../layout.ts';
import type { SettleContext } from './settle-context.ts';

/** The questions, with those about amounts that add up replaced by one about their sum. */
export function withSumQuestion(questions: Question[], { data, layout, options }: SettleContext): Question[] {
  const { columns, header } = layout;
  const open = questions.flatMap(({ kind, columns }) => (kind === 'amount' ? columns : []));
  if (open.length === 0 || columns.check !== undefined) return questions;
  const money = [...new Set([...moneyColumns(columns), ...open])].sort((one, other) => one - other);
  const rows = rowsWithAmount(data, money);
  const sum = onlySum(rows, amountColumns(rows, money), options.decimal ?? '.');
  const all = sum ? [sum.check, ...sum.parts.map(({ column }) => column)] : [];
  // A person has said that it is the amount: its direction is another question.
  const isAmount = options.map?.unsigned !== undefined && sum?.check === columns.amount;
  const isSettled = isAmount || layout.resolvedColumns.has(sum?.check ?? -1);
  if (!sum || isSettled || !all.some((index) => open.includes(index))) return questions;
  const isUnrelated = ({ kind, columns: [index = -1] }: Question) =>
    kind !== 'amount' || !all.includes(index);
  return [...questions.filter(isUnrelated), sumQuestion(sum, header, columns)];
}

function sumQuestion(
  { check, parts }: ColumnSum,
  header: readonly string[],
  columns: Partial<Columns>,
): Question {
  const name = (index: number) => labelOf(header, index).replace(/,$/, '');
  const namesOf = (direction: 'in' | 'out') =>
    parts.filter((part) => part.direction === direction).map(({ column }) => name(column));
  const [added, taken] = [namesOf('in'), namesOf('out')].map((names) => names.join(' and '));
  const money = [...(added ? [`${added}, money in`] : []), ...(taken ? [`less ${taken}, money out`] : [])];
  const isSingle = check === columns.amount || moneyColumns(columns).length === 0;
  return {
    kind: 'amount',
    columns: [check],
    name: nameForOptions(header, check),
    rows: [],
    message: `In each row ${name(check)} is ${money.join(', ')}: it may be the sum of the row.`,
    choices: ['check', 'moneyIn', 'moneyOut', 'balance', 'ignore', ...(isSingle ? SINGLE_AMOUNTS : [])],
    amounts: parts.map(({ column, direction }) => ({ columns: [nameForOptions(header, column)], direction })),
  };
}
