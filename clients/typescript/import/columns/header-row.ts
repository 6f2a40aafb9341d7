/**
 * Finds the header among the first rows, and the columns that it names:
 *
 * 1. `layoutWithHeader`: the first row with all columns of a bank's header, else the first one whose names are a date and an amount.
 * 2. `layoutWithoutHeader`: none, if the bank's file has none, or a person chose the columns by their numbers.
 * 3. `partialLayout`: a header with only one of date and amount, for the questions about the others.
 */

import { cleanText, headerKey, type TableRow } from '../files/cells.ts';
import { PREAMBLE_ROWS } from '../files/csv.ts';
import { ImportError } from '../import-error.ts';
import type { ImportOptions } from '../options.ts';
import { isBlankAmount } from '../values/amounts.ts';
import { bankColumns, banksFor } from './bank-columns.ts';
import type { BankLayout } from './banks.ts';
import { isAmountText, isDate } from './cell-kinds.ts';
import { chosenColumns, chosenValues, mapColumns } from './chosen-columns.ts';
import { columnIndex } from './column-names.ts';
import { optionsWithAmountOfFigures, optionsWithPartsOfCheck } from './column-sums.ts';
import { type Columns, hasMoney, isUsable, type Layout, type PartialLayout, readColumns } from './layout.ts';
import { isDirectionName, namedColumns } from './usual-columns.ts';

export function layoutWithHeader(rows: readonly TableRow[], options: ImportOptions): Layout | undefined {
  const candidates = rows.slice(0, PREAMBLE_ROWS);
  for (const useBanks of [true, false]) {
    for (const [index, { cells }] of candidates.entries()) {
      const layout = layoutOfRow(cells, index, options, rows.slice(index + 1), useBanks);
      if (layout) return layout;
    }
  }
  return undefined;
}

/** For a bank's file without a header row, or columns mapped by number only: the first row with a digit in the date begins the data. */
export function layoutWithoutHeader(rows: readonly TableRow[], options: ImportOptions): Layout | undefined {
  const bank =
    options.bank === undefined ? undefined : banksFor(options).find((layout) => layout.hasNoHeader);
  if (!bank && !(isMappedByNumber(options) && options.bank === undefined)) return undefined;
  const width = Math.max(0, ...rows.slice(0, PREAMBLE_ROWS).map(({ cells }) => cells.length));
  const cells = Array<string>(width).fill('');
  const columns = mapColumns(bank ? bankColumns(bank, []) : {}, [], cells, options);
  if (!isUsable(columns)) return undefined;
  const { resolvedColumns } = chosenColumns(cells, options);
  if (bank) for (const read of readColumns(columns)) resolvedColumns.add(read);
  const firstRow = rows.findIndex(({ cells }) => /\d/.test(cells[columns.date] ?? ''));
  if (firstRow === -1) return undefined;
  const values = chosenValues([], width, options);
  const layout = layoutWith(options, bank);
  return { ...layout, columns, header: [], firstRow, resolvedColumns, isExact: false, values };
}

/** Mapped numbers fit any row, so they alone do not identify a header. */
function isMappedByNumber({ map = {} }: ImportOptions): boolean {
  const names = Object.values(map).filter((name) => name);
  return names.length > 0 && names.every((name) => /^\d+$/.test(name.trim()));
}

/** A line before the header has text in its first cells only, or a date. */
function namesChosenColumns(cells: string[], columns: Columns, { map = {} }: ImportOptions): boolean {
  const chosen = Object.values(map).filter((name) => name);
  return !/\d/.test(cells[columns.date] ?? '') && chosen.every((number) => cells[Number(number) - 1] !== '');
}

/** A header with a date and no amount, else one with an amount and no date, else the last row of names above the first payment. */
export function partialLayout(rows: readonly TableRow[], options: ImportOptions): PartialLayout | undefined {
  if (options.bank !== undefined) return undefined;
  const layouts = rows
    .slice(0, PREAMBLE_ROWS)
    .map(({ cells }, index) => partialLayoutOfRow(cells, index, options, rows.slice(index + 1)))
    .filter((layout) => layout !== undefined);
  const [named, ...others] = [
    layouts.find(({ columns }) => columns.date !== undefined),
    layouts.find(({ columns }) => hasMoney(columns)),
    layouts.findLast(({ firstRow }) => firstRow - 1 < firstPayment(rows)),
  ];
  return named ?? others.find((layout) => layout !== undefined);
}

/** The index of the first row with a date and an amount beside it; -1 if there is none. */
const firstPayment = (rows: readonly TableRow[]): number =>
  rows.findIndex(({ cells }) => cells.some(isDate) && cells.some(isAmountText));

function partialLayoutOfRow(
  cells: string[],
  index: number,
  given: ImportOptions,
  below: readonly TableRow[],
): PartialLayout | undefined {
  if (cells.some(isData) || cells.filter((cell) => cell !== '').length < 2) return undefined;
  const options = optionsWithEvidence(given, cells, below);
  const { keys, resolvedColumns } = chosenColumns(cells, options);
  const columns = mapColumns(namedColumns(cells, keys, hasDigitsIn(below)), keys, cells, options);
  const values = chosenValues(cells, cells.length, options);
  return columns && { bank: undefined, columns, header: cells, firstRow: index + 1, resolvedColumns, values };
}

/** The header and the certain columns of a table that cannot be read. */
export function certainLayout(
  rows: readonly TableRow[],
  options: ImportOptions,
): Pick<PartialLayout, 'header' | 'columns' | 'firstRow'> {
  try {
    return layoutWithHeader(rows, options) ?? partialLayout(rows, options) ?? NOTHING_CERTAIN;
  } catch {
    return NOTHING_CERTAIN;
  }
}

const NOTHING_CERTAIN = { header: [], columns: {}, firstRow: 0 };

/** Whether one of the first rows is a header with a date and an amount. */
export function hasHeader(rows: readonly TableRow[], options: ImportOptions): boolean {
  return rows
    .slice(0, PREAMBLE_ROWS)
    .some(({ cells }, index) => layoutOfRow(cells, index, options, rows.slice(index + 1)) !== undefined);
}

/** Whether the row is a header that gives the columns another meaning. */
export function isOtherHeader(cells: string[], layout: Layout, options: ImportOptions): boolean {
  const other = layoutOfRow(cells, 0, options);
  return other !== undefined && JSON.stringify(other.columns) !== JSON.stringify(layout.columns);
}

/** Whether a column may have amounts: one called Received may have Yes and No, and one called Debit/Credit a dash. */
const hasDigitsIn =
  (rows: readonly TableRow[]) =>
  (index: number, isOfWords = false) => {
    const texts = rows.map(({ cells }) => cells[index] ?? '');
    const isBlank = texts.every((text) => text === '' || (!isOfWords && isBlankAmount(text)));
    return isBlank || texts.some((text) => /\d/.test(text));
  };

/**
 * The options with the columns of amounts that a chosen sum, a running balance or signs prove. A proof is as certain as the choice of a person. So
 * it becomes an option, and the columns are read as if a person had chosen them.
 */
const optionsWithEvidence = (options: ImportOptions, header: readonly string[], below: readonly TableRow[]) =>
  optionsWithAmountOfFigures(optionsWithPartsOfCheck(options, header, below), header, below);

/** The layout if this row is the header: a bank's, else by usual and mapped names. */
function layoutOfRow(
  cells: string[],
  index: number,
  given: ImportOptions,
  below: readonly TableRow[] = [],
  useBanks?: boolean,
): Layout | undefined {
  if (cells.some(isData)) return undefined;
  const allKeys = cells.map(headerKey);
  const banks = banksFor(given).filter((bank) => !bank.hasNoHeader);
  const bank = banks.find(({ header }) => header.every((name) => allKeys.includes(headerKey(name))));
  if (useBanks === true && !bank) return undefined;
  if (given.bank !== undefined && !bank) return undefined;
  const options = bank ? given : optionsWithEvidence(given, cells, below);
  const { keys, resolvedColumns } = chosenColumns(cells, options);
  const columns = mapColumns(
    bank ? bankColumns(bank, keys) : namedColumns(cells, keys, hasDigitsIn(below)),
    keys,
    cells,
    options,
  );
  if (!isUsable(columns)) return undefined;
  if (isMappedByNumber(given) && !namesChosenColumns(cells, columns, options)) return undefined;
  if (!bank) requireDistinct(columns, keys, cells, options);
  const isExact = !bank && (cells.includes('amountPence') || keys.includes('externalref'));
  for (const name of [...(bank?.header ?? []), ...(bank?.repeats ?? []), ...(bank?.others ?? [])])
    resolvedColumns.add(allKeys.indexOf(headerKey(name)));
  if (bank || isExact) for (const read of readColumns(columns)) resolvedColumns.add(read);
  // The id shows the day on which the entry was recorded.
  if (isExact && columns.id !== undefined) resolvedColumns.add(allKeys.indexOf('recordedon'));
  return {
    ...layoutWith(options, bank, keys[columns.type ?? -1]),
    columns,
    header: cells,
    firstRow: index + 1,
    resolvedColumns,
    isExact,
    values: chosenValues(cells, cells.length, options),
  };
}

/** The facts of a layout by the options and the bank alone, and by the name of the type column. */
const layoutWith = ({ map }: ImportOptions, bank: BankLayout | undefined, typeKey = '') => ({
  bank,
  isTypeMapped: Boolean(map?.type) || isDirectionName(typeKey),
  isPositiveSpent: (bank?.isPositiveSpent === true && !map?.amount) || Boolean(map?.spent),
  headings: new Map(),
});

/** @throws ImportError when two columns have the name of a date or an amount, and no option chooses one */
function requireDistinct(
  columns: Columns,
  keys: string[],
  cells: string[],
  { map = {} }: ImportOptions,
): void {
  for (const field of ['date', 'amount', 'moneyIn', 'moneyOut'] as const) {
    const index = columns[field];
    if (index === undefined || keys[index] === '') continue;
    if (Object.values(map).some((name) => columnIndex(name, keys, cells.length) === index)) continue;
    if (keys.filter((key) => key === keys[index]).length > 1) {
      const name = cleanText(cells[index] ?? '');
      const message = `Several columns are called "${name}"; the ${field} column must be chosen by its number.`;
      throw new ImportError('unknown_column', message, 'map');
    }
  }
}

/** A row with a date or an amount is data, even if some of its texts look like names of columns. A whole number may be a name. */
function isData(cell: string): boolean {
  return /^[-+(£$€]*\d[\d,.]*[.,]\d\d\)?-?(?: ?(?:cr|dr))?$/i.test(cell) || isDate(cell);
}
