/** Days of the United Kingdom, by which quarters end and deadlines pass: of a time, and of the making of an entry. */

// Swedish writes a day as `YYYY-MM-DD`.
const DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' });

/** `YYYY-MM-DD`. @param time now, if absent */
export const ukDay = (time?: Date | number) => DAY.format(time);

const TIME = /^([\da-f]{8})-([\da-f]{4})-7/i;

/**
 * The day on which an entry was recorded; null for an id without a time. The id is a UUIDv7: it begins with the time of its creation,
 * and a correction in the app does not change it.
 */
export function recordedOn(id: string): string | null {
  const [, first, last] = TIME.exec(id) ?? [];
  return first === undefined ? null : ukDay(Number.parseInt(`${first}${last}`, 16));
}
