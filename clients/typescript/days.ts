/** Days as `YYYY-MM-DD`, and periods. */

/** Both days are inclusive. Without one, it has no bound there. */
export interface Period {
  from?: string | undefined;
  to?: string | undefined;
}

/** A period with both ends. Both days are inclusive. */
export interface Days {
  from: string;
  to: string;
}

/** The first and the last day of entries. */
export const daysOf = (entries: readonly { entry: { date: string } }[]): Period =>
  periodFromTo(entries.map(({ entry }) => entry));

/** The period from the first day to the last one. */
export function periodFromTo(dated: readonly { date: string }[]): Period {
  const period: Period = {};
  for (const { date } of dated) {
    if (period.from === undefined || date < period.from) period.from = date;
    if (period.to === undefined || date > period.to) period.to = date;
  }
  return period;
}

/** The period and some days before and after it. */
export function widened({ from, to }: Period, days: number): Period {
  return {
    ...(from !== undefined && { from: dayAfter(from, -days) }),
    ...(to !== undefined && { to: dayAfter(to, days) }),
  };
}

const [FIRST_DAY, LAST_DAY] = [Date.parse('0001-01-01'), Date.parse('9999-12-31')];

/** The day some days after another, within the range of the API. */
export function dayAfter(day: string, days: number): string {
  const time = Date.parse(day) + days * 24 * 60 * 60 * 1_000;
  return new Date(Math.min(Math.max(time, FIRST_DAY), LAST_DAY)).toISOString().slice(0, 10);
}

/** The number of days between two days. */
export const daysBetween = (one: string, other: string): number =>
  Math.abs(Date.parse(one) - Date.parse(other)) / (24 * 60 * 60 * 1_000);

/** Whether a value is a day of the calendar within the range of the API, as `YYYY-MM-DD`. */
export const isDay = (value: unknown): value is string =>
  typeof value === 'string' && value > '0001' && new Date(value).toJSON()?.slice(0, 10) === value;

/** Whether two days are in one quarter, of those from 6 April and of those from 1 April. */
export function isSameQuarter(one: string, other: string): boolean {
  const quarterOf = (day: string) => `${day.slice(0, 4)} ${Math.floor((Number(day.slice(5, 7)) - 1) / 3)}`;
  return (
    quarterOf(one) === quarterOf(other) && quarterOf(dayAfter(one, -5)) === quarterOf(dayAfter(other, -5))
  );
}

// Swedish writes a day as `YYYY-MM-DD`.
const UK_DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' });

/** The day in the United Kingdom, by which quarters end and deadlines pass. @param time now, if absent */
export const ukDay = (time?: Date | number) => UK_DAY.format(time);

const TIME_OF_ID = /^([\da-f]{8})-([\da-f]{4})-7/i;

/**
 * The day in the United Kingdom on which an entry was recorded. Its id is a UUIDv7, which begins with the time of its creation. Null for an
 * id without a time. A correction in the app does not change it.
 */
export function recordedOn(id: string): string | null {
  const [, first, last] = TIME_OF_ID.exec(id) ?? [];
  return first === undefined ? null : ukDay(Number.parseInt(`${first}${last}`, 16));
}
