/** Rows that may be another row again: a total, a whole beside its parts, or the other side of a double entry. Names do not count. */

import { groupBy } from '../../group-by.ts';
import { signedPence } from '../../pounds.ts';
import { signOfBalances } from '../chain/sign-of-balances.ts';
import type { EntryType } from '../options.ts';
import type { Meaning } from '../questions-and-answers.ts';
import { isValidRow, type ParsedRow, type ValidRow } from './parsed-row.ts';

/** A whole has few parts. More rows may add up by chance. */
const SUMMED_ROWS_MAX = 12;

type AnswersByRow = Readonly<Record<number, Meaning>> | undefined;

/** Skips the rows that are no payments by the answer of a person. @param answers by the number of the row */
export function skipAnswered(parsedRows: readonly ParsedRow[], answers: AnswersByRow = {}): void {
  for (const parsed of parsedRows)
    if (answers[parsed.row] === 'skip') parsed.skipReason ??= 'An answer says that it is no payment.';
}

interface Relations {
  /** The file is of a bank or a card, or a list of costs: no agent pays out. */
  isSpent?: boolean;
  /** A bank writes no totals. A person may add one at an end. */
  isOfBank?: boolean;
  /** The texts of all columns of the row, read or not. */
  cellsOf?: (row: number) => string;
}

/**
 * Adds a problem to each such row that nobody has answered for.
 * @param answers by the number of the row
 */
export function markRelations(
  parsedRows: readonly ParsedRow[],
  answers: AnswersByRow = {},
  { isSpent = false, isOfBank = false, cellsOf = () => '' }: Relations = {},
): void {
  const ask = (parsed: ParsedRow, message: string) => {
    if (answers[parsed.row] !== undefined || parsed.problems.length > 0) return;
    const value = parsed.description;
    parsed.problems.push({ field: 'amount', column: '', value, message, option: 'rowMeanings' });
  };
  // A bank gives each payment an id, also to the two sides of a transfer.
  const withoutId = parsedRows.filter(({ reference }) => reference === undefined);
  const totalsOf = (rows: readonly ParsedRow[]) => [
    ...sumsOf(rows, answers, 'after', isSpent),
    ...sumsOf(rows.toReversed(), answers, 'before', isSpent),
  ];
  const rowsOfType = (type: EntryType) =>
    parsedRows.filter((parsed) => !isValidRow(parsed) || parsed.type === type);
  const read = parsedRows.filter(isValidRow);
  const totals = [
    ...totalsOf(parsedRows),
    ...(['income', 'expense'] as const).flatMap((type) => totalsOf(rowsOfType(type))),
  ];
  const relations = () => [
    ...totals,
    ...rowsThatAreSums(parsedRows),
    ...oppositesOf(withoutId),
    ...withoutBalance(read),
  ];
  const isAdded = (parsed: ParsedRow) =>
    parsed.reference === undefined && (parsed === read[0] || parsed === read.at(-1));
  const found = [
    ...repeatsOf(read, cellsOf),
    ...(isOfBank ? totals.filter(([parsed]) => isAdded(parsed)) : relations()),
  ];
  for (const [parsed, message] of found) ask(parsed, message);
}

type RelatedRow = [ParsedRow, string];

/** The sum of consecutive rows. */
class RunningSum {
  pence = 0;
  count = 0;
  /** The number of the first row. */
  first = 0;
  /** The balance above the rows, which is skipped. A total may include it. */
  opening = 0;

  add(parsed: ValidRow): void {
    if (this.count === 0) this.first = parsed.row;
    this.pence += signedPence(parsed);
    this.count++;
  }

  isOf(parsed: ParsedRow): boolean {
    return this.count > 1 && this.pence === signedPence(parsed);
  }

  isOfWithOpening(parsed: ParsedRow): boolean {
    return this.opening !== 0 && this.count > 0 && this.pence + this.opening === signedPence(parsed);
  }

  isTakenBackBy(parsed: ParsedRow): boolean {
    return this.count > 1 && this.pence > 0 && this.pence === -signedPence(parsed);
  }
}

/**
 * The sum of at least two rows before it, since the last total, line of text or beginning, or since the last line and over the totals. Or the
 * row pays out all that they brought in: an agent's payment to the landlord. A card that is paid in full brought nothing in.
 * @param side the rows of the sum: their order in the file may be the opposite one
 */
function sumsOf(
  parsedRows: readonly ParsedRow[],
  answers: NonNullable<AnswersByRow>,
  side: 'after' | 'before',
  isSpent: boolean,
): RelatedRow[] {
  const found: RelatedRow[] = [];
  let sinceTotal = new RunningSum();
  let sinceLine = new RunningSum();
  let dateBefore = '';
  for (const parsed of parsedRows) {
    if (!isValidRow(parsed)) {
      const isText = parsed.skipReason !== undefined && parsed.pence === undefined;
      if (isText) sinceLine = new RunningSum();
      if (isText || sinceTotal.isOf(parsed)) sinceTotal = new RunningSum();
      else if (
        side === 'after' &&
        sinceTotal.count === 0 &&
        (parsed.skipReason ?? parsed.named) !== undefined
      )
        sinceTotal.opening = signedPence(parsed);
      continue;
    }
    const isPaidOut =
      !isSpent &&
      parsed.reference === undefined &&
      sinceTotal.isTakenBackBy(parsed) &&
      parsed.date >= dateBefore;
    const isOfLine = sinceLine.isOf(parsed);
    const isTotal = sinceTotal.isOf(parsed) || sinceTotal.isOfWithOpening(parsed) || isOfLine;
    const rows = `row ${(isOfLine ? sinceLine : sinceTotal).first} and those ${side} it`;
    if (isPaidOut) found.push([parsed, `It takes back ${rows}: a payment to yourself, or another one?`]);
    else if (isTotal) found.push([parsed, `It is the sum of ${rows}: a total, or a payment?`]);
    if ((isTotal || isPaidOut) && answers[parsed.row] !== 'keep') {
      sinceTotal = new RunningSum();
      continue;
    }
    sinceTotal.add(parsed);
    sinceLine.add(parsed);
    dateBefore = parsed.date;
  }
  return found;
}

/** A row whose neighbours of its day add up to it. */
function rowsThatAreSums(parsedRows: readonly ParsedRow[]): RelatedRow[] {
  const read = parsedRows.filter(isValidRow);
  return read.flatMap((parsed, index): RelatedRow[] => {
    for (const step of [1, -1]) {
      let sum = 0;
      for (let count = 1; count <= SUMMED_ROWS_MAX; count++) {
        const part = read[index + step * count];
        if (!part || part.date !== parsed.date) break;
        sum += signedPence(part);
        if (count > 1 && sum === signedPence(parsed)) {
          const message = `The rows from it to row ${part.row} add up to it: a whole and its parts, or payments?`;
          return [[parsed, message]];
        }
      }
    }
    return [];
  });
}

/** Two rows that cancel each other: of a day, or of any days if each row has its opposite, as rents that are owed and paid. Both are named. */
function oppositesOf(parsedRows: readonly ParsedRow[]): RelatedRow[] {
  const open = new Map<string, ValidRow[]>();
  const found: RelatedRow[] = [];
  const read = parsedRows.filter(isValidRow);
  const amounts = read.map(signedPence).sort((a, b) => a - b);
  const all = new Set(amounts);
  const isEach =
    amounts.length > 2 && amounts.every((pence, index) => pence === -(amounts.at(-1 - index) ?? 0));
  for (const parsed of read) {
    if (parsed.pence === 0 || !all.has(-signedPence(parsed))) continue;
    const amountKey = (pence: number) =>
      `${isEach || parsed.date} ${pence} ${parsed.account} ${parsed.currency ?? ''}`;
    const other = open.get(amountKey(-signedPence(parsed)))?.shift();
    if (other) {
      const message = (row: number) => `It cancels row ${row}: two sides of one payment, or two payments?`;
      found.push([other, message(parsed.row)], [parsed, message(other.row)]);
      continue;
    }
    const key = amountKey(signedPence(parsed));
    const rows = open.get(key);
    if (rows) rows.push(parsed);
    else open.set(key, [parsed]);
  }
  return found;
}

/** A row again, with the same balance: or rows of several days again, right behind themselves, as where one export follows another. */
function repeatsOf(rows: readonly ValidRow[], cellsOf: CellsOf): RelatedRow[] {
  const known = new Map<string, ValidRow>();
  const withBalance = rows.flatMap((parsed): RelatedRow[] => {
    const { date, balance, description, account } = parsed;
    if (balance === undefined) return [];
    const key = JSON.stringify([date, signedPence(parsed), description, account, balance]);
    const other = known.get(key);
    known.set(key, parsed);
    if (other === undefined || other.statement !== parsed.statement || parsed.pence === 0) return [];
    return [[parsed, `It is row ${other.row} again, with the same balance: one payment, or two?`]];
  });
  return [...withBalance, ...blocksAgain(rows, cellsOf), ...copiesOf(rows, cellsOf)];
}

type CellsOf = NonNullable<Relations['cellsOf']>;

/** The whole content of a row, for comparison. */
const rowContent = ({ row, date, description, account, statement, ...parsed }: ValidRow, cellsOf: CellsOf) =>
  JSON.stringify([date, signedPence(parsed), description, account, statement, cellsOf(row)]);

const again = (row: number | undefined) => `It is row ${row} again, as others are: one payment, or two?`;

/** Fewer amounts may repeat: two equal flats have two equal rents. */
const COPIED_AMOUNTS_MIN = 3;

/** Rows of a file that has each row twice, or more often: the file may be in itself again, in any order. */
function copiesOf(rows: readonly ValidRow[], cellsOf: CellsOf): RelatedRow[] {
  const groups = [...groupBy(rows, (parsed) => rowContent(parsed, cellsOf)).values()];
  const times = Math.min(...groups.map(({ length }) => length));
  const amounts = new Set(rows.map(({ pence }) => pence));
  if (times < 2 || amounts.size < COPIED_AMOUNTS_MIN || groups.some(({ length }) => length % times))
    return [];
  return groups.flatMap(([first, ...others]) =>
    others.slice(others.length / times).map((parsed): RelatedRow => [parsed, again(first?.row)]),
  );
}

/** Of rows without a balance and an id. Where most rows are there again, payments repeat. Statements that overlap are asked about as such. */
function blocksAgain(rows: readonly ValidRow[], cellsOf: CellsOf): RelatedRow[] {
  const lastAt = new Map<string, number>();
  let day = { date: '', counts: new Map<string, number>() };
  /** How many rows before it each row is last there. */
  const distances = rows.map((parsed, index) => {
    const { date, balance, reference } = parsed;
    if (balance !== undefined || reference !== undefined) return 0;
    if (date !== day.date) day = { date, counts: new Map() };
    const text = rowContent(parsed, cellsOf);
    const count = (day.counts.get(text) ?? 0) + 1;
    day.counts.set(text, count);
    // The second of two equal rows of a day is there again only behind two.
    const key = `${count} ${text}`;
    const last = lastAt.get(key) ?? index;
    lastAt.set(key, index);
    return index - last;
  });
  const found: RelatedRow[] = [];
  for (let start = 0; start < rows.length; ) {
    const distance = distances[start] ?? 0;
    let end = start + 1;
    while (distance > 0 && distances[end] === distance) end++;
    if (distance > 0 && end - start >= distance) {
      for (const [offset, parsed] of rows.slice(start, end).entries()) {
        const { row } = rows[start + offset - distance] as ValidRow;
        found.push([parsed, again(row)]);
      }
    }
    start = end;
  }
  return found.length * 2 > rows.length ? [] : found;
}

/** Balances that follow do not say that a row outside of them happened. */
function withoutBalance(rows: readonly ValidRow[]): RelatedRow[] {
  const has = rows.map(({ balance }) => balance !== undefined);
  const within = rows.slice(Math.max(0, has.indexOf(true)), has.lastIndexOf(true) + 1);
  const others = rows.filter((row) => !within.includes(row));
  const balances = within.map((row) => ({ day: row.date, pence: signedPence(row), balance: row.balance }));
  const isEach = within.every(({ balance }) => balance !== undefined) && within.length > others.length;
  if (!isEach || signOfBalances(balances) === undefined) return [];
  const message = 'It has no balance, unlike all others: it may not have happened yet.';
  return others.map((parsed): RelatedRow => [parsed, message]);
}
