/** The currency of amounts, for all formats. */
import { type Evidence, quotedEvidence } from './evidence.ts';

const POUNDS = '(?:GBP|£|stg|sterling|pounds?)';
const IN_POUNDS = new RegExp(
  String.raw`^(?:(?:british|uk|gb|great|britain)?[\s()-]*${POUNDS})(?:[\s()-]+${POUNDS})*[\s()-]*$`,
  'i',
);
/** The currencies that statements of British accounts name beside pounds. TRY and ALL are words too. */
const CURRENCY_CODES =
  'EUR USD CHF JPY AUD CAD NZD SEK NOK DKK ISK PLN CZK HUF RON BGN RUB UAH ILS AED SAR QAR ZAR NGN KES INR PKR CNY HKD SGD THB MYR IDR PHP KRW TWD MXN BRL ARS CLP COP'.split(
    ' ',
  );
const CODE = `(?:${CURRENCY_CODES.join('|')})`;
/** The sign of a currency other than pounds. */
const SIGN = '(?!£)\\p{Sc}';
const WORD = 'euros?|(?:us |american )?dollars?|yen|swiss francs?';
const NAME = `(?:${CODE}|${WORD}|${SIGN})`;
const TITLE = new RegExp(String.raw`(?<!\p{L})(?:eur|usd|${WORD})(?!\p{L})`, 'iu');
const CURRENCY_MARK = new RegExp(String.raw`${SIGN}|(?<![\p{L}\d])${CODE}(?![\p{L}\d])`, 'u');
const CURRENCY_CELL = new RegExp(`^(?:GB[PpX]|\\p{Sc}|${CODE})$`, 'u');
const NAMED_MARK = new RegExp(CURRENCY_MARK.source, 'iu');
const POUNDS_NAME = `(?:british |uk |gb )?${POUNDS}(?: ${POUNDS})?`;
/** After a colon any name counts, and otherwise a known one: "Currency conversion" names none. */
const LABEL = new RegExp(
  String.raw`(?<!\p{L})(?:currency|ccy|währung)(?!\p{L})(?:[^\p{L}\p{Sc}]*(${POUNDS_NAME}|${NAME})(?!\p{L})|\s*[:=]\s*(\p{L}{3,}))`,
  'iu',
);
/** A line of two cells: the word currency, and its code. */
const CELL = /(?:[Cc]urrency|CURRENCY|[Cc]cy|CCY)\W+([A-Z]{3}|\d{3})$/;
const ACCOUNT = new RegExp(
  String.raw`(?<!\p{L})(${NAME}) (?:(?:current|savings|bank|business|cash|deposit|personal) )*accounts?(?!\p{L})`,
  'iu',
);
const IN = new RegExp(
  String.raw`(?<!\p{L})(?:amounts?|balances?|figures|values|statement|account|all|shown|prices)(?!\p{L}).{0,40}? in (${NAME})(?!\p{L})`,
  'iu',
);

const POUNDS_WORD = new RegExp(String.raw`(?<!\p{L})${POUNDS}(?!\p{L})`, 'iu');

/** Whether a text is the code of pence, in which prices of shares are. */
export const isInPence = (text: string) => /^(?:GBp|GBX)$/.test(text.trim());
const isPounds = (text: string) => IN_POUNDS.test(text.trim()) && !isInPence(text);

/** Whether the text is only the code or the sign of a currency. */
export const isCurrency = (text: string) => CURRENCY_CELL.test(text);

export const POUNDS_CODE = 'GBP';
/** An empty cell beside other currencies than pounds. */
export const NO_CURRENCY = 'no currency';

/** The codes that signs and names may mean. */
const CURRENCY_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^(?:€|euros?)$/i, 'EUR'],
  [/^us ?(?:\$|dollars?)$|^american dollars?$/i, 'USD'],
  [/^(?:\$|dollars?)$/i, 'USD AUD CAD NZD HKD SGD MXN'],
  [/^yen$/i, 'JPY'],
  [/^¥$/, 'JPY CNY'],
  [/^(?:swiss francs?|fr\.?)$/i, 'CHF'],
  [/^kr\.?$/i, 'SEK NOK DKK ISK'],
  [/^zł$/i, 'PLN'],
  [/^kč$/i, 'CZK'],
  [/^ft$/i, 'HUF'],
  [/^₹$/, 'INR'],
  [/^₺$/, 'TRY'],
  [/^฿$/, 'THB'],
  [/^r\$$/i, 'BRL'],
];

function codesOf(text: string): string[] {
  const [, codes] = CURRENCY_NAMES.find(([names]) => names.test(text)) ?? [];
  if (codes !== undefined) return codes.split(' ');
  return /^[a-z]{3}$/i.test(text) ? [text.toUpperCase()] : [];
}

/** Whether a sign or a name may mean the currency: undefined is pounds. */
export const isOfCurrency = (text: string, currency: string | undefined): boolean =>
  currency === undefined || currency === POUNDS_CODE
    ? isPounds(text)
    : codesOf(text.trim()).includes(currency);

type ResolvedCurrency =
  | { currency?: string }
  | { evidence: Evidence<string>; message: string; option?: 'rates' };

/**
 * The currency of an amount: only with `isConverted`, and if all evidence agrees. Undefined without evidence. A hint, such as the name
 * of the file, can refuse an amount, and never converts one.
 */
export function resolveCurrency(all: readonly Evidence<string>[], isConverted: boolean): ResolvedCurrency {
  const said = all.filter(({ says }) => says.trim() !== '');
  const foreign = said.filter(({ says }) => !isPounds(says));
  const [evidence] = foreign;
  const pounds = said.find(({ says }) => isPounds(says));
  if (!evidence) return pounds && isConverted ? { currency: POUNDS_CODE } : {};
  const contradicts = (other: Evidence<string>) => ({
    evidence,
    message: `The file contradicts itself about the currency: ${quotedEvidence(evidence)}, and ${quotedEvidence(other)}.`,
  });
  if (pounds) return contradicts(pounds);
  const refused = (message: string) => ({ evidence, message, option: 'rates' as const });
  if (evidence.says === NO_CURRENCY)
    return refused('The row names no currency, and others are not in pounds.');
  if (!isConverted) return refused('The amount is not in pounds, which is all that the ledger records.');
  if (foreign.every(({ isHint }) => isHint)) {
    const [code = 'EUR', ...others] = codesOf(evidence.says.trim());
    return refused(
      `This alone does not say that the amounts are in it. Write a line "Currency: ${others.length > 0 ? 'EUR' : code}" above the header, or remove it if they are in pounds.`,
    );
  }
  let codes = codesOf(evidence.says.trim());
  for (const other of foreign.slice(1)) {
    const both = codesOf(other.says.trim()).filter((code) => codes.includes(code));
    if (both.length === 0) return contradicts(other);
    codes = both;
  }
  const [currency, ...more] = codes;
  if (currency !== undefined && more.length === 0) return { currency };
  const which = more.length > 0 ? `This may be ${codes.join(', ')}` : 'This is no code of a currency';
  return refused(`${which}: write the code, such as EUR, in a column or in a line above the header.`);
}

/** The currency in the name of a column of amounts: `Amount (€)`, `Paid in USD`. */
export const currencyOfName = (name: string) => NAMED_MARK.exec(name)?.[0];

/** The currency in a line outside the rows: `Currency: EUR`, `All amounts in euros`. */
export function currencyOfLine(line: string): string | undefined {
  const label = LABEL.exec(line);
  return IN.exec(line)?.[1] ?? label?.[1] ?? label?.[2] ?? ACCOUNT.exec(line)?.[1] ?? CELL.exec(line)?.[1];
}

/** The currency in the name of a file or a sheet, unless the name also mentions pounds. */
export function currencyOfTitle(title: string): string | undefined {
  const words = title.replace(/[_.-]+/g, ' ');
  if (POUNDS_WORD.test(words)) return undefined;
  return ACCOUNT.exec(words)?.[1] ?? CURRENCY_MARK.exec(words)?.[0] ?? TITLE.exec(words)?.[0];
}

/** The currency in a line before the rows: also `Account 1234 (EUR)`, and `Balance: €12.00`. */
export const currencyOfHeading = (line: string) =>
  currencyOfLine(line) ?? CURRENCY_MARK.exec(line)?.[0] ?? TITLE.exec(line)?.[0];

/** The currency in a number format of Excel, if it is not pounds: `[$€-407] #,##0.00`, `"$"#,##0`. `[$-809]` is a language. */
function currencyOfFormat(format: string): string | undefined {
  const [, symbol = ''] = /\[\$([^\]-]+)(?:-[^\]]*)?\]/.exec(format) ?? [];
  if (symbol.trim() !== '') return isPounds(symbol) ? undefined : symbol.trim();
  return (
    CURRENCY_MARK.exec(format.replace(/\[\$-[^\]]*\]/g, ''))?.[0] ??
    /"\s*(kr|zł|Kč|Ft|R\$?|Fr\.?)\s*"/u.exec(format)?.[1]
  );
}

/** Before a number that a workbook shows as pence. */
export const PENCE_MARK = 'pence ';

/** Before the first day of a month that a workbook shows without a day: nobody has written that day. */
export const NO_DAY = 'shown without a day: ';

/** The part of a number format that makes the number no amount in pounds or no whole date, changes its sign, or says more than the number. */
export function markOfFormat(format: string): string | undefined {
  const shown = format.replace(/[_*\\]./g, '').replace(/\[[^\]]*\]/g, '');
  const bare = shown.replace(/"[^"]*"/g, '');
  if (/[my]/i.test(bare) && !/[d0#?hs]/i.test(bare)) return NO_DAY;
  if (/^;/.test(shown)) return 'not shown: ';
  if (shown.includes('%')) return 'percent: ';
  if (/\bcr\b/i.test(shown) && !shown.includes(';')) return 'CR ';
  const [positive = ''] = shown.split(';');
  const isNegative = /[0#]/.test(positive) && /^[^0#?]*[-(]|-"?\s*$|\bdr\b/i.test(positive);
  if (/"\s*(?:p|pence)\s*"/i.test(positive)) return PENCE_MARK;
  const mark = currencyOfFormat(format) ?? (isNegative ? 'shown as negative: ' : undefined);
  const text = positive.replace(/gbp|general|e\+|\b[cd]r\b/gi, '');
  // Digits and marks that the number lacks. A date may have an ordinal, or "de".
  const literal = format.match(/\\.|"[^"]*"/g)?.join('') ?? '';
  const isOther = /[dmyhs]/i.test(bare)
    ? /\d|\p{L}{3}/u.test(literal)
    : /[\d.,%]/.test(literal) || /\p{L}/u.test(text) || /[0#?],+(?![0#?,])/.test(text);
  return mark ?? (isOther ? 'shown as something else: ' : undefined);
}
