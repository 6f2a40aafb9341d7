/** Reads amounts of statements as whole pence, by decimal arithmetic on the text, without floating-point fractions. */
import { plainPounds } from '../../pounds.ts';
import type { DecimalMark } from '../options.ts';

/** Characters that nobody sees, such as a zero width space or a mark of direction. A soft hyphen is none: it may be a minus. */
const INVISIBLE = /(?!\u00ad)\p{Default_Ignorable_Code_Point}/gu;

/** The text of a number or a date without invisible characters. */
export const visible = (text: string) => text.replace(INVISIBLE, '');

/** Whether the cell has no amount: it is empty, or an accountant's dash. */
export function isBlankAmount(text: string): boolean {
  return /^£?\s*[-\u2012-\u2015\u2212]{0,2}$/.test(text.trim());
}

const MINUS_CHARACTERS = '\\u2010-\\u2015\\u2212\\ufe63\\uff0d';
/** DR or CR before a number, or at the end. */
const ledgerSide = (side: 'dr' | 'cr') => `(?<!\\p{L})${side}\\.?[ £]*\\d|${side}\\.?\\)?$`;
const NEGATIVE = new RegExp(
  `^[^\\d]*[-(${MINUS_CHARACTERS}]|[-${MINUS_CHARACTERS}]\\)?$|${ledgerSide('dr')}`,
  'iu',
);
const POSITIVE = new RegExp(`^[^\\d]*\\+|\\+$|${ledgerSide('cr')}`, 'iu');

/** Whether the amount, readable or not, has a negative notation: a minus, brackets, or DR. */
export const hasMinus = (text: string) => NEGATIVE.test(text.trim());

/** Whether the amount has an explicitly positive notation: a plus, or CR. */
export const hasPlus = (text: string) => POSITIVE.test(text.trim());

/** `isDecimalMark`: the other decimal mark may settle it. */
export type ParsedAmount = { pence: number } | { problem: string; isDecimalMark?: boolean };

/** The amount with the other sign. */
export const negated = (read: ParsedAmount): ParsedAmount =>
  'pence' in read && read.pence !== 0 ? { pence: -read.pence } : read;

const SPACES = /[\s\u00a0\u2007\u2009\u202f]+/g;
const MINUS_SIGNS = new RegExp(`[${MINUS_CHARACTERS}]`, 'g');
const plainAmount = (text: string) =>
  visible(text).replace(SPACES, ' ').replace(MINUS_SIGNS, '-').replace(/[’ʼ]/g, "'").trim();
/** A number with its sign: brackets, or a sign, CR or DR before or after it. The pound sign may come before or after a sign. */
const SIGNED_NUMBER =
  /^(?:£ ?(?=\())?(\()?([+-]|(?:CR|DR)(?:\.? |(?=[£\d])))?(?:£|GBP ?)?([+-])?([\d.,' ]+)(?: ?(?:£|GBP))?(?:([+-])| ?(CR|DR)\.?)?(\))?$/i;
/** Most amounts. The rest of the work takes several times longer. */
const USUAL = /^[-+]?\d{1,13}\.\d\d$/;
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);
const LONGEST_AMOUNT = 64;

/** Signed pence. Zeros may follow the pence, but not one: some countries write twelve thousand five hundred as 12.500. */
export function readAmount(text: string, decimal: DecimalMark): ParsedAmount {
  if (decimal === '.' && USUAL.test(text)) return { pence: usualPence(text) };
  const clean = plainAmount(text);
  if (clean === '') return { problem: 'The amount is missing.' };
  const match = clean.length > LONGEST_AMOUNT ? null : SIGNED_NUMBER.exec(clean);
  if (!match) {
    return {
      problem: /[$€¥]|[A-Z]{3}/.test(clean)
        ? 'This is not an amount in pounds.'
        : 'This is not an amount; examples are 1,234.56, -12.50, (12.50) and 12.50-.',
    };
  }
  const [, open, before, inner, digits = '', after, creditOrDebit, close] = match;
  const marks = [open, before, inner, after, creditOrDebit].filter((mark) => mark !== undefined);
  if (marks.length > 1 || (open === undefined) !== (close === undefined)) {
    return { problem: 'The amount has more than one sign, or a bracket without its pair.' };
  }
  const magnitude = readMagnitude(digits.trim(), decimal);
  if ('problem' in magnitude) return magnitude;
  const isNegative = open !== undefined || /^(?:-|DR)/i.test(marks[0] ?? '');
  return { pence: isNegative && magnitude.pence !== 0 ? -magnitude.pence : magnitude.pence };
}

function usualPence(text: string): number {
  let pence = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit >= 0 && digit <= 9) pence = 10 * pence + digit;
  }
  return text.startsWith('-') ? 0 - pence : pence;
}

/** The notation of most amounts. */
const PLAIN_NUMBER = /^[-+]?[\d.,]*$/;
/** A sign or code of a currency other than pounds, before or after a number. */
const MARK = String.raw`(?!GBP)[A-Z]{3}|US\$|R\$|Fr\.?|kr\.?|zł|Kč|Ft|(?!£)\p{Sc}`;
const MARK_FIRST = new RegExp(String.raw`^([-+(]?) ?(${MARK}) ?(?=[-+(]?[\d.,])`, 'u');
const MARK_LAST = new RegExp(String.raw`(?<=[\d.,][-+)]?) ?(${MARK})([-+)]?)$`, 'u');

/** An amount, perhaps with the mark of another currency. It is then a number, not an amount in pounds. */
export function readMoney(text: string, decimal: DecimalMark): ParsedAmount & { mark?: string } {
  if (PLAIN_NUMBER.test(text)) return readAmount(text, decimal);
  const clean = plainAmount(text);
  const mark =
    clean.length > LONGEST_AMOUNT ? undefined : (MARK_FIRST.exec(clean)?.[2] ?? MARK_LAST.exec(clean)?.[1]);
  if (mark === undefined) return readAmount(text, decimal);
  const number = clean.replace(MARK_FIRST, '$1');
  const bare = number === clean ? clean.replace(MARK_LAST, '$2') : number;
  return /£|GBP/i.test(bare) ? readAmount(text, decimal) : { ...readAmount(bare, decimal), mark };
}

/** The signed pence of a cell: 0 if it is blank, NaN if it is no amount. */
export function penceOf(text: string, decimal: DecimalMark): number {
  const read = isBlankAmount(text) ? { pence: 0 } : readMoney(text, decimal);
  return 'pence' in read ? read.pence : Number.NaN;
}

/** The currency in the mark of an amount. */
export function currencyOfMark(text: string): string | undefined {
  if (PLAIN_NUMBER.test(text)) return undefined;
  return /£|GBP/i.exec(text)?.[0] ?? readMoney(text, '.').mark;
}

function readMagnitude(digits: string, decimal: DecimalMark): ParsedAmount {
  const parts = digits.split(decimal);
  const [whole = '', fraction = ''] = parts;
  const groups = whole.split(/[.,' ]/);
  const separators = new Set(whole.replace(/\d/g, ''));
  const isGrouped =
    groups.length === 1 ||
    (separators.size === 1 &&
      groups.slice(1).every((group) => group.length === 3) &&
      /^\d{1,3}$/.test(groups[0] ?? ''));
  const isNumber = parts.length <= 2 && /^\d*$/.test(fraction) && (whole !== '' || fraction !== '');
  if (!isNumber || !isGrouped) return misread(digits, decimal);
  if (fraction.length === 3) return { problem: threeDecimals(decimal), isDecimalMark: true };
  if (!/^\d{0,2}0*$/.test(fraction)) return { problem: 'The amount has more than two decimals; round it.' };
  const text = groups.join('') + fraction.slice(0, 2).padEnd(2, '0');
  // A whole number of 15 digits is exact.
  if (text.length > 15 && BigInt(text) > LARGEST) return { problem: 'The amount is too large.' };
  return { pence: Number(text) };
}

function threeDecimals(decimal: DecimalMark): string {
  const other = decimal === '.' ? ',' : '.';
  return `The amount has three decimals; if "${decimal}" separates thousands, the decimal mark is "${other}".`;
}

function misread(digits: string, decimal: DecimalMark): ParsedAmount {
  const other = decimal === '.' ? ',' : '.';
  return digits.includes(other)
    ? {
        problem: `The thousands are not in groups of three, if "${decimal}" is the decimal mark.`,
        isDecimalMark: true,
      }
    : { problem: 'The amount is not written in a known way.' };
}

/** The text of whole pence as pounds, `1234.56`. Another text stays as it is. */
export const poundsOfPenceText = (text: string): string =>
  /^-?\d{1,16}$/.test(text) ? plainPounds(text) : text;
