/** Rows in other currencies: converted by the rates of a person, otherwise refused. */
import { type Conversion, ImportError, type ImportOptions } from '../options.ts';
import { conversionText, penceAt } from '../values/conversion.ts';
import { POUNDS_CODE } from '../values/currency.ts';
import { quoted } from '../values/statement.ts';
import { type Draft, type DraftPart, isRead, type Problem } from './draft.ts';
import { readRates } from './rates-file.ts';

/** Converts a row in another currency. Returns the same object each time. */
export type InPounds = (draft: Draft) => Draft;

/** @throws ImportError `invalid_rates` */
export function inPoundsBy({ rates }: Pick<ImportOptions, 'rates'>, amountColumn = 'amount'): InPounds {
  const rateOf = rates === undefined ? () => undefined : readRates(rates);
  const known = new WeakMap<Draft, Draft>();
  const convert = (draft: Draft, currency: string): Draft => {
    const { date, pence } = draft;
    if (date === undefined || pence === undefined) return draft;
    const failed = (message: string): Draft => {
      const value = draft.texts().amount.slice(0, 200);
      const problem: Problem = { field: 'amount', column: amountColumn, value, message, option: 'rates' };
      return { ...draft, problems: [...draft.problems, problem] };
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
    if (draft.parts) {
      const parts = draft.parts.map(converted);
      const problem = parts.find((part) => typeof part === 'string');
      return problem === undefined ? withParts(draft, parts as DraftPart[]) : failed(problem);
    }
    const whole = converted({ ...draft, pence });
    return typeof whole === 'string' ? failed(whole) : whole;
  };
  return (draft) => {
    if (draft.currency === undefined) return draft;
    const converted = known.get(draft) ?? convert(draft, draft.currency);
    known.set(draft, converted);
    return converted;
  };
}

/** Each amount is rounded, and the row is the sum of its entries. */
function withParts(draft: Draft, parts: readonly DraftPart[]): Draft {
  const sum = parts.reduce((sum, { type, pence }) => sum + (type === 'income' ? pence : -pence), 0);
  return {
    ...draft,
    parts,
    type: sum < 0 ? 'expense' : 'income',
    pence: Math.abs(sum),
    ...conversionOf(parts),
  };
}

const conversionOf = ([first]: readonly DraftPart[]) => first?.conversion && { conversion: first.conversion };

/**
 * Removes the currency of rows in pounds, which need no conversion. A row without a currency beside rows in another currency may be in
 * that one.
 */
export function withKnownCurrency(drafts: Draft[]): Draft[] {
  const other = drafts.find(({ currency = POUNDS_CODE }) => currency !== POUNDS_CODE);
  return drafts.map((draft) => {
    const { currency, ...rest } = draft;
    if (currency === POUNDS_CODE) return rest;
    if (currency !== undefined || !other || !isRead(draft)) return draft;
    const message = `The row names no currency, and row ${other.row} is in ${other.currency}.`;
    const value = draft.texts().amount.slice(0, 200);
    return { ...draft, problems: [{ field: 'amount', column: 'currency', value, message }] };
  });
}

/**
 * Throws a single error instead of a message for each row.
 * @throws ImportError `other_currency` if all of several payments are unread for the same reason
 */
export function requirePounds(drafts: readonly Draft[]): void {
  const payments = drafts.filter(({ skipReason }) => skipReason === undefined);
  const problems = payments.map(({ problems }) => problems.find(({ option }) => option === 'rates'));
  const [first] = problems;
  if (!first || payments.length === 1 || problems.some((problem) => problem?.message !== first.message))
    return;
  const { column, value, message } = first;
  throw new ImportError(
    'other_currency',
    `None of the ${payments.length} payments can be read, by ${quoted({ column, text: value })}: ${message}`,
    'rates',
  );
}
