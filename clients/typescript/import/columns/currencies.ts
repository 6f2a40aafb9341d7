/** The evidence of a table about the currency of its amounts: columns, names of columns, and lines outside the rows. */
import type { TableRow } from '../files/cells.ts';
import type { ImportOptions } from '../options.ts';
import { currencyOfMark } from '../values/amounts.ts';
import {
  currencyOfHeading,
  currencyOfLine,
  currencyOfName,
  currencyOfTitle,
  isCurrency,
  isOfCurrency,
  NO_CURRENCY,
} from '../values/currency.ts';
import type { Evidence } from '../values/evidence.ts';
import { chosenColumns } from './chosen-columns.ts';
import { type Columns, type Layout, moneyColumns } from './layout.ts';

/** The currency of the amount before the exchange. */
const OF_ANOTHER_AMOUNT = 'local original orig foreign fx exchange from to source target quote'.split(' ');
const AMOUNT_WORDS = 'amount value sum gross net total'.split(' ');

/** A heading between rows, such as `EUR account`. A line below a payment may have its amount in another currency. */
const isHeading = (line: string) => !/\d/.test(line) && line.split(' ').length <= 4;

/** @returns the evidence about a row, with that about all rows. @param titles the names of the file and of the sheet */
export function tableCurrencies(
  rows: readonly TableRow[],
  layout: Layout,
  options: ImportOptions,
  titles: readonly string[],
): (cells: readonly string[]) => Evidence<string>[] {
  const { header, firstRow, columns, bank } = layout;
  const { keys, resolvedColumns } = chosenColumns(header, options);
  const { fee, check } = columns;
  const read = [...moneyColumns(columns), fee, check].filter((index) => index !== undefined);
  const evidenceOfTable: Evidence<string>[] = [];
  const add = (column: string, text: string, says: string | undefined, isHint = false) => {
    if (says !== undefined) evidenceOfTable.push({ says, column, text, isHint });
  };
  for (const index of read) add('the column', header[index] ?? '', currencyOfName(header[index] ?? ''));
  for (const [index, { row, cells }] of rows.entries()) {
    if (index >= firstRow && /\d/.test(cells[columns.date] ?? '')) continue;
    const line = cells.filter((text) => text !== '').join(' ');
    if (index < firstRow - 1 || (index < firstRow && header.length === 0)) {
      add(`line ${row}`, line, currencyOfHeading(line), currencyOfLine(line) === undefined);
    } else if (index >= firstRow) {
      // It may apply only to the rows after it.
      add(`line ${row}`, line, isHeading(line) ? currencyOfHeading(line) : currencyOfLine(line), true);
    }
  }
  const named = bank
    ? [columns.currency].filter((index) => index !== undefined)
    : keys.flatMap((key, index) => (isCurrencyOfRow(key, keys, read) ? [index] : []));
  if (!bank && named.length === 0)
    named.push(...columnsOfCodes(rows.slice(firstRow), keys, columns, resolvedColumns));
  if (named.length === 0 && evidenceOfTable.length === 0) {
    for (const title of titles) add('the title', title, currencyOfTitle(title), true);
  }
  const isForeign = named.map((index) =>
    rows
      .slice(firstRow)
      .some(({ cells }) => isCurrency(cells[index] ?? '') && !isOfCurrency(cells[index] ?? '', undefined)),
  );
  return (cells) => [
    ...read.flatMap((index) => {
      const text = cells[index] ?? '';
      const mark = currencyOfMark(text);
      return mark === undefined ? [] : [{ says: mark, column: header[index] || 'the amount', text }];
    }),
    ...columns.account.map((index) => {
      const text = cells[index] ?? '';
      return {
        says: currencyOfTitle(text) ?? '',
        column: header[index] ?? '',
        text,
        isHint: true,
      };
    }),
    ...named.map((index, at) => ({
      says: cells[index] || (isForeign[at] && options.rates === undefined ? NO_CURRENCY : ''),
      column: header[index] ?? '',
      text: cells[index] ?? '',
    })),
    ...evidenceOfTable,
  ];
}

/** A `Local currency` belongs to `Local amount` if there is one, and does not count unless that is the amount column. */
function isCurrencyOfRow(key: string, keys: readonly string[], read: readonly number[]): boolean {
  const [, qualifier] = /^(.*?)(?:currency(?:code|iso|symbol|type)?|ccy|curr?)$/.exec(key) ?? [];
  if (qualifier === undefined) return false;
  if (OF_ANOTHER_AMOUNT.includes(qualifier)) return false;
  const amounts = keys.flatMap((other, index) =>
    qualifier !== '' && AMOUNT_WORDS.some((name) => qualifiedAmountNames(qualifier, name).includes(other))
      ? [index]
      : [],
  );
  return amounts.length === 0 || amounts.some((index) => read.includes(index));
}

const qualifiedAmountNames = (qualifier: string, name: string) => [
  `${qualifier}${name}`,
  `${qualifier}currency${name}`,
  `${name}${qualifier}`,
  `${name}in${qualifier}currency`,
  `${name}${qualifier}currency`,
];

/** Columns of any name with mostly currency codes as values. */
function columnsOfCodes(
  rows: readonly TableRow[],
  keys: readonly string[],
  { description }: Columns,
  resolved: ReadonlySet<number>,
): number[] {
  return keys.flatMap((key, index) => {
    if (resolved.has(index) || description.includes(index)) return [];
    const isOfAnother = OF_ANOTHER_AMOUNT.some((name) => key.startsWith(name)) || /(?:from|to)$/.test(key);
    const values = rows.map(({ cells }) => cells[index] ?? '').filter((text) => text !== '');
    return !isOfAnother && values.filter(isCurrency).length > values.length / 2 ? [index] : [];
  });
}
