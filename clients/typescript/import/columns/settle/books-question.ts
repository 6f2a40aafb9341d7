/** Signs that a table is from the books of a firm. They raise a question, and answer none. */
import type { TableRow } from '../../files/cells.ts';

/** Keys of headers, and words in cells, that only the books of a firm have. There, a debit of the bank account is money in. */
const BOOKS_COLUMNS =
  'accountcode nominalcode nominal nominalaccount glcode glaccount ledgeraccount ledger code net netamount vat vatamount vatrate tax taxamount taxrate taxcode journal journalno journalnumber split class project contact'.split(
    ' ',
  );
const BOOKS_WORDS =
  /^(?:spend money|receive money|(?:payable|receivable) (?:payment|invoice|overpayment)|manual journal|journal|bank transfer|bill payment|sales receipt|expense claim)$/i;
/** An account in books has a word as its name; the number of a bank account has no word. */
export const ACCOUNT_NAME = /^(?=.*\p{L}{4})(?!.*\d{6})/u;

export function isOfBooks(data: readonly TableRow[], keys: readonly string[]): boolean {
  return keys.some((key, index) => {
    const values = data.map(({ cells }) => cells[index] ?? '').filter((text) => text !== '');
    if (BOOKS_COLUMNS.includes(key)) return values.length > 0;
    if (key === 'account' || key === 'accountname')
      return values.length > 0 && values.every((text) => ACCOUNT_NAME.test(text));
    return values.some((text) => BOOKS_WORDS.test(text));
  });
}
