/** Columns of amounts that add up in each row: one is the sum of the others, each added or taken away. Names do not count. */

import type { TableRow } from '../files/cells.ts';
import type { DecimalMark, ImportOptions } from '../options.ts';
import { SINGLE_AMOUNTS } from '../questions-and-answers.ts';
import { isBlankAmount, penceOf } from '../values/amounts.ts';
import { isAmountText } from './cell-kinds.ts';
import { chosenColumns } from './chosen-columns.ts';
import { columnIndex, nameForOptions } from './column-names.ts';
import { type Columns, hasMoney, readColumns } from './layout.ts';
import { runningBalance } from './running-balance.ts';
import { usualColumns, withoutMoney } from './usual-columns.ts';

/** The number of ways grows by the factor 3 with each column. */
const SUMMED_COLUMNS_MAX = 8;

export interface ColumnSum {
  /** Its amount is the sum of the parts, in all rows. */
  check: number;
  /** The parts, in the order of the columns. `direction`: whether its amounts are added or taken away, all in all. */
  parts: { column: number; direction: 'in' | 'out' }[];
}

/**
 * The only way in which these columns add up in all rows, with the last of them as the sum. Columns without amounts say nothing.
 * @param check the sum, if it is known
 * @returns undefined if there is none, or more than one
 */
export function onlySum(
  rows: readonly TableRow[],
  candidates: readonly number[],
  decimal: DecimalMark,
  check?: number,
): ColumnSum | undefined {
  const columns = candidates.filter((index) => rows.some(({ cells }) => /[1-9]/.test(cells[index] ?? '')));
  if (columns.length > SUMMED_COLUMNS_MAX) return undefined;
  const amounts = rows.map(({ cells }) => columns.map((index) => penceOf(cells[index] ?? '', decimal)));
  const found = waysOf(columns.length).filter(
    (signs) =>
      (check === undefined
        ? signs.filter((sign) => sign !== 0).length > 2
        : signs[columns.indexOf(check)] !== 0) &&
      amounts.every((row) => row.reduce((sum, pence, at) => sum + pence * (signs[at] ?? 0), 0) === 0),
  );
  const [signs = []] = found;
  if (found.length !== 1) return undefined;
  const checkAt = check === undefined ? signs.findLastIndex((sign) => sign !== 0) : columns.indexOf(check);
  const isAdded = (at: number) =>
    amounts.reduce((sum, row) => sum - (signs[checkAt] ?? 0) * (signs[at] ?? 0) * (row[at] ?? 0), 0) >= 0;
  return {
    check: columns[checkAt] ?? -1,
    parts: columns.flatMap((column, at) =>
      at === checkAt || signs[at] === 0 ? [] : [{ column, direction: isAdded(at) ? 'in' : 'out' }],
    ),
  };
}

/** All signs of so many columns but for the opposite ones: the first that counts is added. */
function waysOf(count: number): number[][] {
  const all = Array.from({ length: count }).reduce<number[][]>(
    (ways) => ways.flatMap((signs) => [0, 1, -1].map((sign) => [...signs, sign])),
    [[]],
  );
  return all.filter((signs) => signs.find((sign) => sign !== 0) === 1);
}

/** The rows with an amount in one of the columns. */
export const rowsWithAmount = (rows: readonly TableRow[], indexes: readonly number[]): TableRow[] =>
  rows.filter(
    ({ cells, isHidden }) => !isHidden && indexes.some((index) => isAmountText(cells[index] ?? '')),
  );

/** The columns without text: each cell is an amount, zero or empty. */
export const amountColumns = (rows: readonly TableRow[], indexes: readonly number[]): number[] =>
  indexes.filter((index) => rows.every(({ cells }) => isAmountOrNone(cells[index] ?? '')));

const isAmountOrNone = (text: string) =>
  isBlankAmount(text) || isAmountText(text) || /^[£\d.,-]+$/.test(text);

/**
 * The options with the direction of each amount that is a part of the sum that a person chose. A column without amounts is no part of it.
 * @param below the rows below the header
 */
export function optionsWithPartsOfCheck(
  options: ImportOptions,
  header: readonly string[],
  below: readonly TableRow[],
): ImportOptions {
  const { map = {}, amounts = [], decimal = '.' } = options;
  if (!map.check) return options;
  const { keys, resolvedColumns } = chosenColumns(header, options);
  const indexOf = (name = '') => columnIndex(name, keys, header.length);
  const check = indexOf(map.check);
  if (check === undefined || check === -1) return options;
  const { moneyIn, moneyOut, amount, amountPence, ...others } = usualColumns(keys);
  const known = new Map<number | undefined, 'in' | 'out'>([
    ...([
      [moneyIn, 'in'],
      [moneyOut, 'out'],
      [indexOf(map.moneyIn), 'in'],
      [indexOf(map.moneyOut), 'out'],
    ] as const),
    ...amounts.flatMap(({ columns, direction }) =>
      columns.map((name) => [indexOf(name), direction] as const),
    ),
  ]);
  const read = readColumns(others);
  const isOpen = (index: number) =>
    !resolvedColumns.has(index) && !read.has(index) && withoutMoney(keys[index] ?? '') === undefined;
  const possible = header.flatMap((_, index) =>
    index === check || known.has(index) || isOpen(index) ? [index] : [],
  );
  const rows = rowsWithAmount(below, possible);
  const sum = onlySum(rows, amountColumns(rows, possible), decimal, check);
  const isKnown = ({ column, direction }: ColumnSum['parts'][number]) =>
    (known.get(column) ?? direction) === direction;
  if (!sum?.parts.every(isKnown)) return options;
  const parts = sum.parts
    .filter(({ column }) => !known.has(column))
    .map(({ column, direction }) => ({ columns: [nameForOptions(header, column)], direction }));
  return parts.length === 0 ? options : { ...options, amounts: [...amounts, ...parts] };
}

/**
 * The options with columns of amounts that the figures show, if no others are known:
 *
 * - The only column over which a running balance follows. Its direction may be open.
 * - Two columns of opposite names, such as In and Out, as money in and money out, if a balance follows or the signs say the same. The names
 *   alone are a question.
 */
export function optionsWithAmountOfFigures(
  options: ImportOptions,
  header: readonly string[],
  below: readonly TableRow[],
): ImportOptions {
  const { map = {}, amounts = [], decimal = '.' } = options;
  const { keys, resolvedColumns } = chosenColumns(header, options);
  const { balance: named, moneyIn: namedIn, moneyOut: namedOut, ...others } = usualColumns(keys);
  const balance = columnIndex(map.balance ?? '', keys, header.length) ?? named;
  const isMoneyKnown =
    hasMoney(others) ||
    (namedIn !== undefined && namedOut !== undefined) ||
    amounts.length > 0 ||
    MONEY.some((field) => map[field]);
  if (balance === -1 || isMoneyKnown) return options;
  const read = readColumns({ ...others, balance });
  const possible = header.flatMap((_, index) =>
    resolvedColumns.has(index) || read.has(index) || withoutMoney(keys[index] ?? '') ? [] : [index],
  );
  const rows = rowsWithAmount(below, possible);
  const date = columnIndex(map.date ?? '', keys, header.length) ?? others.date;
  const ofBalance = (money: Partial<Columns>) => {
    const columns = { ...money, balance, ...(date !== undefined && { date }) };
    return runningBalance(rows, { ...NO_LAYOUT, columns }, decimal, () => undefined);
  };
  const found = amountColumns(rows, possible);
  const pair = oppositesAmong(found, keys);
  if (pair && pair.moneyIn === (namedIn ?? pair.moneyIn) && pair.moneyOut === (namedOut ?? pair.moneyOut)) {
    const amountsOf = (index: number) =>
      rows.map(({ cells }) => penceOf(cells[index] ?? '', decimal)).filter((pence) => pence !== 0);
    const [received, paid] = [amountsOf(pair.moneyIn), amountsOf(pair.moneyOut)];
    const isSigned = received.every((pence) => pence > 0) && paid.every((pence) => pence < 0);
    if (!received.length || !paid.length || !(isSigned || ofBalance(pair).isAdded)) return options;
    const nameOf = (index: number) => nameForOptions(header, index);
    return {
      ...options,
      map: { ...map, moneyIn: nameOf(pair.moneyIn), moneyOut: nameOf(pair.moneyOut) },
    };
  }
  if (namedIn !== undefined || namedOut !== undefined) return options;
  const [amount, ...more] = found.filter((index) => ofBalance({ amount: index }).follows);
  if (amount === undefined || more.length > 0) return options;
  return { ...options, map: { ...map, unsigned: nameForOptions(header, amount) } };
}

const MONEY = [...SINGLE_AMOUNTS, 'moneyIn', 'moneyOut', 'check'] as const;
const NO_LAYOUT = { bank: undefined, header: [], firstRow: 0, resolvedColumns: new Set<number>() };

/** Words for money in, each with one for money out. */
const OPPOSITES = [
  ['in', 'out'],
  ['deposit', 'withdrawal'],
  ['lodgement', 'withdrawal'],
  ['deposits', 'payments'],
  ['lodgements', 'payments'],
  ['incoming', 'outgoing'],
] as const;

/** The only two columns whose names differ by such words alone. */
function oppositesAmong(
  columns: readonly number[],
  keys: readonly string[],
): { moneyIn: number; moneyOut: number } | undefined {
  const found = columns.flatMap((moneyIn) =>
    columns.flatMap((moneyOut) =>
      OPPOSITES.some(
        ([word, opposite]) =>
          keys[moneyIn]?.includes(word) && keys[moneyIn].replace(word, opposite) === keys[moneyOut],
      )
        ? [{ moneyIn, moneyOut }]
        : [],
    ),
  );
  return found.length === 1 ? found[0] : undefined;
}
