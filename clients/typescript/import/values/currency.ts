/** Whether an amount is in pounds: the one reader of this fact, for all formats. */
import { quoted, type Statement } from './statement.ts';

const POUNDS = 'GBP £ STG STERLING POUND POUNDS'.split(' ');
/** The currencies that statements of British accounts name beside pounds. TRY and ALL are words too. */
const CODES =
  'EUR USD CHF JPY AUD CAD NZD SEK NOK DKK ISK PLN CZK HUF RON BGN RUB UAH ILS AED SAR QAR ZAR NGN KES INR PKR CNY HKD SGD THB MYR IDR PHP KRW TWD MXN BRL ARS CLP COP'.split(
    ' ',
  );
const CODE = `(?:${CODES.join('|')})`;
const NAME = `(?:${CODE}|euros?|(?:us |american )?dollars?|yen|swiss francs?|[€$¥])`;
const MARK = new RegExp(String.raw`[€$¥]|(?<![\p{L}\d])${CODE}(?![\p{L}\d])`, 'u');
const NAMED_MARK = new RegExp(MARK.source, 'iu');
const LABEL = /(?<!\p{L})(?:currency|ccy)(?!\p{L})[^\p{L}€$£¥]*(\p{L}{3,}|[€$£¥])/iu;
const IN = new RegExp(
  String.raw`(?<!\p{L})(?:amounts?|balances?|figures|values|statement|account|all|shown|prices)(?!\p{L}).{0,40}? in (${NAME})(?!\p{L})`,
  'iu',
);

const isPounds = (text: string) =>
  POUNDS.includes(text.trim().toUpperCase()) ||
  /^(?:british |uk |gb )?pounds? (?:sterling)?$/i.test(`${text.trim()} `);

/** The statement that an amount is not in pounds, if there is one, and what is wrong. Without a statement it is in pounds. */
export function foreignCurrency(
  statements: readonly Statement<string>[],
): { statement: Statement<string>; message: string } | undefined {
  const said = statements.filter(({ says }) => says.trim() !== '');
  const foreign = said.find(({ says }) => !isPounds(says));
  if (!foreign) return undefined;
  const pounds = said.find(({ says }) => isPounds(says));
  const message = pounds
    ? `The file contradicts itself about the currency: ${quoted(foreign)}, and ${quoted(pounds)}.`
    : 'The amount is not in pounds, which is all that the ledger records.';
  return { statement: foreign, message };
}

/** The currency that the name of a column of amounts says: `Amount (€)`, `Paid in USD`. */
export const currencyOfName = (name: string) => NAMED_MARK.exec(name)?.[0];

/** The currency that a line outside the rows says: `Currency: EUR`, `All amounts in euros`. */
export const currencyOfLine = (line: string) => LABEL.exec(line)?.[1] ?? IN.exec(line)?.[1];

/** The currency that a line before the rows says: also `Account 1234 (EUR)`, and `Balance: €12.00`. */
export const currencyOfHeading = (line: string) => currencyOfLine(line) ?? MARK.exec(line)?.[0];

/** The currency in a number format of Excel, if it is not pounds: `[$€-407] #,##0.00`, `"$"#,##0`. `[$-809]` is a language. */
export const currencyOfFormat = (format: string) =>
  MARK.exec(format.replace(/\[\$-[^\]]*\]/g, '').replace(/\[\$/g, '['))?.[0];
