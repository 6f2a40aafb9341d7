/** Finds the header row and the meaning of each column: by the bank's layout or usual names, both overridden by the map option. */

import { lazy } from '../../lazy.ts';
import { cleanText, headerKey, type TableRow } from '../files/cells.ts';
import { PREAMBLE_ROWS } from '../files/csv.ts';
import { ImportError } from '../import-error.ts';
import type { ImportOptions } from '../options.ts';
import { isBlankAmount } from '../values/amounts.ts';
import { knownAmounts } from './amount-columns.ts';
import { BANK_NAMES, BANKS, type BankLayout } from './banks.ts';
import { isAmount, isDate } from './cell-kinds.ts';
import { chosenColumns, mapColumns } from './chosen-columns.ts';
import { chosenValues } from './chosen-values.ts';
import { columnIndex } from './column-index.ts';
import { withDescription } from './description.ts';
import { type TableDirections, tableDirections } from './directions.ts';
import { chosenHeadings } from './headings.ts';
import { type Columns, hasMoney, isUsable, type Layout, type PartialLayout, readColumns } from './layout.ts';
import { noHeader } from './no-header.ts';
import { requireSettled } from './settled-columns.ts';
import { withAmountOfBalance, withPartsOfCheck } from './sums.ts';
import { isDirectionName, namedColumns } from './usual-columns.ts';

/** Whether `findLayout` would accept one of the first rows as a header. */
export function hasHeader(rows: readonly TableRow[], options: ImportOptions): boolean {
  return rows
    .slice(0, PREAMBLE_ROWS)
    .some(({ cells }, index) => layoutOfRow(cells, index, options, rows.slice(index + 1)) !== undefined);
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

/**
 * Finds the layout of the table, with all columns settled, and the words for the direction of its rows. `titles` are the names of the file and of the sheet.
 * @throws ImportError `unknown_bank`, `unknown_column`, `no_header`, `unresolved_columns`
 */
export function findLayout(
  rows: readonly TableRow[],
  options: ImportOptions,
  titles: readonly string[] = [],
): { layout: Layout; directionsOf: () => TableDirections } {
  const candidates = rows.slice(0, PREAMBLE_ROWS);
  const whole = withDescription(
    rows,
    firstLayout(rows, options) ?? layoutWithoutHeader(rows, options),
    options,
  );
  const found = whole && { ...whole, headings: chosenHeadings(rows, whole, options, titles) };
  const layout = found ?? partialLayout(rows, options);
  if (!layout) throw noHeader(candidates, options, undefined);
  const directionsOf = lazy(() => {
    const data = rows.slice(layout.firstRow).filter(({ isHidden }) => !isHidden);
    return tableDirections(data, layout, options.decimal ?? '.');
  });
  requireSettled(rows, layout, options, titles, directionsOf);
  if (!found) throw noHeader(candidates, options, layout);
  return { layout: found, directionsOf };
}

/** The header and the certain columns of a table that cannot be read. */
export function certainLayout(
  rows: readonly TableRow[],
  options: ImportOptions,
): Pick<PartialLayout, 'header' | 'columns' | 'firstRow'> {
  try {
    return firstLayout(rows, options) ?? partialLayout(rows, options) ?? NOTHING_CERTAIN;
  } catch {
    return NOTHING_CERTAIN;
  }
}

const NOTHING_CERTAIN = { header: [], columns: {}, firstRow: 0 };

/** Whether a column may have amounts: one called Received may have Yes and No, and one called Debit/Credit a dash. */
const hasDigitsIn =
  (rows: readonly TableRow[]) =>
  (index: number, isOfWords = false) => {
    const texts = rows.map(({ cells }) => cells[index] ?? '');
    const isBlank = texts.every((text) => text === '' || (!isOfWords && isBlankAmount(text)));
    return isBlank || texts.some((text) => /\d/.test(text));
  };

function firstLayout(rows: readonly TableRow[], options: ImportOptions): Layout | undefined {
  const candidates = rows.slice(0, PREAMBLE_ROWS);
  for (const useBanks of [true, false]) {
    for (const [index, { cells }] of candidates.entries()) {
      const layout = layoutOfRow(cells, index, options, rows.slice(index + 1), useBanks);
      if (layout) return layout;
    }
  }
  return undefined;
}

/** A header with a date and no amount, else one with an amount and no date, else the last row of names above the first payment. */
function partialLayout(rows: readonly TableRow[], options: ImportOptions): PartialLayout | undefined {
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
  rows.findIndex(({ cells }) => cells.some(isDate) && cells.some(isAmount));

function partialLayoutOfRow(
  cells: string[],
  index: number,
  given: ImportOptions,
  below: readonly TableRow[],
): PartialLayout | undefined {
  if (cells.some(isData) || cells.filter((cell) => cell !== '').length < 2) return undefined;
  const options = withEvidence(given, cells, below);
  const { keys, resolvedColumns } = chosenColumns(cells, options);
  const columns = mapColumns(namedColumns(cells, keys, hasDigitsIn(below)), keys, cells, options);
  const values = chosenValues(cells, cells.length, options);
  return columns && { bank: undefined, columns, header: cells, firstRow: index + 1, resolvedColumns, values };
}

/** The options with the columns of amounts that a chosen sum or a running balance settles. */
const withEvidence = (options: ImportOptions, header: readonly string[], below: readonly TableRow[]) =>
  withAmountOfBalance(withPartsOfCheck(options, header, below), header, below);

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
  const options = bank ? given : withEvidence(given, cells, below);
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
  for (const name of [...(bank?.header ?? []), ...(bank?.others ?? [])])
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

/** Whether the row is a header that gives the columns another meaning. */
export function isOtherHeader(cells: string[], layout: Layout, options: ImportOptions): boolean {
  const other = layoutOfRow(cells, 0, options);
  return other !== undefined && JSON.stringify(other.columns) !== JSON.stringify(layout.columns);
}

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

/** A row with a date or an amount is data, even if some of its texts look like names of columns. */
function isData(cell: string): boolean {
  return (
    /^[-+(£$€]*\d[\d,.]*[.,]\d\d\)?-?(?: ?(?:cr|dr))?$/i.test(cell) || (/\d.*\d/.test(cell) && isDate(cell))
  );
}

/** The candidate layouts: the named bank's, else all layouts that a header alone identifies. */
function banksFor({ bank }: ImportOptions): BankLayout[] {
  if (bank === undefined) return BANKS.filter((layout) => !layout.isByOptionOnly);
  const key = headerKey(bank);
  const named = BANKS.find((layout) =>
    [layout.bank, ...(layout.alsoKnownAs ?? [])].some((name) => headerKey(name) === key),
  );
  if (!named) {
    const known = BANK_NAMES.join(', ');
    throw new ImportError(
      'unknown_bank',
      `The bank "${bank.slice(0, 100)}" is not known; the banks are ${known}.`,
      'bank',
    );
  }
  return BANKS.filter((layout) => layout.bank === named.bank);
}

function bankColumns(bank: BankLayout, keys: string[]): Partial<Columns> {
  const at = (name: string | undefined) => {
    const index =
      name === undefined ? -1 : bank.hasNoHeader ? Number(name) - 1 : keys.indexOf(headerKey(name));
    return index < 0 ? undefined : index;
  };
  const all = (names: string[] = []) => names.map(at).filter((index) => index !== undefined);
  return {
    date: at(bank.date),
    amount: at(bank.amount),
    moneyIn: at(bank.moneyIn),
    moneyOut: at(bank.moneyOut),
    fee: at(bank.fee),
    description: all(bank.description),
    descriptionOr: at(bank.or),
    reference: at(bank.reference),
    balance: at(bank.balance),
    notes: at(bank.notes),
    currency: at(bank.currency),
    account: all(bank.account),
    only: at(bank.only?.column),
    moves: at(bank.moves?.column),
    amounts: knownAmounts(bank.amounts, keys),
    check: at(bank.check),
  } as Partial<Columns>;
}

/** For a bank's file without a header row, or columns mapped by number only: the first row with a digit in the date begins the data. */
function layoutWithoutHeader(rows: readonly TableRow[], options: ImportOptions): Layout | undefined {
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
