/** The content of a cell by its notation alone: an amount, a number or a date. */
import { readDate } from '../values/dates.ts';

const AMOUNT_LENGTH_MAX = 64;
/** Two amounts may be consecutive by chance. */
const RUNNING_MIN = 3;

export const isWholeNumber = (text: string) => /^[\d ]+$/.test(text);

/** Any notation of a number other than 0 without other words: 895, 1,025.00, £12, 33.3333, (5) or 12 DR. No date and no time. */
export function isAmountText(text: string): boolean {
  if (text.length > AMOUNT_LENGTH_MAX || !/[1-9]/.test(text)) return false;
  return !/[\p{L}:/%#@]|\d-\d/u.test(text.replace(/GBP|CR|DR/gi, '')) && !isDate(text);
}

/** £895 pcm, 12.50 (late). */
export function startsWithAmount(text: string): boolean {
  return /[1-9]/.test(text) && /^[-+(\s]*(?:[£$€]\s*\d|\d[\d,]*\.\d\d(?![\d.]))/.test(text);
}

/** Receipts are numbered, payments are not. */
export function isRunningNumber(values: readonly string[]): boolean {
  // Payments, mostly.
  if (!/^\d{1,15}$/.test(values[0] ?? '')) return false;
  const numbers = values.map((text) => (/^\d{1,15}$/.test(text) ? Number(text) : Number.NaN));
  const steps = numbers.slice(1).map((number, index) => number - (numbers[index] ?? Number.NaN));
  return numbers.length >= RUNNING_MIN && [1, -1].some((step) => steps.every((each) => each === step));
}

/**
 * Narrower than `readDate`: numbers and amounts are no dates, though Excel writes a date as a number. The order of day and month is not known
 * yet.
 */
export function isDate(text: string): boolean {
  if (!/\d/.test(text) || /^\d+(?:[.,]\d{1,2})?$/.test(text)) return false;
  return ORDERS.some((order) => readDate(text, order) !== undefined);
}

/** Whether the text is a date of another day than the row's, in any order of day and month. */
export function isOtherDay(text: string, dateOfRow: string): boolean {
  return isDate(text) && !ORDERS.every((order) => readDate(text, order) === readDate(dateOfRow, order));
}

const ORDERS = ['dmy', 'mdy'] as const;

export const isCompactDate = (text: string) => /^20\d{6}$/.test(text) && readDate(text, 'dmy') !== undefined;

/** Fewer texts than this may be words with a meaning. */
const TEXTS_MIN = 5;

/** At least five texts, most of which differ. Case does not count, and neither do empty cells. */
export function isFreeText(texts: readonly string[]): boolean {
  const filled = texts.filter((text) => text !== '').map((text) => text.toLowerCase());
  const distinct = new Set(filled).size;
  return distinct >= TEXTS_MIN && distinct * 2 > filled.length;
}
