/** Dates of statements to YYYY-MM-DD. The order of day and month is settled for the whole file and never guessed. */
import { ImportError } from '../import-error.ts';
import type { DateFormat } from '../options.ts';

/** The names of a month, or of a weekday, in a language. */
const calendarName = (language: string, part: 'month' | 'weekday', day: Date) =>
  day.toLocaleDateString(language, { [part]: 'long', timeZone: 'UTC' });
const MONTHS = [...Array(12).keys()].map((month) =>
  calendarName('en', 'month', new Date(Date.UTC(2023, month))).toLowerCase(),
);
const TIME_AFTER_DATE = String.raw`(?:[T,\s]+(?:[01]?\d|2[0-3]):\d{2}.*)?$`;
const GAP = String.raw`[\s/.,'’-]*`;
const NUMBERS = new RegExp(String.raw`^(\d{1,4})([/.\s-])(\d{1,2})\2(\d{1,4})${TIME_AFTER_DATE}`);
const DAY_MONTH_YEAR = new RegExp(
  String.raw`^(\d{1,2})(?:st|nd|rd|th)?${GAP}([a-z]{3,9})${GAP}(\d{4}|\d{2})${TIME_AFTER_DATE}`,
  'i',
);
const MONTH_DAY_YEAR = new RegExp(
  String.raw`^([a-z]{3,9})${GAP}(\d{1,2})(?:st|nd|rd|th)?,?[\s,-]+(\d{4})${TIME_AFTER_DATE}`,
  'i',
);
const YEAR_MONTH_DAY = new RegExp(
  String.raw`^(\d{4})${GAP}([a-z]{3,9})${GAP}(\d{1,2})${TIME_AFTER_DATE}`,
  'i',
);
/** A date in the form and the range of the API. */
const ISO = /^(\d{4})-(\d\d)-(\d\d)$/;

/** Longer cells hold no date. The bound also keeps the patterns fast. */
const LONGEST_DATE = 64;

/** The order of day and month in the dates of a file. */
export interface DateNotation {
  order: DateFormat;
  /** By a person. Otherwise dates with dots have the day first: no country writes the month first with dots. */
  isOrderGiven: boolean;
}

/** The date in the text, or undefined. A time after the date is ignored. @param notation or the order of dates without dots */
export function readDate(text: string, notation: DateNotation | DateFormat): string | undefined {
  if (startsWithDigit(text)) return readPlainDate(text, notation);
  const { date, weekday } = readDay(text, notation);
  return weekday === undefined ? date : undefined;
}

/** The date, and the name of its weekday if the text has another one before it. */
export function readDay(
  text: string,
  notation: DateNotation | DateFormat,
): { date?: string | undefined; weekday?: string | undefined } {
  const { days, rest } = withoutWeekday(text);
  const date = days.length === 0 ? undefined : readPlainDate(rest, notation);
  // "Mar" is Tuesday too.
  if (date === undefined) return { date: readPlainDate(text, notation) };
  const day = new Date(`${date}T00:00:00Z`).getUTCDay();
  return days.includes(day) ? { date } : { date, weekday: WEEKDAYS[day]?.[0] };
}

/** From Sunday, in English, German, French, Spanish, Italian and Dutch. */
const WEEKDAYS = [...Array(7).keys()].map((day) => [
  ...['en', 'de', 'fr', 'es', 'it', 'nl'].map((language) =>
    calendarName(language, 'weekday', new Date(Date.UTC(2023, 0, day + 1))),
  ),
  ['', '', '', 'weds', '', '', 'sonnabend'][day] ?? '',
]);

/** The weekdays that the first word may mean, whole or abbreviated, by their numbers from Sunday. */
function withoutWeekday(text: string): { days: number[]; rest: string } {
  if (startsWithDigit(text)) return { days: [], rest: text };
  const [, word, rest = ''] =
    (text.length > LONGEST_DATE ? null : /^(\p{L}{2,10})[\s.,]+(.*)$/su.exec(text)) ?? [];
  if (word === undefined) return { days: [], rest: text };
  const start = word.normalize('NFC').toLowerCase();
  const days = WEEKDAYS.flatMap((names, day) =>
    names.some((name) => name.toLowerCase().startsWith(start)) ? [day] : [],
  );
  return { days, rest: days.length > 0 ? rest : text };
}

/** Most dates do. The rest of the work takes longer. */
const startsWithDigit = (text: string) => text.charAt(0) >= '0' && text.charAt(0) <= '9';

/** The numbers of a date without a name of the month, and their mark; not of a longer text. */
function numbersOf(text: string): RegExpExecArray | null {
  if (text.length > LONGEST_DATE) return null;
  return NUMBERS.exec(startsWithDigit(text) ? text : withoutWeekday(text).rest);
}

function readPlainDate(text: string, notation: DateNotation | DateFormat): string | undefined {
  if (text.length > LONGEST_DATE) return undefined;
  const iso = ISO.exec(text);
  if (iso) return calendarDate(iso[1], iso[2], iso[3], 1, 9999);
  const numbers = NUMBERS.exec(text);
  if (numbers) {
    const [, first = '', mark, second = '', third = ''] = numbers;
    if (first.length === 4) return third.length > 2 ? undefined : calendarDate(first, second, third);
    if (first.length > 2 || third.length % 2 === 1) return undefined;
    const { order, isOrderGiven } = typeof notation === 'string' ? { order: notation } : notation;
    const used = mark === '.' && !isOrderGiven ? 'dmy' : order;
    if (used === 'ymd')
      return first.length !== 2 || third.length > 2 ? undefined : calendarDate(first, second, third);
    return used === 'dmy' ? calendarDate(third, second, first) : calendarDate(third, first, second);
  }
  const compact = /^((?:19|20|21)\d\d)(\d\d)(\d\d)$/.exec(text);
  if (compact) return calendarDate(compact[1], compact[2], compact[3]);
  if (isDayNumber(text)) return dateOfSerial(Number(text.replace(',', '.')));
  return readNamedMonth(text);
}

function readNamedMonth(text: string): string | undefined {
  const dayFirst = DAY_MONTH_YEAR.exec(text);
  if (dayFirst) return calendarDate(dayFirst[3], monthNumber(dayFirst[2]), dayFirst[1]);
  const monthFirst = MONTH_DAY_YEAR.exec(text);
  if (monthFirst) return calendarDate(monthFirst[3], monthNumber(monthFirst[1]), monthFirst[2]);
  const yearFirst = YEAR_MONTH_DAY.exec(text);
  return yearFirst ? calendarDate(yearFirst[1], monthNumber(yearFirst[2]), yearFirst[3]) : undefined;
}

/** 22:00 or 23:00 of UTC, to the second: in summer, midnight of the next day in Europe. A program has computed it of a day. */
const MIDNIGHT_OF_NEXT_DAY =
  /2[23]:?00(?::?00(?:\.0+)?)? ?(?:Z|UTC|GMT|[+-]00:?00|\[[+-]?0(?:\.0+)?(?::\w+)?\])$/;

/** The problem of a date whose time makes it the end of a day, or the beginning of the next one. */
export const problemOfTime = (text: string): string | undefined =>
  MIDNIGHT_OF_NEXT_DAY.test(text)
    ? 'In local time this may be midnight, when the next day begins; write the day alone.'
    : undefined;

/** Whether the text is a date as spreadsheets store it: a number of days, perhaps with a time as a fraction. */
export const isDayNumber = (text: string): boolean => /^\d{5}(?:[.,]\d+)?$/.test(text);

const SECONDS_OF_DAY = 86_400;

/**
 * Excel counts days from 30 December 1899. The range is 1954 to 2118, so that other numbers are not read as dates. A computed midnight may
 * lack a fraction of a second.
 */
function dateOfSerial(serial: number): string | undefined {
  if (serial < 20_000 || serial > 80_000) return undefined;
  const days = Math.floor(Math.round(serial * SECONDS_OF_DAY) / SECONDS_OF_DAY);
  return new Date(Date.UTC(1899, 11, 30 + days)).toISOString().slice(0, 10);
}

function monthNumber(name = ''): string {
  return String(MONTHS.findIndex((month) => month.startsWith(name.toLowerCase())) + 1);
}

/** A year of two digits is 1970 to 2069. Days that no calendar has are undefined. */
function calendarDate(
  yearText = '',
  monthText = '',
  dayText = '',
  yearMin = 1900,
  yearMax = 2199,
): string | undefined {
  const month = Number(monthText);
  const day = Number(dayText);
  const short = Number(yearText);
  const year = yearText.length > 2 ? short : short + (short < 70 ? 2000 : 1900);
  if (year < yearMin || year > yearMax) return undefined;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(month, year)) return undefined;
  const padded = (number: number, length: number) => String(number).padStart(length, '0');
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
}

/** Uses arithmetic: creating a Date for each of 20,000 rows would take longer than the rest. */
function daysIn(month: number, year: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Whether the order of day and month makes a difference to the text. */
export function isOrderNeeded(text: string): boolean {
  const numbers = numbersOf(text);
  return numbers !== null && (numbers[1]?.length ?? 0) <= 2;
}

export interface DatedRow {
  row: number;
  text: string;
  numbers: ReturnType<typeof numbersOf>;
}

export function datedRows(rows: readonly Omit<DatedRow, 'numbers'>[]): DatedRow[] {
  const numbers = byText(numbersOf);
  return rows.map(({ row, text }) => ({ row, text, numbers: numbers(text) }));
}

export type DateReader = (text: string) => string | undefined;

export const dateReader = (notation: DateNotation): DateReader => byText((text) => readDate(text, notation));

/** Reads each text once: a file of 20,000 rows has a few hundred days. */
function byText<Read>(read: (text: string) => Read): (text: string) => Read {
  const known = new Map<string, Read>();
  return (text) => {
    if (!known.has(text)) known.set(text, read(text));
    return known.get(text) as Read;
  };
}

const YEARS_BACK_MAX = 7;
const YEARS_AHEAD_MAX = 1;

/**
 * A two-digit year is recent: 26/04/06 is no day of 2006, so its order is open.
 * @throws ImportError `ambiguous_dates`
 */
export function requireRecentYears(dates: readonly DatedRow[], order: DateFormat): void {
  const today = new Date();
  const limit = (years: number) => `${today.getUTCFullYear() + years}${today.toISOString().slice(4, 10)}`;
  const [first, last] = [limit(-YEARS_BACK_MAX), limit(YEARS_AHEAD_MAX)];
  for (const { row, text, numbers } of dates) {
    if (numbers?.[1]?.length !== 2 || numbers[4]?.length !== 2) continue;
    const date = readDate(text, order);
    if (date === undefined || (date >= first && date <= last)) continue;
    const message = `The date ${text} in row ${row} would be ${date}, which is not of the last ${YEARS_BACK_MAX} years; choose the order.`;
    throw ambiguous(message);
  }
}

/**
 * Dates with dots have the day first, and dates with the year first the month, unless one has a month above 12 and none a day.
 * @throws ImportError `ambiguous_dates`
 */
function requireUsualOrder(dates: readonly DatedRow[]): void {
  for (const isYearFirst of [false, true]) {
    let other: DatedRow | undefined;
    let isUsual = false;
    for (const date of dates) {
      const [, first = '', mark, second = '', third = ''] = date.numbers ?? [];
      if (isYearFirst ? first.length !== 4 : mark !== '.' || first.length > 2) continue;
      const [day, month] = isYearFirst ? [third, second] : [first, second];
      if (Number(day) > 12) isUsual = true;
      else if (Number(month) > 12 && Number(month) <= 31) other ??= date;
    }
    if (!other || isUsual || dates.length < 2) continue;
    const message = `The date ${other.text} in row ${other.row} has no month ${isYearFirst ? 'after the year' : 'in the middle'}, and no other row shows it there; ${isYearFirst ? 'write year, month, day' : 'choose the order'}.`;
    throw ambiguous(message);
  }
}

/**
 * The order that the bank always writes. A spreadsheet may have changed it.
 * @throws ImportError `ambiguous_dates`
 */
export function requireOrder(dates: readonly DatedRow[], order: 'dmy' | 'mdy'): void {
  requireUsualOrder(dates);
  const isOf = ({ numbers }: DatedRow, day: 1 | 3) =>
    numbers !== null && (numbers[1]?.length ?? 0) <= 2 && Number(numbers[day]) > 12;
  const [own, others, found, usual] =
    order === 'dmy' ? ([1, 3, 'month', 'day'] as const) : ([3, 1, 'day', 'month'] as const);
  const other = dates.find((date) => isOf(date, others));
  if (!other || dates.some((date) => isOf(date, own))) return;
  const message = `The date ${other.text} in row ${other.row} has the ${found} first, and the bank writes the ${usual} first; choose the order.`;
  throw ambiguous(message);
}

/**
 * The order of day and month in the file. A row whose day is above 12 settles it.
 * @throws ImportError `ambiguous_dates` when no row settles it, or when rows contradict each other.
 */
export function resolveDateOrder(dates: readonly DatedRow[]): DateFormat {
  let dayFirst: DatedRow | undefined;
  let monthFirst: DatedRow | undefined;
  let openDate: DatedRow | undefined;
  requireUsualOrder(dates);
  for (const date of dates) {
    const { numbers } = date;
    if (!numbers || numbers[2] === '.' || (numbers[1]?.length ?? 0) > 2) continue;
    const first = Number(numbers[1]);
    const second = Number(numbers[3]);
    if (first > 31 || second > 31 || first === second || (first > 12 && second > 12)) continue;
    if (first > 12) dayFirst ??= date;
    else if (second > 12) monthFirst ??= date;
    else openDate ??= date;
  }
  if (dayFirst && monthFirst) {
    // With either order the other rows would be read wrong.
    const message = `Row ${dayFirst.row} (${dayFirst.text}) has the day first and row ${monthFirst.row} (${monthFirst.text}) has the month first. Write all dates in one way.`;
    throw new ImportError('ambiguous_dates', message);
  }
  if (dayFirst) return 'dmy';
  if (monthFirst) return 'mdy';
  if (openDate) {
    throw ambiguous(
      `The date ${openDate.text} in row ${openDate.row} could have the day or the month first, and no row settles it; choose the order.`,
    );
  }
  return 'dmy';
}

const ambiguous = (message: string) => new ImportError('ambiguous_dates', message, 'dateFormat');
