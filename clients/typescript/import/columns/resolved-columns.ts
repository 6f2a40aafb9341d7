/** The rule of resolved columns: no money is read from an unresolved column, and no row is skipped beside one. */

import { cleanText, headerKey, type TableRow } from '../files/cells.ts';
import { ImportError, type ImportOptions } from '../options.ts';
import { isBlankAmount } from '../values/amounts.ts';
import { readDate } from '../values/dates.ts';
import { directionOf, wordsIn } from '../values/direction.ts';
import { chosenColumns, columnIndex } from './chosen-columns.ts';
import { directionDoubt } from './contradicted.ts';
import { type PartialLayout, readColumns } from './layout.ts';
import { expensesWithoutSign } from './unsigned-amounts.ts';
import { withoutMoney } from './usual-columns.ts';

const COLUMNS_SHOWN = 10;
const VALUES_SHOWN = 3;
const VALUE_LENGTH = 30;
const AMOUNT_LENGTH_MAX = 64;
/** Two amounts may be consecutive by chance. */
const RUNNING_MIN = 3;

/**
 * A column is resolved by the bank's layout, by an option, or by a name with one certain meaning that its values fit. A column with only
 * texts needs no resolving.
 * @throws ImportError `unresolved_columns` that names all unresolved columns, `unknown_column` for an ignored column that is missing
 */
export function requireResolved(
  table: readonly TableRow[],
  layout: PartialLayout,
  options: ImportOptions,
  titles: readonly string[],
): void {
  const { ignore = [], map = {} } = options;
  const { header, resolvedColumns } = layout;
  const rows = table.slice(layout.firstRow);
  const width = header.length || rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const keys = Array.from({ length: width }, (_, index) => headerKey(header[index] ?? ''));
  for (const name of ignore) {
    if (columnIndex(name, keys, width) !== -1) continue;
    const message = `There is no column "${name.slice(0, 100)}", which is to be left out.`;
    throw new ImportError('unknown_column', message, 'ignore');
  }
  const isDateChosen = layout.bank !== undefined || Boolean(map.date);
  const expenses = expensesWithoutSign(table, layout, titles);
  const read = chosenColumns(header, options).keys;
  const direction = directionDoubt(table, layout, read, options.decimal ?? '.', titles);
  const unresolved: number[] = [];
  const shown: string[] = [];
  for (const [index, key] of keys.entries()) {
    if (resolvedColumns.has(index)) continue;
    const found = doubtOf(rows, { index, key, isDateChosen, expenses, direction, layout });
    if (!found) continue;
    unresolved.push(index);
    const name = cleanText(header[index] ?? '').slice(0, VALUE_LENGTH);
    shown.push(
      `${name === '' ? `column ${index + 1}` : `"${name}"`} (${found.doubt}: ${examples(found.values)})`,
    );
  }
  if (unresolved.length === 0) return;
  const more = shown.length > COLUMNS_SHOWN ? `, and ${shown.length - COLUMNS_SHOWN} more` : '';
  const error = new ImportError(
    'unresolved_columns',
    `The file does not say for certain what these columns hold: ${shown.slice(0, COLUMNS_SHOWN).join(', ')}${more}; choose the columns to read and leave out the others.`,
    'map',
  );
  error.unresolved = unresolved;
  throw error;
}

const examples = (values: readonly string[]) =>
  values
    .slice(0, VALUES_SHOWN)
    .map((text) => cleanText(text).slice(0, VALUE_LENGTH).toWellFormed())
    .join(', ');

interface Column {
  index: number;
  key: string;
  isDateChosen: boolean;
  expenses: string | undefined;
  direction: string | undefined;
  layout: PartialLayout;
}

/** Why a column is not resolvedColumns, with the values that show it. */
function doubtOf(
  rows: readonly TableRow[],
  { index, key, isDateChosen, expenses, direction, layout: { bank, columns } }: Column,
): { doubt: string; values: string[] } | undefined {
  if (index === columns.date || index === columns.amountPence) return undefined;
  const textsOf = (some: readonly TableRow[]) => some.map(({ cells }) => cells[index] ?? '');
  const filled = rows.filter(({ cells }) => (cells[index] ?? '') !== '');
  const values = textsOf(filled);
  if (values.length === 0) return undefined;
  if ([columns.amount, columns.moneyIn, columns.moneyOut].includes(index)) {
    const amounts = values.filter((text) => !isBlankAmount(text));
    if (index === columns.amount && expenses !== undefined && amounts.length > 0) {
      return { doubt: `amounts without a sign beside "${expenses.slice(0, VALUE_LENGTH)}"`, values: amounts };
    }
    if (direction !== undefined && amounts.length > 0) return { doubt: direction, values: amounts };
    return isRunningNumber(amounts) || amounts.some(isCompactDate)
      ? { doubt: 'numbers', values: amounts }
      : undefined;
  }
  const kind = withoutMoney(key);
  const isOtherDate = ({ cells }: TableRow) => isOther(cells[index] ?? '', cells[columns.date ?? -1] ?? '');
  if (!isDateChosen && (kind === undefined ? filled.some(isOtherDate) : filled.every(isOtherDate))) {
    return { doubt: 'dates', values: textsOf(filled.filter(isOtherDate)) };
  }
  const isRead = readColumns(columns).has(index) && ![columns.category, columns.balance].includes(index);
  const words = wordsIn(values);
  if (!bank && columns.amount !== undefined && !isRead && words.length > 0 && words.every(directionOf)) {
    return { doubt: 'words for income and expense', values };
  }
  const amounts = kind === 'balance' ? [] : values.filter(DOUBTFUL_AMOUNT[kind ?? 'unknown']);
  if (amounts.length > 0) return { doubt: 'amounts', values: amounts };
  return kind === 'text' && values.every(isWholeNumber) ? { doubt: 'numbers', values } : undefined;
}

/** Values that do not fit a column of this kind. */
const DOUBTFUL_AMOUNT = {
  unknown: (text: string) => isAmount(text) || startsWithAmount(text),
  number: (text: string) => isAmount(text) && !isWholeNumber(text),
  text: (text: string) => isAmount(text) && !isWholeNumber(text),
};

const isWholeNumber = (text: string) => /^[\d ]+$/.test(text);

/** Any notation of a number other than 0 without other words: 895, 1,025.00, £12, 33.3333, (5) or 12 DR. No date and no time. */
function isAmount(text: string): boolean {
  if (text.length > AMOUNT_LENGTH_MAX || !/[1-9]/.test(text)) return false;
  return !/[\p{L}:/%#@]|\d-\d/u.test(text.replace(/GBP|CR|DR/gi, '')) && !isDate(text);
}

/** £895 pcm, 12.50 (late). */
function startsWithAmount(text: string): boolean {
  return /[1-9]/.test(text) && /^[-+(\s]*(?:[£$€]\s*\d|\d[\d,]*\.\d\d(?![\d.]))/.test(text);
}

/** Receipts are numbered, payments are not. */
function isRunningNumber(values: readonly string[]): boolean {
  const numbers = values.map((text) => (/^\d{1,15}$/.test(text) ? Number(text) : Number.NaN));
  const steps = numbers.slice(1).map((number, index) => number - (numbers[index] ?? Number.NaN));
  return numbers.length >= RUNNING_MIN && [1, -1].some((step) => steps.every((each) => each === step));
}

/** Numbers and amounts are no dates, though Excel writes a date as a number. */
function isDate(text: string): boolean {
  if (!/\d/.test(text) || /^\d+(?:[.,]\d{1,2})?$/.test(text)) return false;
  return ORDERS.some((order) => readDate(text, order) !== undefined);
}

/** Whether the text is a date of another day than the row's, in any order of day and month. */
function isOther(text: string, dateOfRow: string): boolean {
  return isDate(text) && !ORDERS.every((order) => readDate(text, order) === readDate(dateOfRow, order));
}

const ORDERS = ['dmy', 'mdy'] as const;

const isCompactDate = (text: string) => /^20\d{6}$/.test(text) && readDate(text, 'dmy') !== undefined;
