/** Evidence against the names of the columns of money: balances that fit only the opposite, and other columns of an accounts program. */
import type { TableRow } from '../files/cells.ts';
import type { DecimalMark } from '../options.ts';
import { isBlankAmount, readMoney } from '../values/amounts.ts';
import { balanceSteps, isReversed, reversedRows } from '../values/balances.ts';
import { isCardPayment } from '../values/direction.ts';
import { isDirectionColumn } from './direction.ts';
import type { PartialLayout } from './layout.ts';

/** Keys of headers, and words in cells, that only the books of a firm have. There, a debit of the bank account is money in. */
const BOOKS_COLUMNS =
  'accountcode nominalcode nominal nominalaccount glcode glaccount ledgeraccount ledger code net netamount vat vatamount vatrate tax taxamount taxrate taxcode journal journalno journalnumber split class project contact'.split(
    ' ',
  );
const BOOKS_WORDS =
  /^(?:spend money|receive money|(?:payable|receivable) (?:payment|invoice|overpayment)|manual journal|journal|bank transfer|bill payment|sales receipt|expense claim)$/i;
/** An account in books has a word as its name; the number of a bank account has no word. */
const ACCOUNT_NAME = /^(?=.*\p{L}{4})(?!.*\d{6})/u;
const CARD_COLUMNS = /^(?:credit|additional)?card(?:$|holder|member|number|no|used|ending|last)/;
const CARD =
  /\b(?:credit card|card (?:number|ending|account)|credit limit|available credit|minimum payment|mastercard|visa|amex)\b/i;

/**
 * The reason to doubt the direction that the columns state.
 * @param keys of the header, without ignored columns
 * @param titles of the table
 */
export function directionDoubt(
  table: readonly TableRow[],
  layout: PartialLayout,
  keys: readonly string[],
  decimal: DecimalMark,
  titles: readonly string[],
): string | undefined {
  const { bank, columns, firstRow, resolvedColumns, isTypeMapped } = layout;
  const { amount, moneyIn, moneyOut, balance, type } = columns;
  const money = [amount, moneyIn, moneyOut].filter((index) => index !== undefined);
  if (bank || money.some((index) => resolvedColumns.has(index))) return undefined;
  const data = table.slice(firstRow);
  const isUnsigned =
    amount !== undefined && type !== undefined && (isTypeMapped || isDirectionColumn(data, columns));
  const read = (cells: readonly string[], index: number | undefined) => {
    const text = cells[index ?? -1] ?? '';
    const found = isBlankAmount(text) ? { pence: 0 } : readMoney(text, decimal);
    return 'pence' in found ? found.pence : Number.NaN;
  };
  const balanced = data
    .filter(({ cells }) => !isBlankAmount(cells[balance ?? -1] ?? ''))
    .map(({ cells }) => ({
      pence:
        amount === undefined ? read(cells, moneyIn) - Math.abs(read(cells, moneyOut)) : read(cells, amount),
      balance: read(cells, balance),
    }));
  const { added, taken, all } = balanceSteps(balanced);
  const isReverse = !isUnsigned && isReversed(balanced);
  const above = [
    ...titles.filter((title) => /credit.?card/i.test(title)),
    ...table.slice(0, firstRow).map(({ cells }) => cells.join(' ')),
  ];
  const isCard = above.some((line) => CARD.test(line.replace(/[_-]/g, ' ')));
  if (amount !== undefined) {
    if (isUnsigned) return undefined;
    const signed = data.map(({ cells }) => ({ cells, sign: Math.sign(read(cells, amount)) }));
    const ofCard = taken === 0 ? cardDoubt(signed, keys, isCard) : undefined;
    if (ofCard) return ofCard;
    const isOpen =
      isReverse || (!signed.some(({ sign }) => sign < 0) && reversedRows(balanced).reversed.length > 0);
    return isCard || !isOpen ? undefined : 'the balance falls where the amount is positive';
  }
  const isDebitAndCredit =
    /^cr|cr(?:edit)?$/.test(keys[moneyIn ?? -1] ?? '') ||
    /^(?:debit|dr)|(?:debit|dr)$/.test(keys[moneyOut ?? -1] ?? '');
  if (!isDebitAndCredit) return undefined;
  if (all > 0 && added === all) return undefined;
  if (isReverse && !isCard) return 'the balance rises by what is paid out';
  return isOfBooks(data, keys)
    ? 'columns of an accounts program are beside them, where a debit is money in'
    : undefined;
}

/** Issuers of cards write what was spent without a minus. */
function cardDoubt(
  rows: readonly { cells: readonly string[]; sign: number }[],
  keys: readonly string[],
  isCard: boolean,
): string | undefined {
  const isMostlyPositive = (some: typeof rows) =>
    some.filter(({ sign }) => sign > 0).length > some.filter(({ sign }) => sign < 0).length;
  const byCard = rows.filter(({ cells }) =>
    keys.some((key, index) => CARD_COLUMNS.test(key) && (cells[index] ?? '') !== ''),
  );
  if (isMostlyPositive(byCard) || (isCard && isMostlyPositive(rows)))
    return 'most amounts of a card are positive';
  const isPaidOff = rows.some(({ cells, sign }) => sign < 0 && cells.some(isCardPayment));
  return isPaidOff ? 'a payment that was received has a minus' : undefined;
}

function isOfBooks(data: readonly TableRow[], keys: readonly string[]): boolean {
  return keys.some((key, index) => {
    const values = data.map(({ cells }) => cells[index] ?? '').filter((text) => text !== '');
    if (BOOKS_COLUMNS.includes(key)) return values.length > 0;
    if (key === 'account' || key === 'accountname')
      return values.length > 0 && values.every((text) => ACCOUNT_NAME.test(text));
    return values.some((text) => BOOKS_WORDS.test(text));
  });
}
