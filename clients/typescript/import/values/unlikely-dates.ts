/** Probably mistyped dates. The API accepts them, and entries are permanent. */
import type { ReadEntry, Warning } from '../result.ts';

const OLDEST_YEAR = 2000;

/** A warning for each row dated before 2000, or more than a year after today. */
export function unlikelyDates(entries: readonly ReadEntry[], today = new Date()): Warning[] {
  const limit = `${today.getUTCFullYear() + 1}${today.toISOString().slice(4, 10)}`;
  return entries.flatMap(({ row, entry: { date } }, index) => {
    // Another part of the row before.
    if (entries[index - 1]?.row === row) return [];
    const isOld = date < `${OLDEST_YEAR}`;
    if (!isOld && date <= limit) return [];
    const reason = isOld ? `is before ${OLDEST_YEAR}` : 'is more than a year ahead';
    return [{ row, field: 'date', value: date, message: `The date ${date} ${reason}.` }];
  });
}
