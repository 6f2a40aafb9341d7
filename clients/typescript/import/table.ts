/** Rows of a table to drafts of entries: each row becomes a draft, a skipped row, or a list of what is wrong with it. */
import { isBlankAmount, type ReadAmount, readAmount } from './amounts.ts';
import { cleanText, exactText, headerKey, joinTexts, type TableRow } from './cells.ts';
import { findLayout } from './columns.ts';
import { readDate, settleDateOrder } from './dates.ts';
import { directionReader } from './direction.ts';
import type { Draft, Drafts } from './draft.ts';
import type { Columns, Layout } from './layout.ts';
import type { DateFormat, DecimalMark, ImportOptions } from './options.ts';

interface Reader {
  layout: Layout;
  order: DateFormat;
  isOrderGiven: boolean;
  decimal: DecimalMark;
  account: string;
  direction: ReturnType<typeof directionReader>;
}

/**
 * The drafts of a table.
 * @throws ImportError when no header is recognised, an option does not fit, or the order of day and month is open
 */
export function draftsOfTable(
  rows: readonly TableRow[],
  options: ImportOptions,
): Drafts & { bank: string | null } {
  const layout = findLayout(rows, options);
  const data = rows.slice(layout.firstRow);
  const { columns, bank } = layout;
  const cellsOf = (index: number | undefined) =>
    index === undefined ? [] : data.map(({ row, cells }) => ({ row, text: cells[index] ?? '' }));
  const decimal = options.decimal ?? '.';
  const reader: Reader = {
    layout,
    order: options.dateFormat ?? (bank ? 'dmy' : settleDateOrder(cellsOf(columns.date))),
    isOrderGiven: options.dateFormat !== undefined,
    decimal,
    account: accountOfPreamble(rows.slice(0, layout.firstRow), layout),
    direction: directionReader(data, layout, decimal),
  };
  const drafts: Drafts = { rows: data.length, drafts: [], skipped: [], invalid: [] };
  for (const row of data) draftRow(row, reader, drafts);
  return { ...drafts, bank: bank?.bank ?? null };
}

function draftRow(row: TableRow, reader: Reader, result: Drafts): void {
  const { layout, order, isOrderGiven } = reader;
  const { columns } = layout;
  const cell = (index: number | undefined) => (index === undefined ? '' : (row.cells[index] ?? ''));
  const shape = row.problem ?? tooManyCells(row, layout);
  if (shape) {
    result.invalid.push({
      row: row.row,
      column: '',
      value: row.cells.join(' ').slice(0, 200),
      message: shape,
    });
    return;
  }
  const date = readDate(cell(columns.date), order, isOrderGiven);
  const reason = reasonToSkip(row, layout, cell, date);
  if (reason) {
    result.skipped.push({ row: row.row, reason });
    return;
  }
  const problems: { index: number | undefined; message: string }[] = [];
  if (!date) problems.push({ index: columns.date, message: dateProblem(cell(columns.date), order) });
  const amount = readSignedAmount(cell, columns, reader);
  if (amount && 'problem' in amount) problems.push({ index: amount.index, message: amount.problem });
  const currency = cell(columns.currency).toUpperCase();
  if (!['', 'GBP', '£'].includes(currency)) {
    problems.push({
      index: columns.currency,
      message: 'The amount is not in pounds, which is all that the ledger records.',
    });
  }
  if (problems.length > 0) {
    for (const { index, message } of problems) {
      const column = index === undefined ? '' : (layout.header[index] ?? String(index + 1));
      result.invalid.push({ row: row.row, column, value: cell(index), message });
    }
    return;
  }
  if (!amount || 'problem' in amount || !date) {
    result.skipped.push({ row: row.row, reason: 'There is no amount.' });
  } else if (amount.pence === 0) {
    result.skipped.push({ row: row.row, reason: 'The amount is 0.00.' });
  } else {
    result.drafts.push(draft(row, cell, reader, date, amount));
  }
}

function draft(
  row: TableRow,
  cell: (index: number | undefined) => string,
  reader: Reader,
  date: string,
  amount: Signed,
): Draft {
  const { columns, header, isExact } = reader.layout;
  const account = columns.account.map((index) => cleanText(cell(index))).filter((text) => text !== '');
  const reference = (isExact ? exactText : cleanText)(row.raw[columns.reference ?? -1] ?? '');
  const category = cleanText(cell(columns.category));
  const id = isExact ? cleanText(cell(columns.id)) : '';
  return {
    row: row.row,
    date,
    type: amount.pence > 0 ? 'income' : 'expense',
    pence: Math.abs(amount.pence),
    description: isExact
      ? exactText(row.raw[columns.description[0] ?? -1] ?? '')
      : joinTexts(columns.description.map((index) => cleanText(cell(index)))) ||
        cleanText(cell(columns.descriptionOr)),
    account: account.length > 0 ? account.join(' ') : reader.account,
    ...(reference !== '' && { reference, referenceColumn: header[columns.reference ?? -1] ?? 'reference' }),
    ...(id !== '' && { id }),
    ...(category !== '' && { category, categoryColumn: header[columns.category ?? -1] ?? 'category' }),
  };
}

const DID_NOT_HAPPEN =
  /^(pending|declined|denied|reverted|reversed|failed|cancelled|canceled|rejected|expired|voided|scheduled|unpaid)$/i;

/** Rows that are no transaction: the header again, another state than the bank's layout takes, a total, a heading or a note. */
function reasonToSkip(
  { cells }: TableRow,
  { bank, header, columns }: Layout,
  cell: (index: number | undefined) => string,
  date: string | undefined,
): string | undefined {
  if (header.length > 0 && header.every((name, index) => cell(index) === name)) {
    return 'This is the header again.';
  }
  const state = cell(columns.only);
  if (bank?.only && state.toUpperCase() !== bank.only.value) {
    return `${bank.only.column} is ${state === '' ? 'empty' : state}, not ${bank.only.value}.`;
  }
  const status = cell(columns.status);
  if (DID_NOT_HAPPEN.test(status)) return `The status is ${status}.`;
  if (date !== undefined) return undefined;
  const isTotal =
    !/\d/.test(cell(columns.date)) && cells.some((text) => /^(grand |sub-?)?totals?:?$/i.test(text));
  if (isTotal) return 'This is a total, not a transaction.';
  const amounts = [columns.amount, columns.amountPence, columns.moneyIn, columns.moneyOut];
  const isEmpty = amounts.every((index) => isBlankAmount(cell(index)));
  return isEmpty ? 'There is neither a date nor an amount.' : undefined;
}

function tooManyCells({ cells }: TableRow, { header }: Layout): string | undefined {
  if (header.length === 0 || cells.slice(header.length).every((text) => text === '')) return undefined;
  return `The row has ${cells.length} cells and the header ${header.length}; a text with a delimiter in it must be in quotes.`;
}

function dateProblem(text: string, order: DateFormat): string {
  if (text === '') return 'The date is missing.';
  const orders = { dmy: 'day, month, year', mdy: 'month, day, year', ymd: 'year, month, day' };
  return `This is not a date, read as ${orders[order]}; --date-format names another order.`;
}

type Signed = { pence: number };

/** Positive for income. Undefined if both columns of a pair are empty. */
function readSignedAmount(
  cell: (index: number | undefined) => string,
  columns: Columns,
  { layout, decimal, direction }: Reader,
): Signed | { problem: string; index: number | undefined } | undefined {
  const at = (index: number | undefined, read: ReadAmount) => ('problem' in read ? { ...read, index } : read);
  if (columns.moneyIn !== undefined || columns.moneyOut !== undefined) {
    return readPair(cell, columns, decimal, direction.isOutNegative);
  }
  const index = columns.amountPence ?? columns.amount;
  const read = columns.amountPence === undefined ? readAmount(cell(index), decimal) : readPence(cell(index));
  if ('problem' in read) return at(index, read);
  const sign = layout.bank?.isPositiveSpent ? -1 : 1;
  const fee = isBlankAmount(cell(columns.fee)) ? { pence: 0 } : readAmount(cell(columns.fee), decimal);
  if ('problem' in fee) return at(columns.fee, fee);
  const pence = read.pence * sign - fee.pence;
  if (!Number.isSafeInteger(pence)) return at(index, { problem: 'The amount is too large.' });
  const directed = direction.apply(cell(columns.type), pence);
  return at(columns.type, directed);
}

function readPair(
  cell: (index: number | undefined) => string,
  { moneyIn, moneyOut }: Columns,
  decimal: DecimalMark,
  isOutNegative: boolean,
): Signed | { problem: string; index: number | undefined } | undefined {
  const texts = { in: cell(moneyIn), out: cell(moneyOut) };
  if (isBlankAmount(texts.in) && isBlankAmount(texts.out)) return undefined;
  const none: ReadAmount = { pence: 0 };
  const received = isBlankAmount(texts.in) ? none : readAmount(texts.in, decimal);
  if ('problem' in received) return { ...received, index: moneyIn };
  const paid = isBlankAmount(texts.out) ? none : readAmount(texts.out, decimal);
  if ('problem' in paid) return { ...paid, index: moneyOut };
  if (received.pence !== 0 && paid.pence !== 0) {
    return { problem: 'The row has both money in and money out; it must be two rows.', index: moneyOut };
  }
  const spent = isOutNegative ? -paid.pence : paid.pence;
  if (received.pence < 0) {
    return { problem: 'Money in is negative; if it was paid back, it is money out.', index: moneyIn };
  }
  if (spent < 0) {
    return { problem: 'Money out has another sign in this row than in the others.', index: moneyOut };
  }
  return { pence: received.pence - spent };
}

/** A column of whole pence, as the API writes amounts. */
function readPence(text: string): ReadAmount {
  const pence = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(pence) ? { pence } : { problem: 'This is not a whole number of pence.' };
}

function accountOfPreamble(preamble: readonly TableRow[], { bank }: Layout): string {
  const key = headerKey(bank?.accountLine ?? '');
  if (key === '') return '';
  const line = preamble.find(({ cells }) => headerKey(cells[0] ?? '') === key);
  return cleanText(line?.cells[1] ?? '');
}
