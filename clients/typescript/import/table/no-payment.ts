/** Rows of a table that are no payment: repeated headers, payments that did not happen, balances, totals, headings and notes. */

import { meaningOf } from '../columns/chosen-columns.ts';
import { isSubheader } from '../columns/headings.ts';
import { type Columns, isKnownTable, type Layout, moneyColumns } from '../columns/layout.ts';
import { headerKey, type TableRow } from '../files/cells.ts';
import { ImportError } from '../import-error.ts';
import type { ImportOptions } from '../options.ts';
import type { CellProblem, NamedAs, ParsedFile, ParsedRow } from '../rows/parsed-row.ts';
import { isBlankAmount } from '../values/amounts.ts';
import { hasHappened, isStateName, movedNothing } from '../values/states.ts';
import { BALANCE, hasBalance, hasTotal, isBalance, isOnlyTotal, isTotal } from '../values/total-texts.ts';
import type { CellOf } from './signed-amount.ts';

/** The columns of states, with their keys. A person has settled the others. */
export function stateColumns(layout: Layout): [index: number, key: string][] {
  const { header, columns, values } = layout;
  const keys = header.map(headerKey);
  const isState = (key: string, index: number) =>
    index === columns.status || (!isKnownTable(layout) && isStateName(key));
  return keys.flatMap((key, index) => (isState(key, index) && !values.has(index) ? [[index, key]] : []));
}

/** The reason why a person has said that such a row is no payment. */
export function reasonByAnswer(
  { row }: TableRow,
  { header, values, headings }: Layout,
  cell: CellOf,
): string | undefined {
  for (const [index, chosen] of values) {
    if (meaningOf(chosen, cell(index)) === 'skip') return `${header[index]} is ${cell(index) || 'empty'}.`;
  }
  const heading = headings.get(row);
  return heading?.meaning === 'skip' ? `It is below "${heading.text}".` : undefined;
}

/** The reason why the row is no payment. @param date of the row, if readable */
export function reasonToSkip(
  { cells }: TableRow,
  layout: Layout,
  states: ReturnType<typeof stateColumns>,
  cell: CellOf,
  date: string | undefined,
): string | undefined {
  const { bank, header, columns } = layout;
  const isHeader = () => header.every((name, index) => headerKey(cell(index)) === headerKey(name));
  if (date === undefined && header.length > 0 && isHeader()) {
    return 'This is the header again.';
  }
  const state = cell(columns.only);
  if (bank?.only && state.toUpperCase() !== bank.only.value) {
    return `${bank.only.column} is ${state === '' ? 'empty' : state}, not ${bank.only.value}.`;
  }
  const kind = cell(columns.moves);
  if (kind !== '' && bank?.moves?.values.includes(kind.toLowerCase())) {
    return `${bank.moves.column} is ${kind}, which only moves the money.`;
  }
  const not = states.find(
    ([index, key]) => (cells[index] || isStateName(key)) && hasHappened(cells[index] ?? '', key) === false,
  );
  if (not) return `${header[not[0]]} is ${cells[not[0]] ?? ''}.`;
  // Rows of a bank, and of an export of the ledger, happened in any case.
  if (!isKnownTable(layout)) {
    const type = cell(columns.type);
    if (movedNothing(type)) return `${header[columns.type ?? -1] ?? 'The type'} is ${type}.`;
  }
  const isMoney = () => hasMoneyCell(cell, columns);
  // In an unknown table a name does not decide about an amount.
  const named = bank || !isMoney() ? namedOf(cells, layout, cell, date) : undefined;
  if (named) return noPaymentReason(named.is);
  const isText = () => isSubheader(cells, moneyColumns(columns));
  return date === undefined && (!isMoney() || isText())
    ? 'There is neither a date nor an amount.'
    : undefined;
}

export const noPaymentReason = (named: NamedAs) => `This is a ${named}, not a transaction.`;

/** The name of a row by its texts, with their column. @param date of the row, if readable */
export function namedOf(
  cells: readonly string[],
  layout: Layout,
  cell: CellOf,
  date: string | undefined,
): { is: NamedAs; index: number } | undefined {
  const { columns, resolvedColumns } = layout;
  const found = (is: NamedAs, index: number) => (index === -1 ? undefined : { is, index });
  if (date !== undefined) {
    const isOfBalance = (text: string, at: number) =>
      BALANCE.test(text) && (columns.description.includes(at) || !resolvedColumns.has(at));
    return isKnownTable(layout) ? undefined : found('balance', cells.findIndex(isOfBalance));
  }
  const dateText = cell(columns.date);
  if (hasTotal(dateText)) return found('total', columns.date);
  const isOfTotal = (text: string) => isOnlyTotal(text) || (!/\d/.test(dateText) && isTotal(text));
  const total = found('total', cells.findIndex(isOfTotal));
  if (total) return total;
  if (isBalance(dateText)) return found('balance', columns.date);
  return dateText === ''
    ? found(
        'balance',
        cells.findIndex((text) => BALANCE.test(text)),
      )
    : undefined;
}

/** Whether a text in a status column is unknown: it may be cut. */
export function isUnknownStatus(name: string, text: string, isEmptyUnusual: boolean): boolean {
  const key = headerKey(name);
  if (!isStateName(key)) return false;
  return text === '' ? isEmptyUnusual : hasHappened(text, key) === undefined;
}

export const doubtOf = (named: NamedAs) => `This seems to be a ${named}, not a transaction.`;

/** The reason to doubt that a row with a date and an amount is a payment. */
export function doubtOfPayment(
  cells: readonly string[],
  layout: Layout,
  cell: CellOf,
): CellProblem | undefined {
  const { columns, resolvedColumns } = layout;
  if (isKnownTable(layout) || !hasMoneyCell(cell, columns)) return undefined;
  // A person who names the description says nothing about its texts.
  const isOpen = (at: number) => columns.description.includes(at) || !resolvedColumns.has(at);
  const doubt = (index: number | undefined, kind: NamedAs) => ({
    index,
    field: 'description' as const,
    option: 'rowMeanings' as const,
    message: doubtOf(kind),
  });
  const texts = columns.description.map(cell).filter((text) => text !== '');
  const isAbout = (is: (text: string) => boolean) => texts[0] !== undefined && is(texts[0]);
  const total = cells.findIndex((text, at) => isOpen(at) && isOnlyTotal(text));
  if (total !== -1) return doubt(total, 'total');
  const [index] = columns.description;
  if (isAbout(isTotal)) return doubt(index, 'total');
  const balance = cells.findIndex((text, at) => isOpen(at) && hasBalance(text));
  return isAbout(isBalance) || balance !== -1
    ? doubt(balance === -1 ? index : balance, 'balance')
    : undefined;
}

export function hasMoneyCell(cell: CellOf, columns: Columns): boolean {
  return moneyColumns(columns).some((index) => !isBlankAmount(cell(index)));
}

/**
 * The file, unless all of its rows are skipped, and one with an amount neither as a balance nor by an answer.
 * @throws ImportError `unreadable_file`
 */
export function requirePayments<File extends ParsedFile>(
  file: File,
  { rowMeanings, values }: ImportOptions,
): File {
  const isLost = ({ texts, skipReason }: ParsedRow) =>
    skipReason !== noPaymentReason('balance') && /[1-9]/.test(texts().amount);
  const isSkipped =
    !rowMeanings && !values && file.parsedRows.every(({ skipReason }) => skipReason !== undefined);
  const lost = isSkipped && file.parsedRows.find(isLost);
  if (!lost) return file;
  throw new ImportError('unreadable_file', `No row is a payment; row ${lost.row}: ${lost.skipReason}`);
}
