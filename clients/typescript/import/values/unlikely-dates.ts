/** Dates that are probably mistyped, or have not happened. The API accepts them, and entries are permanent. */
import { dayAfter, ukDay } from '../../days.ts';
import type { ReadEntry, Warning } from '../result.ts';

const OLDEST_YEAR = 2000;
// Some banks date a payment of a weekend or a holiday on the next working day.
const DAYS_AHEAD_MAX = 7;

/** A warning for each row dated before 2000, or more than a week after today. */
export function unlikelyDates(entries: readonly ReadEntry[], today = new Date()): Warning[] {
  const limit = dayAfter(ukDay(today), DAYS_AHEAD_MAX);
  return entries.flatMap(({ row, entry: { date } }, index) => {
    // Another part of the row before.
    if (entries[index - 1]?.row === row) return [];
    const isOld = date < `${OLDEST_YEAR}`;
    if (!isOld && date <= limit) return [];
    const reason = isOld ? `is before ${OLDEST_YEAR}` : 'is more than a week ahead';
    return [{ row, field: 'date', value: date, message: `The date ${date} ${reason}.` }];
  });
}
