/** Why no row of a table is its header. */
import { distance } from 'fastest-levenshtein';
import { cleanText, headerKey, type TableRow } from '../files/cells.ts';
import { PREAMBLE_ROWS } from '../files/csv.ts';
import { ImportError } from '../import-error.ts';
import type { ImportOptions } from '../options.ts';
import { amountNames } from './amount-columns.ts';
import { columnIndex } from './column-names.ts';
import type { PartialLayout } from './layout.ts';

/** The reason: a chosen name that is missing, a bank with another header, or else the existing columns. */
export function noHeader(
  table: readonly TableRow[],
  options: ImportOptions,
  certain: PartialLayout | undefined,
): ImportError {
  const rows = table.slice(0, PREAMBLE_ROWS);
  const widest = rows.reduce<TableRow | undefined>(
    (best, row) => (row.cells.length > (best?.cells.length ?? 1) ? row : best),
    undefined,
  );
  const columns = (widest?.cells ?? [])
    .filter((cell) => cell !== '')
    .map((cell) => `"${cleanText(cell).slice(0, 40)}"`);
  const there = columns.slice(0, 20).join(', ');
  const names = amountNames(options).map((name) => ['amounts', name] as const);
  for (const [field, name = ''] of [...Object.entries(options.map ?? {}), ...names]) {
    const isNowhere = rows.every(({ cells }) => columnIndex(name, cells.map(headerKey), cells.length) === -1);
    if (!isNowhere) continue;
    const wanted = headerKey(name.slice(0, 100));
    const near = columns.find((column) => distance(headerKey(column), wanted) <= 2);
    const help = near ? `did you mean ${near}` : `the widest row has ${there}`;
    return new ImportError(
      'unknown_column',
      `No row has the column "${name.slice(0, 100)}" that is chosen for ${field}; ${help}.`,
      field === 'amounts' ? 'amounts' : 'map',
    );
  }
  if (options.bank !== undefined) {
    return new ImportError(
      'no_header',
      `The file does not have the header row of ${options.bank}; without a bank its columns are found by their names.`,
      'bank',
    );
  }
  if (columns.length === 0) {
    const message = 'The file has no table of dates and amounts, or each row is a single cell.';
    return new ImportError('no_header', message);
  }
  const { header = [], columns: { date } = {} } = certain ?? {};
  const missing =
    date === undefined
      ? 'No row names a date column and an amount column'
      : `The date is in "${cleanText(header[date] ?? '')}", and no column certainly has an amount`;
  return new ImportError('no_header', `${missing}; the widest has ${there}; choose the columns.`, 'map');
}
