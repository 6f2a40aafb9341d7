/** Turns rows of a table into parsed rows: each is a payment, skipped, or has problems. */

import type { CorrectedField, Meaning } from '../choices.ts';
import type { BankLayout } from '../columns/banks.ts';
import { findLayout } from '../columns/columns.ts';
import { tableCurrencies } from '../columns/currencies.ts';
import { type Columns, type Layout, moneyColumns } from '../columns/layout.ts';
import { laterDescriptions } from '../columns/usual-columns.ts';
import { requireAccountName, textProblem } from '../files/bounds.ts';
import {
  cleanCell,
  cleanText,
  exactText,
  headerKey,
  joinTexts,
  type TableRow,
  UNVALUED,
} from '../files/cells.ts';
import type { DateFormat, ImportOptions } from '../options.ts';
import type { Recognised } from '../result.ts';
import { isBlankAmount, poundsOfPence } from '../values/amounts.ts';
import { isInPence, resolveCurrency } from '../values/currency.ts';
import {
  type DateReader,
  datedRows,
  dateReader,
  isOrderNeeded,
  readDate,
  readDay,
  requireOrder,
  requireRecentYears,
  requireUnchangedDates,
  resolveDateOrder,
} from '../values/dates.ts';
import { doubtOf, doubtOfPayment, namedOf, reasonToSkip, stateColumns } from './no-payment.ts';
import type { ParsedFile, ParsedRow, Problem } from './parsed-row.ts';
import { againstCheck, amountTexts, severalAmountsOf } from './several-amounts.ts';
import { type ShownTable, shownTable } from './shown-table.ts';
import { type AmountReader, readBalance, readSignedAmount } from './signed-amount.ts';
import { checkTogether, requireNoReport, requireOneTable } from './table-checks.ts';

interface Reader extends AmountReader {
  several: ReturnType<typeof severalAmountsOf>;
  states: ReturnType<typeof stateColumns>;
  order: DateFormat;
  dateOf: DateReader;
  account: string;
  currenciesOf: ReturnType<typeof tableCurrencies>;
  /** The columns of the description that an earlier version did not read. */
  later: number;
  /** Whether amounts in other currencies are converted. */
  isConverted: boolean;
  /** The answers of a person about rows. */
  answers: Readonly<Record<number, Meaning>>;
}

type RecognisedTable = ShownTable & Pick<Recognised, 'bank' | 'dateFormat' | 'decimal'>;

/**
 * Reads the rows of a table.
 * @throws ImportError when no header is recognised, a column is not resolved, an option does not fit, or the order of day and month is open
 */
export function rowsOfTable(
  rows: readonly TableRow[],
  options: ImportOptions,
  titles: readonly string[],
): ParsedFile & { order: DateFormat; recognised: RecognisedTable } {
  requireNoReport(rows);
  const { layout, directionsOf } = findLayout(rows, options, titles);
  const data = rows.slice(layout.firstRow);
  const { columns, bank } = layout;
  const dates = datedRows(data.map(({ row, cells }) => ({ row, text: cells[columns.date] ?? '' })));
  const decimal = options.decimal ?? '.';
  const order = options.dateFormat ?? (bank ? orderOf(bank) : resolveDateOrder(dates));
  if (options.dateFormat === undefined) requireRecentYears(dates, order);
  if (options.dateFormat === undefined && bank) requireOrder(dates, orderOf(bank));
  requireUnchangedDates(dates);
  const dateOf = dateReader(order, options.dateFormat !== undefined);
  requireOneTable(rows, layout, dateOf, options);
  const isPence = options.unit === 'pence';
  const directions = directionsOf();
  const amountReader = { layout, decimal, directions, isPence };
  const reader: Reader = {
    ...amountReader,
    several: severalAmountsOf(data, amountReader),
    states: stateColumns(layout),
    order,
    dateOf,
    account: accountOfPreamble(rows.slice(0, layout.firstRow), layout),
    currenciesOf: tableCurrencies(rows, layout, options, titles),
    later: laterDescriptions(layout),
    isConverted: options.rates !== undefined && !layout.isExact,
    answers: options.rows ?? {},
  };
  const parsedRows = data.map((row) => parsedRowOf(row, reader));
  checkTogether(parsedRows, data, amountReader, options.rows);
  return {
    parsedRows,
    columnNames: columnNames(layout),
    order,
    recognised: {
      bank: bank?.bank ?? null,
      dateFormat: dates.some(({ text }) => isOrderNeeded(text)) ? order : null,
      decimal,
      ...shownTable(rows, layout, decimal, directions.columns),
    },
  };
}

const orderOf = ({ isMonthFirst }: BankLayout) => (isMonthFirst ? 'mdy' : 'dmy');

function columnNames(layout: Layout): Record<CorrectedField, string> {
  const { date, type, description, category, source } = layout.columns;
  const name = (field: CorrectedField, index: number | undefined) => columnName(layout, index) || field;
  return {
    date: name('date', date),
    amount: name('amount', moneyColumns(layout.columns)[0]),
    type: name('type', type),
    description: name('description', description[0]),
    category: name('category', category),
    source: name('source', source),
  };
}

function columnName({ header }: Layout, index: number | undefined): string {
  return index === undefined ? '' : (header[index] ?? String(index + 1));
}

function parsedRowOf(row: TableRow, reader: Reader): ParsedRow {
  const { layout, order } = reader;
  const { columns, header, isExact } = layout;
  const cell = (index: number | undefined) => (index === undefined ? '' : (row.cells[index] ?? ''));
  // References are derived from these texts, as they are in the file.
  const text = (index: number | undefined) => cleanText(cleanCell(row.raw[index ?? -1] ?? ''));
  const account = columns.account.map(text).filter((name) => name !== '');
  const category = cleanText(cell(columns.category));
  const source = cleanText(cell(columns.source));
  const parsed: ParsedRow = {
    row: row.row,
    ...descriptionOf(row, text, reader),
    account: account.length > 0 ? account.join(' ') : reader.account,
    ...(category !== '' && { category }),
    ...(source !== '' && { source }),
    problems: [],
    texts: () => ({
      date: cell(columns.date),
      amount: amountText(cell, columns),
      type: cell(columns.type),
      description: parsed.description,
      category,
      source,
    }),
  };
  if (row.isHidden) return { ...parsed, skipReason: 'The row is hidden in the sheet.' };
  const shape = row.problem ?? tooManyCells(row, layout) ?? oneCell(row, layout, order);
  if (shape) {
    parsed.problems.push({ column: '', value: row.cells.join(' '), message: shape });
    return parsed;
  }
  const reference = (isExact ? exactText : cleanText)(row.raw[columns.reference ?? -1] ?? '');
  if (reference !== '') {
    Object.assign(parsed, { reference, referenceColumn: header[columns.reference ?? -1] ?? 'reference' });
  }
  const id = isExact ? cleanText(cell(columns.id)) : '';
  if (id !== '') parsed.id = id;
  parsed.date = reader.dateOf(cell(columns.date));
  parsed.skipReason = reasonToSkip(row, layout, reader.states, cell, parsed.date);
  const several = reader.several?.(row, cell);
  const amount = several ?? readSignedAmount(row, cell, reader);
  parsed.type = amount.type;
  if (amount.pence !== 0 || several?.ofParts.parts) parsed.pence = amount.pence;
  Object.assign(parsed, several?.ofParts);
  if (parsed.skipReason !== undefined) return parsed;
  const addProblem = (index: number | undefined, problem: Pick<Problem, 'field' | 'message' | 'option'>) => {
    const value = cell(index);
    const unvalued = value === UNVALUED && { message: NO_VALUE };
    parsed.problems.push({ ...problem, ...unvalued, column: columnName(layout, index), value });
  };
  const isAnswered = reader.answers[row.row] !== undefined;
  const named = isAnswered || layout.bank ? undefined : namedOf(row.cells, layout, cell, parsed.date);
  if (named) {
    parsed.named = named.is;
    addProblem(named.index, { field: 'description', message: doubtOf(named.is), option: 'rows' });
  }
  const date = cell(columns.date);
  if (!parsed.date && !named) addProblem(columns.date, date === '' ? NO_DATE : dateProblem(date, order));
  else if (row.is1904 && /^\d{5}(?!\d)/.test(date)) {
    const message =
      'This is a number of days, and the workbook counts them from 1904; format the cell as a date.';
    addProblem(columns.date, { field: 'date', message });
  }
  const misread = amount.problem ?? againstCheck(cell, reader, amount);
  if (misread && !named) {
    const { index, ...problem } = misread;
    addProblem(index, problem);
  }
  const doubt = isAnswered || named ? undefined : doubtOfPayment(row.cells, layout, cell);
  if (doubt) {
    const { index, ...problem } = doubt;
    addProblem(index, problem);
  }
  const tooCostly = textProblem(parsed.description) ?? textProblem(parsed.account);
  if (tooCostly) addProblem(columns.description[0], { field: 'description', message: tooCostly });
  const said = reader.currenciesOf(row.cells).filter(({ says }) => !reader.isPence || !isInPence(says));
  const currency = resolveCurrency(said, reader.isConverted);
  if ('evidence' in currency) {
    const { evidence, ...problem } = currency;
    const value = evidence.text;
    parsed.problems.push({ field: 'amount', column: evidence.column, value, ...problem });
  } else Object.assign(parsed, currency);
  Object.assign(parsed, readBalance(cell, reader, parsed.currency));
  const zero = row.isZero && moneyColumns(columns).find((index) => row.isZero?.(index));
  if (parsed.pence === undefined && zero !== undefined && !amount.problem) {
    addProblem(zero, { field: 'amount', message: NO_VALUE });
  }
  if (parsed.problems.length === 0 && parsed.pence === undefined) {
    parsed.skipReason = amount.pence === 0 ? 'The amount is 0.00.' : 'There is no amount.';
  }
  return parsed;
}

/** Notes follow the name, so that the bank's own text is kept first when a description is cut. Derived references ignore notes. */
function descriptionOf(
  { raw }: TableRow,
  text: (index: number | undefined) => string,
  { layout: { columns, isExact }, later }: Reader,
): Pick<ParsedRow, 'description' | 'earlier'> {
  if (isExact) return { description: exactText(raw[columns.description[0] ?? -1] ?? '') };
  const texts = columns.description.map(text);
  const withoutNotes = joinTexts(texts) || text(columns.descriptionOr);
  const notes = text(columns.notes);
  if (notes !== '') {
    const description = joinTexts([...texts.slice(0, 1), notes, ...texts.slice(1)]);
    return { description, earlier: { description: withoutNotes, keepsReference: true } };
  }
  if (later === 0) return { description: withoutNotes };
  const earlier = { description: joinTexts(texts.slice(later)), keepsReference: false };
  return { description: withoutNotes, earlier };
}

/** The text of the amount. Money out gets a minus, so that the text alone shows the direction. */
function amountText(cell: (index: number | undefined) => string, columns: Columns): string {
  const { amount, amountPence, moneyIn, moneyOut, amounts } = columns;
  if (amounts) return amountTexts(cell, amounts);
  if (amountPence !== undefined) return poundsOfPence(cell(amountPence));
  if (moneyIn === undefined && moneyOut === undefined) return cell(amount);
  const [received, paid] = [cell(moneyIn), cell(moneyOut)].map((text) => (isBlankAmount(text) ? '' : text));
  return [received, paid && `-${paid.replace(/^-/, '')}`].filter((text) => text).join(' ');
}

/** A row with another delimiter, or in quotes as a whole, is a single cell, not a note. */
function oneCell({ cells }: TableRow, { header }: Layout, order: DateFormat): string | undefined {
  const at = cells.findIndex((each) => each !== '');
  if (at !== cells.findLastIndex((each) => each !== '') || header.length < 2) return undefined;
  const isRow = [',', ';', '\t', '|'].some((delimiter) => {
    const parts = cells[at]?.split(delimiter, header.length) ?? [];
    return parts.length > 1 && parts.some((part) => readDate(part.trim(), order) !== undefined);
  });
  return isRow
    ? 'The row is a single cell: it has another delimiter, or is in quotes as a whole.'
    : undefined;
}

function tooManyCells({ cells }: TableRow, { header }: Layout): string | undefined {
  if (header.length === 0 || cells.slice(header.length).every((text) => text === '')) return undefined;
  return `The row has ${cells.length} cells and the header ${header.length}; a text with a delimiter in it must be in quotes.`;
}

const NO_VALUE =
  'The formula is an error, or was saved without its value; open and save the workbook in a spreadsheet program.';
const NO_DATE = {
  field: 'date' as const,
  option: 'rows' as const,
  message: 'The date is missing. If it is the date of the row above, copy it down into the empty cells.',
};

export function dateProblem(text: string, order: DateFormat): Pick<Problem, 'field' | 'message' | 'option'> {
  if (text === '') return { field: 'date', message: 'The date is missing.' };
  const { date, weekday } = readDay(text, order);
  if (weekday !== undefined)
    return { field: 'date', message: `The weekday is not the date's: ${date} is a ${weekday}.` };
  const orders = { dmy: 'day, month, year', mdy: 'month, day, year', ymd: 'year, month, day' };
  const option = isOrderNeeded(text) && { option: 'dateFormat' as const };
  return { field: 'date', message: `This is not a date, read as ${orders[order]}.`, ...option };
}

function accountOfPreamble(preamble: readonly TableRow[], { bank }: Layout): string {
  const key = headerKey(bank?.accountLine ?? '');
  if (key === '') return '';
  const line = preamble.find(({ cells }) => headerKey(cells[0] ?? '') === key);
  const account = cleanText(cleanCell(line?.raw[1] ?? ''));
  requireAccountName(account);
  return account;
}
