/** Dates that a spreadsheet may have changed: days and months that are exchanged, and numbers of days. */
import { ImportError } from '../import-error.ts';
import { type DatedRow, isDayNumber, readDate } from './dates.ts';

/** A number of days from 1904 is a day that is 1,462 days later than from 1900. */
const MS_TO_1904 = 1_462 * 86_400_000;

/**
 * A spreadsheet that expects the month first turns texts into dates where possible, with day and month exchanged, and keeps the others. A
 * number of days may count from 1904, and be 1,462 days later, or be no number of days.
 * @param isOf1904 the rows say so themselves
 * @throws ImportError `ambiguous_dates` for a column that looks like this
 */
export function requireUnchangedDates(dates: readonly DatedRow[], isOf1904 = false): void {
  let changed: DatedRow | undefined;
  let left: DatedRow | undefined;
  let isUnchanged = false;
  for (const date of dates) {
    const [, first = '', mark, second = ''] = date.numbers ?? [];
    if (mark === '.' && first.length < 4) continue;
    if (mark === undefined || first.length === 4) {
      const day = readDate(date.text, 'dmy');
      if (day === undefined) continue;
      if (!isOf1904 && isDayNumber(date.text) && Date.parse(day) < Date.now() - MS_TO_1904) {
        const message = `The number ${date.text} in row ${date.row} may be a day that is counted from 1900 or from 1904, or another date. Write it as a date.`;
        throw new ImportError('ambiguous_dates', message);
      }
      if (day.slice(8) > '12') isUnchanged = true;
      changed ??= date;
    } else if (Number(first) > 12 !== Number(second) > 12) left ??= date;
  }
  if (!changed || !left || isUnchanged) return;
  const message = `A spreadsheet may have exchanged day and month: row ${changed.row} has the date ${changed.text}, and row ${left.row} the text ${left.text}. Write all dates in one way.`;
  throw new ImportError('ambiguous_dates', message);
}
