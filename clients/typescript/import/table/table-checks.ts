/** Checks of the whole table: a second header with other columns, payments above the header, a cut end, totals, and balances that are debts. */

import { signedPence } from '../../pounds.ts';
import { signOfBalances } from '../chain/sign-of-balances.ts';
import { isOtherHeader } from '../columns/header-row.ts';
import { isKnownTable, type Layout, moneyColumns } from '../columns/layout.ts';
import { isDateName } from '../columns/usual-columns.ts';
import { headerKey, type TableRow } from '../files/cells.ts';
import { ImportError } from '../import-error.ts';
import type { DecimalMark, ImportOptions } from '../options.ts';
import { isValidRow, type ParsedRow, type RowProblem, type ValidRow } from '../rows/parsed-row.ts';
import { markRelations, skipAnswered } from '../rows/relations.ts';
import { isBlankAmount } from '../values/amounts.ts';
import { isReversed, reversedRows } from '../values/balance-steps.ts';
import type { DateReader } from '../values/dates.ts';
import { quotedEvidence } from '../values/evidence.ts';
import { settleNamed } from './named-rows.ts';
import { isUnknownStatus } from './no-payment.ts';
import type { AmountNotation } from './signed-amount.ts';
import { markSkipped } from './skipped-rows.ts';

/** Headers of the sheets of `ledger figures`: figures, and stored entries. */
const FIGURES = [
  ['period', 'from', 'to', 'hmrcfield', 'amount', 'yourshare'],
  ['entry', 'date', 'amount', 'figuretype', 'figurecategory', 'pence'],
];

/** @throws ImportError for a report of the ledger itself */
export function requireNoReport(rows: readonly TableRow[]): void {
  const keys = rows[0]?.cells.map(headerKey) ?? [];
  if (!FIGURES.some((header) => header.every((name) => keys.includes(name)))) return;
  const message =
    'This is a report of `ledger figures`, and the books have its entries; `ledger pull` writes a file that can be imported.';
  throw new ImportError('unreadable_file', message);
}

/** @throws ImportError for a table with changing columns, or with payments above its header */
export function requireOneTable(
  rows: readonly TableRow[],
  layout: Layout,
  dateOf: DateReader,
  options: ImportOptions,
): void {
  const { columns, firstRow, header } = layout;
  const isDated = ({ cells }: TableRow) => dateOf(cells[columns.date] ?? '') !== undefined;
  const keys = header.map(headerKey).join();
  const other = rows.slice(firstRow).find((row) => {
    if (isDated(row) || row.cells.map(headerKey).join() === keys) return false;
    const isNamed = isDateName(row.cells[columns.date] ?? '') && !row.cells.some((text) => /\d/.test(text));
    return isNamed || isOtherHeader(row.cells, layout, options);
  });
  if (other) {
    const message = `Row ${other.row} is a header with other columns than the first one; split the file there.`;
    throw new ImportError('unreadable_file', message);
  }
  if (header.length === 0) return;
  const money = moneyColumns(columns);
  const above = rows
    .slice(0, firstRow - 1)
    .find((row) => isDated(row) && money.some((index) => !isBlankAmount(row.cells[index] ?? '')));
  if (above) {
    const message = `Row ${above.row} has a date and an amount, and is above the header; move the header to the top.`;
    throw new ImportError('unreadable_file', message);
  }
}

/** A row with a problem of it. */
type RowWithProblem = [ParsedRow | undefined, RowProblem];

/**
 * Adds the problems that only the whole table shows. A row with a problem is not read, and is no evidence about other rows. So the passes have
 * an order:
 *
 * 1. `skipAnswered` leaves out the rows that an answer calls no payment. It is first, so that no other pass counts their amounts.
 * 2. `settleNamed` leaves out totals and balances. It removes their problems, so it is before the passes that add problems.
 * 3. `markSkipped` makes rows invalid that a word leaves out and a balance counts. It is before pass 4, which takes no skipped row for cut.
 * 4. `misreadRows` finds amounts that may be wrong. It is before the passes that add amounts up or compare them with balances.
 * 5. `isReversed` finds a debt. In a bank's layout with money in and out, all rows with balances are then invalid, and no pass follows. Otherwise
 *    the balances of a card become negative, before `openings`, which compares a balance with a signed amount.
 * 6. `signOfBalances` proves a table, or not. Then `openings` looks at proved tables, and `markRelations` at others. It is before pass 7: a row
 *    against its balance may be a part of a sum.
 * 7. `contradictions` compares the rows of pass 5 with the balances in the file.
 */
export function checkTogether(
  parsedRows: readonly ParsedRow[],
  data: readonly TableRow[],
  notation: AmountNotation,
  { rowMeanings: answers, ignore = [] }: ImportOptions,
): void {
  const { layout } = notation;
  const add = (found: readonly RowWithProblem[]) => {
    for (const [parsed, problem] of found) parsed?.problems.push(problem);
  };
  skipAnswered(parsedRows, answers);
  settleNamed(parsedRows, data, notation);
  markSkipped(parsedRows, answers, layout.bank !== undefined, ignore.length === 0);
  add(misreadRows(parsedRows, data, notation));
  const balanced = parsedRows.flatMap((parsed) =>
    isValidRow(parsed) && parsed.balance !== undefined
      ? [{ ...balanceOf(parsed), parsed, balance: parsed.balance }]
      : [],
  );
  const isDebt = isReversed(balanced);
  if (isDebt && layout.bank && layout.columns.moneyIn !== undefined) {
    for (const { parsed } of balanced) parsed.problems.push(againstBalance(parsed, layout));
    return;
  }
  // The balance of a card is a debt.
  if (isDebt) for (const { parsed, balance } of balanced) parsed.balance = 0 - balance;
  const isProved = signOfBalances(parsedRows.filter(isValidRow).map(balanceOf)) !== undefined;
  if (isProved && !isKnownTable(layout)) add(openings(parsedRows.filter(isValidRow), data, answers));
  if (!layout.isExact && !isProved) {
    const cells = new Map(data.map((row) => [row.row, row.cells.join('\n')]));
    markRelations(parsedRows, answers, {
      isSpent: layout.isPositiveSpent || layout.bank !== undefined,
      isOfBank: layout.bank !== undefined,
      cellsOf: (row) => cells.get(row) ?? '',
    });
  }
  add(contradictions(balanced, layout));
}

/** Rows whose amounts may be wrong: the file is cut, cells are shifted, or a comma has two meanings. */
function misreadRows(
  parsedRows: readonly ParsedRow[],
  data: readonly TableRow[],
  { layout, decimal }: AmountNotation,
): RowWithProblem[] {
  const found = (index: number, message: string): RowWithProblem => [
    parsedRows[index],
    { column: '', value: data[index]?.cells.join(' ') ?? '', message },
  ];
  const cut = cutEnd(data, layout, decimal);
  const isCut = cut !== undefined && parsedRows.at(-1)?.skipReason === undefined;
  const message = `The file seems to be cut: its last row has no line end, and ${cut}. Download it again.`;
  return [
    ...(isCut ? [found(data.length - 1, message)] : []),
    ...[...brokenBorders(data, layout)].map(([index, text]) => found(index, text)),
    ...(decimal === '.' ? openDecimals(parsedRows, data, layout) : []),
  ];
}

/** A row at an end of the list that makes the whole balance, and lacks a text that all other rows have: no balance before it says that it is a payment. */
function openings(
  rows: readonly ValidRow[],
  data: readonly TableRow[],
  answers: ImportOptions['rowMeanings'] = {},
): RowWithProblem[] {
  const cells = new Map(data.map((each) => [each.row, each.cells]));
  const lacksText = (row: number) => {
    const others = rows.flatMap((other) => (other.row === row ? [] : [cells.get(other.row) ?? []]));
    const isMissing = (text: string, at: number) => text === '' && others.every((other) => other[at]);
    return others.length > 1 && cells.get(row)?.some(isMissing);
  };
  return [...rows.slice(0, 1), ...rows.slice(-1)].flatMap((parsed): RowWithProblem[] => {
    const { row, description, balance } = parsed;
    if (balance !== signedPence(parsed) || answers[row] !== undefined || !lacksText(row)) return [];
    const message = 'It makes the whole balance: a balance that is carried over, or a payment?';
    return [[parsed, { field: 'amount', column: '', value: description, message, option: 'rowMeanings' }]];
  });
}

/** Rows whose balance moves against their amounts, unless all balances do: then they are of a debt. The rows of one day may be in any order. */
function contradictions(
  balanced: readonly { parsed: ValidRow; pence: number; balance: number }[],
  layout: Layout,
): RowWithProblem[] {
  const { reversed, others } = reversedRows(balanced);
  if (others === 0) return [];
  const days = new Map<string, number>();
  for (const { parsed } of balanced) days.set(parsed.date, (days.get(parsed.date) ?? 0) + 1);
  return reversed.flatMap(({ parsed }): RowWithProblem[] =>
    days.get(parsed.date) === 1 ? [[parsed, againstBalance(parsed, layout)]] : [],
  );
}

const balanceOf = (parsed: ValidRow) => ({
  day: parsed.date,
  pence: signedPence(parsed),
  balance: parsed.balance,
});

function againstBalance({ type = 'income', texts }: ParsedRow, { header, columns }: Layout): RowProblem {
  const { amount, amountPence, moneyIn, moneyOut, balance } = columns;
  const index = amount ?? amountPence ?? (type === 'income' ? moneyIn : moneyOut);
  const [column, other] = [index, balance].map((at) => header[at ?? -1] || 'the amount');
  const text = texts().amount;
  const rises = type === 'income' ? 'falls' : 'rises';
  const message = `The row contradicts itself: ${quotedEvidence({ column: `${column}`, text })} says ${type}, and ${other} ${rises} by it.`;
  return { field: 'type', column: `${column}`, value: text, message };
}

const SHORT_SHARE = 10;

/** Rows with shifted cells: a delimiter is missing, or is part of an amount. */
function brokenBorders(data: readonly TableRow[], { header, columns }: Layout): Map<number, string> {
  const found = new Map<number, string>();
  const needed = Math.max(...moneyColumns(columns), columns.balance ?? -1);
  const short = data.flatMap(({ raw }, index) => (raw.length > 1 && raw.length <= needed ? [index] : []));
  const isNone = data.every(({ raw }) => raw.length <= Math.max(...moneyColumns(columns)));
  if (isNone || short.length === 1 || short.length < data.length / SHORT_SHARE) {
    const message = `The row has fewer cells than the header (${header.length}); a delimiter may be missing.`;
    if (data.length > 2 && header.length > 0) for (const index of short) found.set(index, message);
  }
  const split = moneyColumns(columns).flatMap((at) =>
    [false, true].flatMap((isWhole) => splitAmounts(data, at, isWhole)),
  );
  for (const index of split)
    found.set(index, 'The amount may go on in the next cell; put an amount with a delimiter in quotes.');
  return found;
}

/** The rows whose amount may go on in the next cell, as whole pounds or with pence. A number of its own may follow whole pounds, unless no other row has one. */
function splitAmounts(data: readonly TableRow[], at: number, isWhole: boolean): number[] {
  const end = isWhole ? /^\d{3}$/ : /^\d{3}\.\d\d$/;
  const isSplit = ({ cells, isOfSheet }: TableRow) =>
    !isOfSheet && /^-?£?\d{1,3}$/.test(cells[at] ?? '') && end.test(cells[at + 1] ?? '');
  const split = data.flatMap((row, index) => (isSplit(row) ? [index] : []));
  const isCertain = !isWhole && split.some((index) => data[index]?.cells[at + 1]?.startsWith('0'));
  const others = data.filter((row) => !isSplit(row) && !isBlankAmount(row.cells[at] ?? ''));
  const isUsual = ({ cells }: TableRow) => (isWhole ? !cells[at + 1] : /\.\d\d\D*$/.test(cells[at] ?? ''));
  return isCertain || (others.length > 0 && others.every(isUsual)) ? split : [];
}

/** `1,234` is a thousand, unless other amounts have a comma before their pence, or no amount shows what a comma is. */
function openDecimals(
  parsedRows: readonly ParsedRow[],
  data: readonly TableRow[],
  { columns, header }: Layout,
): RowWithProblem[] {
  const money = moneyColumns(columns);
  const amounts = data
    .flatMap(({ cells }) => money.map((at) => cells[at] ?? ''))
    .filter((text) => /[1-9]/.test(text));
  const pence = data.find(({ cells }) => money.some((at) => /^[^.]*\d,\d{1,2}\D*$/.test(cells[at] ?? '')));
  if (
    !pence &&
    (amounts.length < 2 || !amounts.every((text) => /^[^.\d£]*\d{1,3},\d{3}[^.\d£]*$/.test(text)))
  )
    return [];
  const message = pence
    ? `In row ${pence.row} a comma stands before the pence, so that this can be two amounts.`
    : 'Each amount has a comma before three digits, so that this can be two amounts.';
  return data.flatMap(({ cells }, index): RowWithProblem[] => {
    const at = money.find((each) => /^[^.\d]*\d{1,3},\d{3}[^.\d]*$/.test(cells[each] ?? ''));
    if (at === undefined) return [];
    const [column, value] = [header[at] ?? '', cells[at] ?? ''];
    return [[parsedRows[index], { field: 'amount', column, value, message, option: 'decimal' }]];
  });
}

/** The part that only the last row lacks, if the file ends within it. */
function cutEnd(
  data: readonly TableRow[],
  { header, values }: Layout,
  decimal: DecimalMark,
): string | undefined {
  const last = data.at(-1);
  if (!last?.isUnended) return undefined;
  const others = data.slice(0, -1).filter(({ raw }) => raw.length > 1);
  if (others.length === 0) return undefined;
  if (others.every(({ raw }) => raw.length > last.raw.length)) return 'fewer cells than all others';
  // Only the cell where the file ends can be cut.
  const end = last.raw.length - 1;
  const isEmpty = last.cells[end] === '' && others.every(({ cells }) => (cells[end] ?? '') !== '');
  if (!values.has(end) && isUnknownStatus(header[end] ?? '', last.cells[end] ?? '', isEmpty))
    return 'no whole status';
  const decimals = decimalsOf(last.cells[end] ?? '', decimal);
  const before = others
    .filter(({ raw }) => raw.length === last.raw.length)
    .map(({ cells }) => decimalsOf(cells[end] ?? '', decimal))
    .filter((count) => count !== undefined);
  const isCut = decimals !== undefined && before.length > 0 && before.every((count) => count > decimals);
  return isCut ? 'fewer decimals than all others' : undefined;
}

/** Undefined for a text that is no number. */
function decimalsOf(text: string, decimal: DecimalMark): number | undefined {
  const [whole = '', fraction = '', ...others] = text.split(decimal);
  return others.length === 0 && /^[-+(£]*\d[\d,. ]*$/.test(whole) && /^\d*\)?$/.test(fraction)
    ? fraction.replace(')', '').length
    : undefined;
}
