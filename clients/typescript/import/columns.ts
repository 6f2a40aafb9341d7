/** Finds the header row and what each column means: by the bank's layout, by usual names, and by the map option above both. */
import { distance } from 'fastest-levenshtein';
import { BANK_NAMES, BANKS, type BankLayout } from './banks.ts';
import { cleanText, headerKey, type TableRow } from './cells.ts';
import { PREAMBLE_ROWS } from './csv.ts';
import type { Columns, Layout } from './layout.ts';
import { FIELDS, type Field, ImportError, type ImportOptions } from './options.ts';
import { usualColumns } from './usual-columns.ts';

/** Whether one of the first rows is a header that `findLayout` would take. */
export function hasHeader(rows: readonly TableRow[], options: ImportOptions): boolean {
  return rows.slice(0, PREAMBLE_ROWS).some((row) => layoutOfRow(row.cells, 0, options) !== undefined);
}

/**
 * The layout of the table.
 * @throws ImportError `unknown_bank`, `unknown_column`, `no_header`
 */
export function findLayout(rows: readonly TableRow[], options: ImportOptions): Layout {
  const candidates = rows.slice(0, PREAMBLE_ROWS);
  for (const useBanks of [true, false]) {
    for (const [index, { cells }] of candidates.entries()) {
      const layout = layoutOfRow(cells, index, options, useBanks);
      if (layout) return layout;
    }
  }
  const withoutHeader = layoutWithoutHeader(rows, options);
  if (withoutHeader) return withoutHeader;
  throw noHeader(candidates, options);
}

/** The layout if this row is the header: of a bank, else by usual and mapped names. */
function layoutOfRow(
  cells: string[],
  index: number,
  options: ImportOptions,
  useBanks?: boolean,
): Layout | undefined {
  if (cells.some(isData)) return undefined;
  const keys = cells.map(headerKey);
  const banks = banksFor(options).filter((bank) => !bank.hasNoHeader);
  const bank = banks.find(({ header }) => header.every((name) => keys.includes(headerKey(name))));
  if (useBanks === true && !bank) return undefined;
  if (options.bank !== undefined && !bank) return undefined;
  const columns = mapColumns(bank ? bankColumns(bank, keys) : usualColumns(keys), keys, cells, options);
  if (!columns) return undefined;
  if (isMappedByNumber(options) && !namesChosenColumns(cells, columns, options)) return undefined;
  if (!bank) requireDistinct(columns, keys, cells, options);
  const isExact = !bank && (keys.includes('amountpence') || keys.includes('externalref'));
  return {
    bank,
    columns,
    header: cells,
    firstRow: index + 1,
    isTypeMapped: Boolean(options.map?.type),
    isExact,
  };
}

/** @throws ImportError when two columns have the name of a date or an amount column that was not chosen by an option */
function requireDistinct(
  columns: Columns,
  keys: string[],
  cells: string[],
  { map = {} }: ImportOptions,
): void {
  for (const field of ['date', 'amount', 'moneyIn', 'moneyOut'] as const) {
    const index = columns[field];
    if (index === undefined || map[field] !== undefined) continue;
    if (keys.filter((key) => key === keys[index]).length > 1) {
      const name = cleanText(cells[index] ?? '');
      const message = `Several columns are called "${name}"; the ${field} column must be chosen by its number.`;
      throw new ImportError('unknown_column', message, 'map');
    }
  }
}

/** A header names columns: a row with a date or an amount is data, even if some of its texts look like names. */
function isData(cell: string): boolean {
  return /^[-+(£$€]*\d[\d,.]*[.,]\d\d\)?-?$/.test(cell) || /^\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}\b/.test(cell);
}

/** The layouts that may be used: those of the bank that was named, else those that a header alone recognises. */
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
    currency: at(bank.currency),
    account: all(bank.account),
    only: at(bank.only?.column),
  } as Partial<Columns>;
}

/** The columns with those of the map option above them; undefined without a date, without an amount, or if a mapped name is not here. */
function mapColumns(
  found: Partial<Columns>,
  keys: string[],
  cells: string[],
  { map = {} }: ImportOptions,
): Columns | undefined {
  const mapped: Partial<Record<Field, number | undefined>> = {};
  for (const field of FIELDS) {
    const name = map[field];
    if (name === undefined) continue;
    const index = columnIndex(name, keys, cells.length);
    if (index === -1) return undefined;
    mapped[field] = index;
  }
  const { description, ...others } = mapped;
  const columns = { description: [], account: [], ...found, ...others };
  if ('description' in mapped) columns.description = description === undefined ? [] : [description];
  const { amount: mappedAmount, moneyIn: mappedIn, moneyOut: mappedOut } = mapped;
  const single = { amount: undefined, amountPence: undefined, fee: undefined };
  if (mappedIn !== undefined || mappedOut !== undefined) Object.assign(columns, single);
  else if (mappedAmount !== undefined) {
    Object.assign(columns, { ...single, amount: mappedAmount, moneyIn: undefined, moneyOut: undefined });
  }
  if (columns.moneyIn !== undefined && columns.moneyIn === columns.moneyOut) {
    Object.assign(columns, mappedIn === undefined ? { moneyIn: undefined } : { moneyOut: undefined });
  }
  const { date, amount, amountPence, moneyIn, moneyOut } = columns;
  if (date === undefined) return undefined;
  if ([amount, amountPence, moneyIn, moneyOut].every((index) => index === undefined)) return undefined;
  return { ...columns, date };
}

/** The index of a column by its name, else by its 1-based number; undefined for the empty name, -1 if there is none. */
function columnIndex(name: string, keys: string[], count: number): number | undefined {
  if (name.trim() === '') return undefined;
  const byName = keys.indexOf(headerKey(name));
  if (byName !== -1 && headerKey(name) !== '') return byName;
  const number = /^\d+$/.test(name.trim()) ? Number(name) : 0;
  return number >= 1 && number <= count ? number - 1 : -1;
}

/** A bank's file without a header row, or columns that are mapped by numbers only: the rows begin at the first that has a digit in the date. */
function layoutWithoutHeader(rows: readonly TableRow[], options: ImportOptions): Layout | undefined {
  const bank =
    options.bank === undefined ? undefined : banksFor(options).find((layout) => layout.hasNoHeader);
  if (!bank && !(isMappedByNumber(options) && options.bank === undefined)) return undefined;
  const width = Math.max(0, ...rows.slice(0, PREAMBLE_ROWS).map(({ cells }) => cells.length));
  const columns = mapColumns(bank ? bankColumns(bank, []) : {}, [], Array<string>(width).fill(''), options);
  if (!columns) return undefined;
  const firstRow = rows.findIndex(({ cells }) => /\d/.test(cells[columns.date] ?? ''));
  if (firstRow === -1) return undefined;
  return { bank, columns, header: [], firstRow, isTypeMapped: Boolean(options.map?.type), isExact: false };
}

/** Numbers fit any row, so that they alone do not make a header of it. */
function isMappedByNumber({ map = {} }: ImportOptions): boolean {
  const names = Object.values(map).filter((name) => name);
  return names.length > 0 && names.every((name) => /^\d+$/.test(name.trim()));
}

/** Lines before the header have texts in their first cells only, or a date. */
function namesChosenColumns(cells: string[], columns: Columns, { map = {} }: ImportOptions): boolean {
  const chosen = Object.values(map).filter((name) => name);
  return !/\d/.test(cells[columns.date] ?? '') && chosen.every((number) => cells[Number(number) - 1] !== '');
}

/** A chosen name that is nowhere, a bank with another header, or else the columns that are there. */
function noHeader(rows: readonly TableRow[], options: ImportOptions): ImportError {
  const widest = rows.reduce<TableRow | undefined>(
    (best, row) => (row.cells.length > (best?.cells.length ?? 1) ? row : best),
    undefined,
  );
  const columns = (widest?.cells ?? [])
    .filter((cell) => cell !== '')
    .map((cell) => `"${cleanText(cell).slice(0, 40)}"`);
  const there = columns.slice(0, 20).join(', ');
  for (const [field, name = ''] of Object.entries(options.map ?? {})) {
    const isNowhere = rows.every(({ cells }) => columnIndex(name, cells.map(headerKey), cells.length) === -1);
    if (!isNowhere) continue;
    const wanted = headerKey(name.slice(0, 100));
    const near = columns.find((column) => distance(headerKey(column), wanted) <= 2);
    const help = near ? `did you mean ${near}` : `the widest row has ${there}`;
    return new ImportError(
      'unknown_column',
      `No row has the column "${name.slice(0, 100)}" that is chosen for ${field}; ${help}.`,
      'map',
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
    return new ImportError('no_header', 'The file has no table of dates and amounts.');
  }
  return new ImportError(
    'no_header',
    `No row names a date column and an amount column; the widest has ${there}; choose the columns.`,
    'map',
  );
}
