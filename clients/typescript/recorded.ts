/** The day on which an entry was recorded. The id of an entry is a UUIDv7: it begins with the time of its creation. */
import { ukDay } from './days.ts';

const TIME_OF_ID = /^([\da-f]{8})-([\da-f]{4})-7/i;

/** The day in the United Kingdom; null for an id without a time. A correction in the app does not change it. */
export function recordedOn(id: string): string | null {
  const [, first, last] = TIME_OF_ID.exec(id) ?? [];
  return first === undefined ? null : ukDay(Number.parseInt(`${first}${last}`, 16));
}
