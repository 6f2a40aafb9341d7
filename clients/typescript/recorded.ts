/** The day on which an entry was recorded. The id of an entry is a UUIDv7: it begins with the time of its creation. */

const TIME = /^([\da-f]{8})-([\da-f]{4})-7/i;

/** Deadlines are days of the United Kingdom. Swedish writes a day as `YYYY-MM-DD`. */
const DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' });

/** `YYYY-MM-DD`; null for an id without a time. A correction in the app does not change it. */
export function recordedOn(id: string): string | null {
  const [, first, last] = TIME.exec(id) ?? [];
  return first === undefined ? null : DAY.format(Number.parseInt(`${first}${last}`, 16));
}
