/** Turns rows of formats with fields instead of columns (OFX, CAMT, QIF) into parsed rows, with common messages for invalid values. */

import { textProblem } from '../files/bounds.ts';
import { cleanText } from '../files/cells.ts';
import { type EntryType, type ImportOptions, REFERENCE_LENGTH_MAX } from '../options.ts';
import type { EarlierReading, ParsedRow, RowProblem, StatementEnds } from '../rows/parsed-row.ts';
import type { ParsedAmount } from '../values/amounts.ts';
import { resolveCurrency } from '../values/currency.ts';
import { problemOfTime } from '../values/dates.ts';
import { fittingReference } from '../values/derived-reference.ts';
import { settleDirection } from '../values/direction.ts';
import type { Evidence } from '../values/evidence.ts';

/** The names of the fields in messages. */
type FieldNames = Record<'date' | 'amount' | 'description' | 'reference', string>;

export interface BankRow {
  row: number;
  statement: StatementEnds;
  date: string | undefined;
  dateProblem: Pick<RowProblem, 'message' | 'option'>;
  /** The amount in signed pence, or why it cannot be read. */
  amount: ParsedAmount;
  /** The evidence of the file beside the sign of the amount. */
  directions?: Evidence<EntryType>[];
  currencies: Evidence<string>[];
  description: string;
  earlier?: EarlierReading | undefined;
  /** The reference of the file. If it is empty, one is derived. */
  reference: string;
  /** Date and amount as in the file. */
  texts: { date: string; amount: string };
  problems?: RowProblem[];
  skipReason?: string | undefined;
  /** Whether the option for the decimal mark may settle an amount. */
  isDecimalOpen?: boolean;
}

/** Texts of banks for an absent reference. */
const NO_REFERENCE = /^(non-?ref|not ?(provided|available)|none|unknown|n\/a|0*)$/i;

/** A bank's own reference; empty if there is none. */
export function ownReference(text = ''): string {
  const clean = cleanText(text);
  return NO_REFERENCE.test(clean) ? '' : clean;
}

/** The bank's reference is unique only within the account. */
export function referenceIn(account: string, reference: string): string {
  const whole = account === '' ? reference : `${account}:${reference}`;
  return reference === '' ? '' : fittingReference(whole, REFERENCE_LENGTH_MAX);
}

/** The problem of an amount. Formats with a single decimal mark get no advice about another one. */
function bankAmountProblem(
  { problem, isDecimalMark }: Extract<ParsedAmount, { problem: string }>,
  { isDecimalOpen }: BankRow,
): Pick<RowProblem, 'message' | 'option'> {
  if (!isDecimalMark) return { message: problem };
  if (isDecimalOpen) return { message: problem, option: 'decimal' };
  return { message: 'The amount is not in whole pence, or its thousands are not in groups of three.' };
}

export function parsedBankRow(
  bankRow: BankRow,
  names: FieldNames,
  { rates }: Pick<ImportOptions, 'rates'>,
): ParsedRow {
  const { row, statement, date, dateProblem, amount, currencies, description, reference, texts } = bankRow;
  const pence = 'pence' in amount ? amount.pence : undefined;
  const problems: RowProblem[] = [...(bankRow.problems ?? [])];
  const addProblem = (
    field: Exclude<RowProblem['field'], undefined>,
    column: string,
    value: string,
    problem: Pick<RowProblem, 'message' | 'option'>,
  ) => problems.push({ field, column, value: value, ...problem });
  const timeProblem = problemOfTime(texts.date);
  if (timeProblem) addProblem('date', names.date, texts.date, { message: timeProblem });
  else if (!date) addProblem('date', names.date, texts.date, dateProblem);
  if ('problem' in amount)
    addProblem('amount', names.amount, texts.amount, bankAmountProblem(amount, bankRow));
  const sign: Evidence<EntryType>[] = pence
    ? [{ says: pence > 0 ? 'income' : 'expense', column: names.amount, text: texts.amount }]
    : [];
  const [said] = bankRow.directions ?? [];
  const direction = settleDirection([...(bankRow.directions ?? []), ...sign]);
  if (pence && said && 'problem' in direction) {
    addProblem('type', said.column, said.text, { message: direction.problem });
  }
  const resolved = resolveCurrency(currencies, rates !== undefined);
  if ('evidence' in resolved) {
    const { evidence, ...problem } = resolved;
    addProblem('amount', evidence.column, evidence.text, problem);
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
    ...('currency' in resolved && resolved),
    description,
    ...(bankRow.earlier && { earlier: bankRow.earlier }),
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
