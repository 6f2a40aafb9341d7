/** What a table says of the currency of its amounts: columns, names of columns, and lines outside the rows. */
import { headerKey, type TableRow } from '../files/cells.ts';
import type { ImportOptions } from '../options.ts';
import { currencyOfHeading, currencyOfLine, currencyOfName } from '../values/currency.ts';
import type { Statement } from '../values/statement.ts';
import { chosenColumns } from './chosen-columns.ts';
import type { Layout } from './layout.ts';

/** Of the amount before it was exchanged. */
const OF_ANOTHER_AMOUNT = 'local original orig foreign exchange from to source target quote'.split(' ');
const AMOUNTS = 'amount value sum gross net total'.split(' ');

/** @returns what the table says of each row, and of all rows */
export function tableCurrencies(
  rows: readonly TableRow[],
  layout: Layout,
  options: ImportOptions,
): (cells: readonly string[]) => Statement<string>[] {
  const { header, firstRow, columns, bank } = layout;
  const { keys } = chosenColumns(header, options);
  const { amount, amountPence, moneyIn, moneyOut, fee } = columns;
  const read = [amount, amountPence, moneyIn, moneyOut, fee].filter((index) => index !== undefined);
  const ofTable: Statement<string>[] = [];
  const add = (column: string, text: string, says: string | undefined) => {
    if (says !== undefined) ofTable.push({ says, column, text });
  };
  for (const index of read) add('the column', header[index] ?? '', currencyOfName(header[index] ?? ''));
  for (const [index, { row, cells }] of rows.entries()) {
    if (index >= firstRow && /\d/.test(cells[columns.date] ?? '')) continue;
    const line = cells.filter((text) => text !== '').join(' ');
    if (index < firstRow - 1 || (index < firstRow && header.length === 0)) {
      add(`line ${row}`, line, currencyOfHeading(line));
    } else if (index >= firstRow) add(`line ${row}`, line, currencyOfLine(line));
  }
  const named = bank
    ? [columns.currency].filter((index) => index !== undefined)
    : keys.flatMap((key, index) => (isCurrencyOfRow(key, keys, read) ? [index] : []));
  return (cells) => [
    ...named.map((index) => ({
      says: cells[index] ?? '',
      column: header[index] ?? '',
      text: cells[index] ?? '',
    })),
    ...ofTable,
  ];
}

/** `Local currency` beside `Local amount` is that of another amount, unless this is the one that is read. */
function isCurrencyOfRow(key: string, keys: readonly string[], read: readonly number[]): boolean {
  const [, qualifier] = /^(.*?)(?:currency(?:code)?|ccy|curr?)$/.exec(key) ?? [];
  if (qualifier === undefined) return false;
  if (OF_ANOTHER_AMOUNT.includes(qualifier)) return false;
  const amounts = keys.flatMap((other, index) =>
    qualifier !== '' && AMOUNTS.some((name) => other === qualifier + name) ? [index] : [],
  );
  return amounts.length === 0 || amounts.some((index) => read.includes(index));
}

export const isCurrencyName = (name: string) => /(?:currency(?:code)?|ccy|^curr?)$/.test(headerKey(name));
