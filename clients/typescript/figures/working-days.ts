/** Days on which banks in England and Wales are closed in March and April: weekends, and the two bank holidays of Easter. */
import { type Days, dayAfter } from '../days.ts';

/**
 * The days on which banks book the payments of closed days before `first` together with its own. Undefined if the day before was a working day.
 * @param first of a tax year
 * @returns `from` is the first closed day, `to` the working day after them
 */
export function closedAround(first: string): Days | undefined {
  if (isWorkingDay(dayAfter(first, -1))) return undefined;
  let [from, to] = [dayAfter(first, -1), first];
  while (!isWorkingDay(dayAfter(from, -1))) from = dayAfter(from, -1);
  while (!isWorkingDay(to)) to = dayAfter(to, 1);
  return { from, to };
}

function isWorkingDay(day: string): boolean {
  const weekday = new Date(day).getUTCDay();
  const easter = easterSunday(Number(day.slice(0, 4)));
  const isOfEaster = day === dayAfter(easter, -2) || day === dayAfter(easter, 1);
  return weekday !== 0 && weekday !== 6 && !isOfEaster;
}

/** Computes the day by the anonymous Gregorian algorithm. */
function easterSunday(year: number): string {
  const century = Math.floor(year / 100);
  const moon =
    (19 * (year % 19) +
      century -
      Math.floor(century / 4) -
      Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3) +
      15) %
    30;
  const week = (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - moon - (year % 4)) % 7;
  const late = Math.floor(((year % 19) + 11 * moon + 22 * week) / 451);
  const number = moon + week - 7 * late + 114;
  return new Date(Date.UTC(year, Math.floor(number / 31) - 1, (number % 31) + 1)).toISOString().slice(0, 10);
}
