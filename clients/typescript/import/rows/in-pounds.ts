/** Rows in other currencies: converted by the rates of a person, otherwise refused. */
import { signedPence } from '../../pounds.ts';
import { ImportError } from '../import-error.ts';
import type { ImportOptions } from '../options.ts';
import type { Conversion } from '../result.ts';
import { conversionText, penceAt } from '../values/conversion.ts';
import { POUNDS_CODE } from '../values/currency.ts';
import { quotedEvidence } from '../values/evidence.ts';
import { isValidRow, type ParsedRow, type RowAmount, type RowProblem } from './parsed-row.ts';
import { readRates } from './rates-file.ts';

/** Converts a row in another currency. Returns the same object each time. */
export type InPounds = (parsed: ParsedRow) => ParsedRow;

/** @throws ImportError `invalid_rates` */
export function inPoundsBy({ rates }: Pick<ImportOptions, 'rates'>, amountColumn = 'amount'): InPounds {
  const rateOf = rates === undefined ? () => undefined : readRates(rates);
  const known = new WeakMap<ParsedRow, ParsedRow>();
  const convert = (parsed: ParsedRow, currency: string): ParsedRow => {
    const { date, pence } = parsed;
    if (date === undefined || pence === undefined) return parsed;
    const failed = (message: string): ParsedRow => {
      const value = parsed.texts().amount;
      const problem: RowProblem = { field: 'amount', column: amountColumn, value, message, option: 'rates' };
      return { ...parsed, problems: [...parsed.problems, problem] };
    };
    const rate = rateOf(currency, date);
    if (!rate) return failed(`The rates have no ${currency} for ${date}, and none for ${date.slice(0, 7)}.`);
    /** The conversion names the amount of the row, and its text the amount of the entry. */
    const converted = <Amount extends { pence: number }>(amount: Amount) => {
      const text = conversionText(currency, amount.pence, rate);
      const inPounds = penceAt(amount.pence, rate);
      if (inPounds === 0n) return `${text} is less than half a penny.`;
      if (inPounds > BigInt(Number.MAX_SAFE_INTEGER)) return 'The amount is too large.';
      const conversion: Conversion = { currency, pence, rate: rate.text, text };
      return { ...amount, pence: Number(inPounds), conversion };
    };
    if (parsed.amounts) {
      const amounts = parsed.amounts.map(converted);
      const problem = amounts.find((each) => typeof each === 'string');
      return problem === undefined ? withAmountsInPounds(parsed, amounts as RowAmount[]) : failed(problem);
    }
    const whole = converted({ ...parsed, pence });
    return typeof whole === 'string' ? failed(whole) : whole;
  };
  return (parsed) => {
    if (parsed.currency === undefined) return parsed;
    const converted = known.get(parsed) ?? convert(parsed, parsed.currency);
    known.set(parsed, converted);
    return converted;
  };
}

/** Each amount is rounded, and the row is the sum of its entries. */
function withAmountsInPounds(parsed: ParsedRow, amounts: readonly RowAmount[]): ParsedRow {
  const sum = amounts.reduce((sum, each) => sum + signedPence(each), 0);
  return {
    ...parsed,
    amounts,
    type: sum < 0 ? 'expense' : 'income',
    pence: Math.abs(sum),
    ...conversionOf(amounts),
  };
}

const conversionOf = ([first]: readonly RowAmount[]) => first?.conversion && { conversion: first.conversion };

/**
 * Removes the currency of rows in pounds, which need no conversion. A row without a currency beside rows in another currency may be in
 * that one.
 */
export function withKnownCurrency(parsedRows: ParsedRow[]): ParsedRow[] {
  const other = parsedRows.find(({ currency = POUNDS_CODE }) => currency !== POUNDS_CODE);
  return parsedRows.map((parsed) => {
    const { currency, ...rest } = parsed;
    if (currency === POUNDS_CODE) return rest;
    if (currency !== undefined || !other || !isValidRow(parsed)) return parsed;
    const message = `The row names no currency, and row ${other.row} is in ${other.currency}.`;
    const value = parsed.texts().amount;
    return { ...parsed, problems: [{ field: 'amount', column: 'currency', value, message }] };
  });
}

/** A single error instead of a message for each row: `other_currency` if all of several payments are invalid for the same reason. */
export function otherCurrencyOf(parsedRows: readonly ParsedRow[]): ImportError | undefined {
  const payments = parsedRows.filter(({ skipReason }) => skipReason === undefined);
  const problems = payments.map(({ problems }) => problems.find(({ option }) => option === 'rates'));
  const [first] = problems;
  if (!first || payments.length === 1 || problems.some((problem) => problem?.message !== first.message))
    return undefined;
  const { column, value, message } = first;
  return new ImportError(
    'other_currency',
    `None of the ${payments.length} payments can be read, by ${quotedEvidence({ column, text: value })}: ${message}`,
    'rates',
  );
}
