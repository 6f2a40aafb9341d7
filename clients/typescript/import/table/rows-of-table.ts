/**
 * Turns rows of a table into parsed rows: each is a payment, skipped, or has problems. The order of the decisions:
 *
 * 1. `findLayout`: the meaning of each column, or a refusal with questions. A report of the ledger itself is refused before.
 * 2. The order of day and month: by the option, by the bank, or by the dates. It refuses dates that fit two orders. Without the option,
 *    `requireRecentYears` refuses short years that are not recent, and `requireOrder` another order than the bank's. `requireUnchangedDates`
 *    refuses dates that a spreadsheet seems to have changed.
 * 3. `requireOneTable` refuses a second header with other columns, and payments above the header.
 * 4. `rowOfCells` reads each row alone: its texts (`row-texts.ts`), the reason to skip it (`no-payment.ts`), its amount
 *    (`signed-amount.ts`, or `several-amounts.ts`), the problems of its cells, its currency, its balance.
 * 5. `checkTogether` compares all rows, and adds problems: totals and balances (`named-rows.ts`), a cut end, shifted cells, the running
 *    balance, rows that are another row again (`rows/relations.ts`).
 */

import type { BankLayout } from '../columns/banks.ts';
import { columnOfProblem } from '../columns/column-names.ts';
import { tableCurrencies } from '../columns/currencies.ts';
import { findLayout } from '../columns/find-layout.ts';
import { type Layout, moneyColumns } from '../columns/layout.ts';
import { laterDescriptions } from '../columns/usual-columns.ts';
import { requireAccountName, textProblem } from '../files/bounds.ts';
import { cleanCell, cleanText, exactText, headerKey, type TableRow, UNVALUED } from '../files/cells.ts';
import type { ImportOptions } from '../options.ts';
import type { CorrectedField, Meaning } from '../questions-and-answers.ts';
import type { Recognised } from '../result.ts';
import type { CellProblem, ParsedFile, ParsedRow, RowProblem } from '../rows/parsed-row.ts';
import { requireUnchangedDates } from '../values/changed-dates.ts';
import { isInPence, resolveCurrency } from '../values/currency.ts';
import {
  type DateNotation,
  type DateReader,
  datedRows,
  dateReader,
  isDayNumber,
  isOrderNeeded,
  problemOfTime,
  readDate,
  readDay,
  requireOrder,
  requireRecentYears,
  resolveDateOrder,
} from '../values/dates.ts';
import {
  doubtOf,
  doubtOfPayment,
  namedOf,
  reasonByAnswer,
  reasonToSkip,
  stateColumns,
} from './no-payment.ts';
import { rowOfTexts, type TextContext } from './row-texts.ts';
import { againstCheck, severalAmountsOf } from './several-amounts.ts';
import {
  type AmountNotation,
  type CellOf,
  readRunningBalance,
  readSignedAmount,
  type SignedAmount,
} from './signed-amount.ts';
import { checkTogether, requireNoReport, requireOneTable } from './table-checks.ts';
import { sampleOfTable, type TableSample } from './table-sample.ts';

/** The properties of the table that the reading of each row depends on. */
interface TableContext extends AmountNotation, TextContext {
  several: ReturnType<typeof severalAmountsOf>;
  states: ReturnType<typeof stateColumns>;
  dateNotation: DateNotation;
  dateOf: DateReader;
  currenciesOf: ReturnType<typeof tableCurrencies>;
  /** Whether amounts in other currencies are converted. */
  isConverted: boolean;
  /** The answers of a person about rows. */
  answers: Readonly<Record<number, Meaning>>;
}

/**
 * Reads the rows of a table.
 * @throws ImportError when no header is recognised, a column is not resolved, an option does not fit, or the order of day and month is open
 */
export function rowsOfTable(
  rows: readonly TableRow[],
  options: ImportOptions,
  titles: readonly string[],
): ParsedFile & {
  dateNotation: DateNotation;
  recognised: TableSample & Pick<Recognised, 'bank' | 'dateFormat' | 'decimal'>;
} {
  requireNoReport(rows);
  const { layout, directionsOf } = findLayout(rows, options, titles);
  const data = rows.slice(layout.firstRow);
  const { columns, bank } = layout;
  const dates = datedRows(data.map(({ row, cells }) => ({ row, text: cells[columns.date] ?? '' })));
  const decimal = options.decimal ?? '.';
  const order = options.dateFormat ?? (bank ? orderOf(bank) : resolveDateOrder(dates));
  if (options.dateFormat === undefined) requireRecentYears(dates, order);
  if (options.dateFormat === undefined && bank) requireOrder(dates, orderOf(bank));
  requireUnchangedDates(dates, data[0]?.is1904);
  const dateNotation = { order, isOrderGiven: options.dateFormat !== undefined };
  const dateOf = dateReader(dateNotation);
  requireOneTable(rows, layout, dateOf, options);
  const isPence = options.unit === 'pence';
  const directions = directionsOf();
  const notation = { layout, decimal, directions, isPence };
  const context: TableContext = {
    ...notation,
    several: severalAmountsOf(data, notation),
    states: stateColumns(layout),
    dateNotation,
    dateOf,
    account: accountOfPreamble(rows.slice(0, layout.firstRow), layout),
    currenciesOf: tableCurrencies(rows, layout, options, titles),
    later: laterDescriptions(layout),
    isConverted: options.rates !== undefined && !layout.isExact,
    answers: options.rowMeanings ?? {},
  };
  const parsedRows = data.map((row) => rowOfCells(row, context));
  checkTogether(parsedRows, data, notation, options);
  return {
    parsedRows,
    columnNames: columnNames(layout),
    dateNotation,
    recognised: {
      bank: bank?.bank ?? null,
      dateFormat: dates.some(({ text }) => isOrderNeeded(text)) ? order : null,
      decimal,
      ...sampleOfTable(rows, layout, decimal, directions.columns),
    },
  };
}

const orderOf = ({ isMonthFirst }: BankLayout) => (isMonthFirst ? 'mdy' : 'dmy');

function columnNames(layout: Layout): Record<CorrectedField, string> {
  const { date, type, description, category, source } = layout.columns;
  const name = (field: CorrectedField, index: number | undefined) =>
    columnOfProblem(layout.header, index) || field;
  return {
    date: name('date', date),
    amount: name('amount', moneyColumns(layout.columns)[0]),
    type: name('type', type),
    description: name('description', description[0]),
    category: name('category', category),
    source: name('source', source),
  };
}

function rowOfCells(row: TableRow, context: TableContext): ParsedRow {
  const { layout, dateNotation } = context;
  const { columns, header, isExact } = layout;
  const cell = (index: number | undefined) => (index === undefined ? '' : (row.cells[index] ?? ''));
  const date = context.dateOf(cell(columns.date));
  const isPaymentByAnswer = date !== undefined && context.answers[row.row] === 'keep';
  const parsed = rowOfTexts(row, cell, context);
  const withBalance = () => Object.assign(parsed, readRunningBalance(cell, context, parsed.currency));
  if (row.isHidden && !isPaymentByAnswer) {
    parsed.skipReason = 'The row is hidden in the sheet.';
    return withBalance();
  }
  const shape = row.problem ?? tooManyCells(row, layout) ?? oneCell(row, layout, dateNotation);
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
  parsed.date = date;
  const byAnswer = reasonByAnswer(row, layout, cell);
  if (byAnswer !== undefined) parsed.isSkippedByAnswer = true;
  if (!isPaymentByAnswer)
    parsed.skipReason = byAnswer ?? reasonToSkip(row, layout, context.states, cell, date);
  const several = context.several?.(row, cell);
  const amount = several ?? readSignedAmount(row, cell, context);
  parsed.type = amount.type;
  if (amount.pence !== 0 || several?.rowValues.amounts) parsed.pence = amount.pence;
  Object.assign(parsed, several?.rowValues);
  if (parsed.skipReason !== undefined) return withBalance();
  const addProblem = ({ index, ...problem }: CellProblem) => {
    const value = cell(index);
    const unvalued = value === UNVALUED && { message: NO_VALUE };
    parsed.problems.push({ ...problem, ...unvalued, column: columnOfProblem(layout.header, index), value });
  };
  for (const problem of cellProblems(row, cell, parsed, amount, context)) addProblem(problem);
  const said = context.currenciesOf(row.cells).filter(({ says }) => !context.isPence || !isInPence(says));
  const currency = resolveCurrency(said, context.isConverted);
  if ('evidence' in currency) {
    const { evidence, ...problem } = currency;
    const value = evidence.text;
    parsed.problems.push({ field: 'amount', column: evidence.column, value, ...problem });
  } else Object.assign(parsed, currency);
  withBalance();
  const zero = row.isZero && moneyColumns(columns).find((index) => row.isZero?.(index));
  if (parsed.pence === undefined && zero !== undefined && !amount.problem) {
    addProblem({ index: zero, field: 'amount', message: NO_VALUE });
  }
  if (parsed.problems.length === 0 && parsed.pence === undefined) {
    parsed.skipReason = amount.pence === 0 ? 'The amount is 0.00.' : 'There is no amount.';
  }
  return parsed;
}

/** The problems of the cells of a row that may be a payment. A row that seems to be a total or a balance is marked as one. */
function cellProblems(
  row: TableRow,
  cell: CellOf,
  parsed: ParsedRow,
  amount: SignedAmount,
  context: TableContext,
): CellProblem[] {
  const { layout, dateNotation } = context;
  const { columns, bank } = layout;
  const problems: CellProblem[] = [];
  const date = cell(columns.date);
  const isAnswered = context.answers[row.row] !== undefined;
  const named = isAnswered || bank ? undefined : namedOf(row.cells, layout, cell, parsed.date);
  if (named) {
    parsed.named = named.is;
    const message = doubtOf(named.is);
    problems.push({ index: named.index, field: 'description', message, option: 'rowMeanings' });
  }
  if (!parsed.date && !named)
    problems.push({ index: columns.date, ...(date === '' ? NO_DATE : dateProblem(date, dateNotation)) });
  else if (row.is1904 && isDayNumber(date))
    problems.push({ index: columns.date, field: 'date', message: FROM_1904 });
  const timeProblem = problemOfTime(date);
  if (timeProblem) problems.push({ index: columns.date, field: 'date', message: timeProblem });
  const misread = amount.problem ?? againstCheck(cell, context, amount);
  if (misread && !named) problems.push(misread);
  const sum = isAnswered || named ? undefined : moneyColumns(columns).find((index) => row.isInDoubt?.(index));
  if (sum !== undefined)
    problems.push({ index: sum, field: 'amount', message: OF_ROWS, option: 'rowMeanings' });
  const doubt = isAnswered || named ? undefined : doubtOfPayment(row.cells, layout, cell);
  if (doubt) problems.push(doubt);
  const message = textProblem(parsed.description) ?? textProblem(parsed.account);
  if (message) problems.push({ index: columns.description[0], field: 'description', message });
  return problems;
}

/** A row with another delimiter, or in quotes as a whole, is a single cell, not a note. */
function oneCell({ cells }: TableRow, { header }: Layout, notation: DateNotation): string | undefined {
  const at = cells.findIndex((each) => each !== '');
  if (at !== cells.findLastIndex((each) => each !== '') || header.length < 2) return undefined;
  const text = cells[at] ?? '';
  const isRow = (text.match(/[^\p{L}\p{N} :./-]/gu) ?? []).some((delimiter) => {
    const parts = text.split(delimiter, header.length);
    return parts.some((part) => readDate(part.trim(), notation) !== undefined);
  });
  return isRow
    ? 'The row is a single cell: it has another delimiter, or is in quotes as a whole.'
    : undefined;
}

function tooManyCells({ cells }: TableRow, { header }: Layout): string | undefined {
  if (header.length === 0 || cells.slice(header.length).every((text) => text === '')) return undefined;
  return `The row has ${cells.length} cells and the header ${header.length}; put a text with a delimiter in quotes.`;
}

const NO_VALUE =
  'The formula is an error, or was saved without its value; open and save the workbook in a spreadsheet program.';
const OF_ROWS = 'A formula of other rows, or a text that is struck through: no payment, or one?';
const FROM_1904 =
  'This is a number of days, and the workbook counts them from 1904; format the cell as a date.';
const NO_DATE = {
  field: 'date' as const,
  option: 'rowMeanings' as const,
  message: 'The date is missing. If it is the date of the row above, copy it down into the empty cells.',
};

export function dateProblem(
  text: string,
  notation: DateNotation,
): Pick<RowProblem, 'field' | 'message' | 'option'> {
  if (text === '') return { field: 'date', message: 'The date is missing.' };
  const { date, weekday } = readDay(text, notation);
  if (weekday !== undefined)
    return { field: 'date', message: `The weekday is not the date's: ${date} is a ${weekday}.` };
  const orders = { dmy: 'day, month, year', mdy: 'month, day, year', ymd: 'year, month, day' };
  const option = isOrderNeeded(text) && { option: 'dateFormat' as const };
  return { field: 'date', message: `This is not a date, read as ${orders[notation.order]}.`, ...option };
}

function accountOfPreamble(preamble: readonly TableRow[], { bank }: Layout): string {
  const key = headerKey(bank?.accountLine ?? '');
  if (key === '') return '';
  const line = preamble.find(({ cells }) => headerKey(cells[0] ?? '') === key);
  const account = cleanText(cleanCell(line?.raw[1] ?? ''));
  requireAccountName(account);
  return account;
}
