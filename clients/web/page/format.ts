/** Texts for people: numbers and dates in the visitor's English, money always as pounds and pence. */

import { counted as countedAs } from '../../typescript/counted.ts';
import { daysOf } from '../../typescript/days.ts';
import { plainPounds, pounds } from '../../typescript/pounds.ts';

/** The page is in English: any other language, and English of no country, gets the forms of the United Kingdom. */
export const localeFor = (language = ''): string => (/^en-/i.test(language) ? language : 'en-GB');
export const LOCALE = localeFor(navigator.language);

const POUNDS_FORMAT = new Intl.NumberFormat(LOCALE, {
  style: 'currency',
  currency: 'GBP',
  minimumFractionDigits: 2,
});
const COUNT = new Intl.NumberFormat(LOCALE);
// The books are in the Gregorian calendar, and so is what a visitor types, whatever calendar the language has.
export const DAY = { timeZone: 'UTC', calendar: 'gregory' } as const;
const DATE = new Intl.DateTimeFormat(LOCALE, { ...DAY, dateStyle: 'medium' });
const LONG_DATE = new Intl.DateTimeFormat(LOCALE, { ...DAY, dateStyle: 'long' });
export const MONTH = new Intl.DateTimeFormat(LOCALE, { ...DAY, year: 'numeric', month: 'short' });
const TIME = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' });
const DAY_AND_TIME = new Intl.DateTimeFormat(LOCALE, {
  calendar: 'gregory',
  dateStyle: 'medium',
  timeStyle: 'short',
});
const DAY_MS = 24 * 60 * 60_000;

/** The digits are exact: Intl takes the pounds as a decimal text, not as a fraction of the machine. */
export function poundsText(pence: number | bigint): string {
  return POUNDS_FORMAT.format(plainPounds(pence) as `${number}`);
}

/** @param currency undefined: pounds. Otherwise its code stands before hundredths of its unit: `EUR -1.01` */
export const amountInCurrency = (pence: number, currency: string | undefined): string =>
  currency === undefined ? poundsText(pence) : `${currency} ${pounds(pence)}`;

/** A number with separators: `2,000` */
export const count = (number: number): string => COUNT.format(number);

/** `1 entry`, `2,000 entries` */
export const counted = (number: number, one: string, many?: string): string =>
  countedAs(number, one, many, count);

const dateTexts = new Map<string, string>();

/** @param date `YYYY-MM-DD` */
export function dateText(date: string): string {
  const text = dateTexts.get(date) ?? DATE.format(new Date(`${date}T00:00:00Z`));
  dateTexts.set(date, text);
  return text;
}

/** A text of the library, with its days as the page writes them. */
export const withDays = (text: string): string => text.replace(/\b\d{4}-\d\d-\d\d\b/g, dateText);

/** `1 October 2025 to 30 November 2026` @param from `YYYY-MM-DD` */
export function periodText(from: string, to: string): string {
  const [first, last] = [from, to].map((date) => LONG_DATE.format(new Date(`${date}T00:00:00Z`)));
  return first === last ? `${first}` : `${first} to ${last}`;
}

/** The first and the last day of entries, as a text. */
export function daysText(entries: readonly { entry: { date: string } }[]): string {
  const { from, to } = daysOf(entries);
  return from && to ? periodText(from, to) : 'none';
}

/** @param month `YYYY-MM` */
export const monthText = (month: string): string => MONTH.format(new Date(`${month}-01T00:00:00Z`));

/** The time of today, or the day and the time. */
export function timeText(time: Date, now = new Date()): string {
  const isSoon = time.getTime() - now.getTime() < DAY_MS && time.getDate() === now.getDate();
  return isSoon ? TIME.format(time) : DAY_AND_TIME.format(time);
}

export { capitalised } from '../../typescript/figures/naming.ts';

/** `40 s`, `3 min`, `2 h 5 min` */
export function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 60) return `${count(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `${count(minutes)} min`;
  return `${count(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

/** Characters that act, change the order of their neighbours, or are invisible. They could give a name another extension. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The name of a file, with such characters as escapes: `\u202e`. */
export const fileName = ({ name }: Pick<File, 'name'>): string =>
  name.replace(UNPRINTABLE, (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`);
