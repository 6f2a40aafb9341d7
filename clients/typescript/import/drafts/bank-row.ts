/** Rows of the formats of banks that have fields and no columns (OFX, CAMT, QIF) to drafts: what is wrong with a value is said in one way. */
import { textProblem } from '../files/bounds.ts';
import type { ReadAmount } from '../values/amounts.ts';
import type { Draft, Problem, StatementEnds } from './draft.ts';

/** The names of the fields in messages. */
export type FieldNames = Record<'date' | 'amount' | 'currency' | 'description' | 'reference', string>;

export interface BankRow {
  row: number;
  statement: StatementEnds;
  date: string | undefined;
  dateProblem: Pick<Problem, 'message' | 'option'>;
  /** Signed. */
  amount: ReadAmount;
  currency: string;
  description: string;
  /** Empty if it is to be derived. */
  reference: string;
  /** Date and amount as the file has them. */
  texts: { date: string; amount: string };
  problems?: Problem[];
  skipReason?: string | undefined;
}

export function draftOfBankRow(bankRow: BankRow, names: FieldNames): Draft {
  const { row, statement, date, dateProblem, amount, currency, description, reference, texts } = bankRow;
  const pence = 'pence' in amount ? amount.pence : undefined;
  const problems: Problem[] = [...(bankRow.problems ?? [])];
  const addProblem = (
    field: Exclude<Problem['field'], undefined>,
    column: string,
    value: string,
    problem: Pick<Problem, 'message' | 'option'>,
  ) => problems.push({ field, column, value: value.slice(0, 200), ...problem });
  if (!date) addProblem('date', names.date, texts.date, dateProblem);
  if ('problem' in amount) addProblem('amount', names.amount, texts.amount, { message: amount.problem });
  if (!['', 'GBP'].includes(currency.toUpperCase())) {
    const message = 'The account is not in pounds, which is all that the ledger records.';
    addProblem('amount', names.currency, currency, { message });
  }
  const tooCostly = textProblem(description);
  if (tooCostly) addProblem('description', names.description, description, { message: tooCostly });
  const skipReason =
    bankRow.skipReason ?? (problems.length === 0 && pence === 0 ? 'The amount is 0.00.' : undefined);
  return {
    row,
    date,
    type: pence === undefined ? undefined : pence > 0 ? 'income' : 'expense',
    ...(pence && { pence: Math.abs(pence) }),
    description,
    account: statement.account,
    statement,
    ...(reference !== '' && { reference, referenceColumn: names.reference }),
    problems,
    ...(skipReason !== undefined && { skipReason }),
    texts: () => ({
      date: date ?? texts.date,
      amount: texts.amount,
      type: '',
      description,
      category: '',
      source: '',
    }),
  };
}
