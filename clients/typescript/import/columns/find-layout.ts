/**
 * Finds the meaning of each column of a table. The order of the decisions, each of which can refuse the table with an ImportError:
 *
 * 1. `header-row.ts`: which row is the header, and which columns does it name? A bank's layout precedes usual names, and the choices of a
 *    person (`chosen-columns.ts`) precede both. Without names for money, a sum or a running balance may show the amounts (`column-sums.ts`).
 * 2. `description.ts`: without a name for it, columns of free text are the description.
 * 3. `headings.ts`: the meanings that a person gave to lines of text between the rows.
 * 4. `directions.ts`: the words in columns and lines for money in and money out.
 * 5. `settle/require-settled.ts`: is a fact of any column, line or row open? All open facts are one refusal, with a question for each.
 * 6. `no-header.ts`: the refusal of a table whose header lacks a date or an amount, with nothing to ask.
 *
 * `table/rows-of-table.ts` reads the rows by the layout, with the evidence of `currencies.ts` for their currency.
 */

import { lazy } from '../../lazy.ts';
import type { TableRow } from '../files/cells.ts';
import { ImportError } from '../import-error.ts';
import type { ImportOptions } from '../options.ts';
import { withDescription } from './description.ts';
import { type TableDirections, tableDirections } from './directions.ts';
import { layoutWithHeader, layoutWithoutHeader, partialLayout } from './header-row.ts';
import { chosenHeadings } from './headings.ts';
import type { Layout } from './layout.ts';
import { noHeader } from './no-header.ts';
import { requireSettled } from './settle/require-settled.ts';

/**
 * Finds the layout of the table, with all columns settled, and the words for the direction of its rows. `titles` are the names of the file and of the sheet.
 * @throws ImportError `unknown_bank`, `unknown_column`, `no_header`, `unresolved_columns`
 */
export function findLayout(
  rows: readonly TableRow[],
  options: ImportOptions,
  titles: readonly string[] = [],
): { layout: Layout; directionsOf: () => TableDirections } {
  const layoutByNames = layoutWithHeader(rows, options) ?? layoutWithoutHeader(rows, options);
  const layoutWithDescription = withDescription(rows, layoutByNames, options);
  const completeLayout = layoutWithDescription && {
    ...layoutWithDescription,
    headings: chosenHeadings(rows, layoutWithDescription, options, titles),
  };
  const layout = completeLayout ?? partialLayout(rows, options);
  if (!layout) throw noHeader(rows, options, undefined);
  const directionsOf = lazy(() => {
    const data = rows.slice(layout.firstRow).filter(({ isHidden }) => !isHidden);
    return tableDirections(data, layout, options.decimal ?? '.');
  });
  requireSettled(rows, layout, options, titles, directionsOf);
  if (!completeLayout) throw noHeader(rows, options, layout);
  return { layout: completeLayout, directionsOf };
}

/**
 * Whether a sheet has a table that `findLayout` reads, perhaps after questions about its columns. Only that shows it: a table may lack a column
 * that the options name, and a sheet of notes has none.
 */
export function isTable(rows: readonly TableRow[], options: ImportOptions): boolean {
  try {
    findLayout(rows, options);
    return true;
  } catch (error) {
    return error instanceof ImportError && error.code === 'unresolved_columns';
  }
}
