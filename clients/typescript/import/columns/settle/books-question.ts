/** The columns debit and credit: in the books of a firm a debit is money in, and on a bank statement it is money out. */

import type { TableRow } from '../../files/cells.ts';
import type { Question } from '../../questions-and-answers.ts';
import { nameForOptions } from '../column-names.ts';
import { PAID_OFF } from './direction-question.ts';
import type { SettleContext } from './settle-context.ts';

/** A question for each of the two columns that no choice settles, if the balance or other columns raise it. */
export function booksQuestions({ layout, keys, data, balance }: SettleContext): Question[] {
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

/** Keys of headers, and words in cells, that only the books of a firm have. There, a debit of the bank account is money in. */
const BOOKS_COLUMNS =
  'accountcode nominalcode nominal nominalaccount glcode glaccount ledgeraccount ledger code net netamount vat vatamount vatrate tax taxamount taxrate taxcode journal journalno journalnumber split class project contact'.split(
    ' ',
  );
const BOOKS_WORDS =
  /^(?:spend money|receive money|(?:payable|receivable) (?:payment|invoice|overpayment)|manual journal|journal|bank transfer|bill payment|sales receipt|expense claim)$/i;
/** An account in books has a word as its name; the number of a bank account has no word. */
export const ACCOUNT_NAME = /^(?=.*\p{L}{4})(?!.*\d{6})/u;

/** Whether a table seems to be from the books of a firm. It raises a question, and answers none. */
function isOfBooks(data: readonly TableRow[], keys: readonly string[]): boolean {
  return keys.some((key, index) => {
    const values = data.map(({ cells }) => cells[index] ?? '').filter((text) => text !== '');
    if (BOOKS_COLUMNS.includes(key)) return values.length > 0;
    if (key === 'account' || key === 'accountname')
      return values.length > 0 && values.every((text) => ACCOUNT_NAME.test(text));
    return values.some((text) => BOOKS_WORDS.test(text));
  });
}
