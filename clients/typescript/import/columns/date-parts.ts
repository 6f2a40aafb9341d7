/** Dates in three columns: day, month and year. */
import { headerKey, type TableRow } from '../files/cells.ts';
import { PREAMBLE_ROWS } from '../files/csv.ts';
import { readDate } from '../values/dates.ts';
import { isDateName } from './usual-columns.ts';

const PARTS = ['day', 'month', 'year'];

/**
 * The rows with the whole date in the column Day, if the columns Month and Year are beside it and no other date is. A row whose parts are no
 * date stays as it is.
 */
export function withWholeDates(rows: readonly TableRow[]): readonly TableRow[] {
  const header = rows.slice(0, PREAMBLE_ROWS).findIndex(({ cells }) => {
    const keys = cells.map(headerKey);
    const hasDate = keys.some((key) => key !== 'day' && isDateName(key));
    return !hasDate && PARTS.every((part) => keys.filter((key) => key === part).length === 1);
  });
  const keys = rows[header]?.cells.map(headerKey) ?? [];
  if (header === -1) return rows;
  const at = PARTS.map((part) => keys.indexOf(part));
  return rows.map((row, index) => {
    const [day = '', month = '', year = ''] = at.map((column) => row.cells[column]);
    if (index <= header || !/^\d{1,2}$/.test(day) || !/^\d{4}$/.test(year)) return row;
    const date = readDate(`${year} ${month} ${day}`, 'ymd');
    return date === undefined ? row : { ...row, cells: row.cells.with(at[0] ?? 0, date) };
  });
}
