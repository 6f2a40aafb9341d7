/** Rows with amounts in other currencies: rows without a rate, and converted rows. */
import type { ImportResult } from '../../../typescript/import/index.ts';
import { originalOf } from '../../../typescript/import/values/conversion.ts';

/** The number of rows in a currency without a rate. */
export const rowsWithoutRate = ({ invalid }: ImportResult): number =>
  new Set(invalid.filter(({ option }) => option === 'rates').map(({ row }) => row)).size;

/** The currency of each row that the rates convert, also of rows that wait for a property or are left out. */
export const convertedRows = (results: readonly ImportResult[]): string[] =>
  results.flatMap(({ entries, withoutSource, leftOut }) => {
    const ofRows = new Map([
      ...[...withoutSource, ...leftOut].map(
        ({ row, description }) => [row, originalOf(description)?.currency] as const,
      ),
      ...entries.map(({ row, conversion }) => [row, conversion?.currency] as const),
    ]);
    return [...ofRows.values()].flatMap((currency) => currency ?? []);
  });
