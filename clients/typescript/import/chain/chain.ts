/** The chain of a statement: each balance must follow from the previous one and the payments between them. */

import { pounds } from '../../pounds.ts';
import type { AccountStatement, Balance } from '../result.ts';
import { type BalanceStep, ordered, startOfFirst } from './day-order.ts';

/** `unchecked` is weaker than `holds`: nothing contradicts the statement, but a missing row might not be noticed. */
export type BalanceState = 'holds' | 'broken' | 'unchecked';

export interface ChainBreak {
  /** The row of the balance; undefined for the closing balance. */
  row: number | undefined;
  /** The last row before it that has a balance. Undefined: the opening balance. */
  after: number | undefined;
  /** In signed pence: the sum of the missing payments between the two. */
  missing: number;
  message: string;
}

export interface Chain {
  account: string;
  state: BalanceState;
  breaks: ChainBreak[];
  /** Sentences about the parts that could not be checked. */
  unchecked: string[];
  /** The balances before the first row and after the last one, from the file or from its rows, if known. */
  opening?: Balance;
  closing?: Balance;
}

interface BalanceItem {
  row: number;
  date: string | undefined;
  /** The signed pence; undefined for a row that cannot be read. */
  pence: bigint | undefined;
  balance: bigint | undefined;
}

interface Walk {
  breaks: { row: number | undefined; after: number | undefined; missing: bigint }[];
  /** The number of balances that were compared with the previous one. */
  compared: number;
  /** The rows without a balance that are not between two balances. */
  loose: number[];
  opening: bigint | undefined;
  closing: bigint | undefined;
}

/**
 * The rows can be in either order, and the rows of a day in any order: the order with the fewest breaks counts. A missing row at an end of
 * the file is noticed if the file has the balance there, otherwise by `continuity`.
 */
export function chainOf(statement: AccountStatement): Chain {
  const { account, rows } = statement;
  const items = itemsOfStatement(statement);
  const walk = bestWalk(items, statement);
  const isRunning = walk.compared < COMPARED_MIN || walk.breaks.length < walk.compared || hasEnds(statement);
  const breaks = isRunning ? walk.breaks.map(chainBreak) : [];
  const unchecked = uncheckedOf(statement, walk, isRunning);
  const dates = rows.map(({ date }) => date).sort();
  // Rows of one day that add up to 0 can begin with any of their balances.
  const isCircle =
    dates[0] === dates.at(-1) && !hasEnds(statement) && rows.reduce((sum, { pence }) => sum + pence, 0) === 0;
  const hasFound = isRunning && !isCircle;
  const end = (given: Balance | undefined, found: bigint | undefined, date: string | undefined) =>
    given ??
    (hasFound && found !== undefined && date !== undefined ? { date, pence: Number(found) } : undefined);
  const opening = end(statement.opening, walk.opening, dates[0]);
  const closing = end(statement.closing, walk.closing, dates.at(-1));
  return {
    account,
    state: breaks.length > 0 ? 'broken' : unchecked.length > 0 ? 'unchecked' : 'holds',
    breaks,
    unchecked,
    ...(opening && { opening }),
    ...(closing && { closing }),
  };
}

/** A single mistake breaks the chain at fewer places. A balance of another kind, such as a tenant's debt, follows nowhere. */
const COMPARED_MIN = 5;

const hasEnds = ({ opening, closing }: AccountStatement) => opening !== undefined || closing !== undefined;

/** The rows of the statement, readable or not, in the order of the file. */
function itemsOfStatement({ rows, unreadableRows }: AccountStatement): BalanceItem[] {
  const read = rows.map(({ row, date, pence, balance }) => ({
    row,
    date,
    pence: BigInt(pence),
    balance: balance === undefined ? undefined : BigInt(balance),
  }));
  const others = unreadableRows.map(({ row, date }) => ({ row, date, pence: undefined, balance: undefined }));
  return [...read, ...others].sort((one, two) => one.row - two.row);
}

function bestWalk(items: readonly BalanceItem[], statement: AccountStatement): Walk {
  const dates = statement.rows.map(({ date }) => date);
  const [first = '', last = ''] = [dates[0], dates.at(-1)];
  const orders = [...(first <= last ? [items] : []), ...(first >= last ? [items.toReversed()] : [])];
  let best: Walk | undefined;
  for (const order of orders) {
    for (const walked of [walkRows, walkDays]) {
      const walk = walked(order, statement);
      if (walk.breaks.length === 0) return walk;
      if (!best || walk.breaks.length < best.breaks.length) best = walk;
    }
  }
  return best as Walk;
}

function walkRows(items: readonly BalanceItem[], statement: AccountStatement): Walk {
  const walker = walkerFrom(statement);
  for (const item of items) walker.take(item);
  return walker.finish();
}

/** Checks day after day. A day with a row without a balance keeps the order of the file; a day with an unreadable row cannot be checked. */
function walkDays(items: readonly BalanceItem[], statement: AccountStatement): Walk {
  const walker = walkerFrom(statement);
  const days = itemsByDay(items);
  for (const [index, day] of days.entries()) {
    const unreadable = day.find(({ pence }) => pence === undefined);
    const steps = stepsOf(day);
    if (unreadable) {
      // Its position in the day is unknown.
      walker.take(unreadable);
      for (const item of day) walker.skip(item);
    } else if (!steps) for (const item of day) walker.take(item);
    else {
      const balance = walker.balance();
      const isOfDay = steps.some(({ before, after }) => before === balance || after === balance);
      const start = balance !== undefined && isOfDay ? balance : startOfFirst(stepsFrom(days, index));
      const byRow = new Map(day.map((item) => [item.row, item]));
      const startOfNext = () => startOfFirst(stepsFrom(days, index + 1));
      for (const { row } of ordered(steps, start, startOfNext)) walker.take(byRow.get(row) as BalanceItem);
    }
  }
  return walker.finish();
}

function* stepsFrom(days: readonly BalanceItem[][], first: number): Generator<BalanceStep[]> {
  for (let index = first; index < days.length; index++) {
    const steps = stepsOf(days[index] ?? []);
    if (!steps) return;
    yield steps;
  }
}

/** Undefined if a row has no balance. */
function stepsOf(day: readonly BalanceItem[]): BalanceStep[] | undefined {
  const steps: BalanceStep[] = [];
  for (const { row, pence, balance } of day) {
    if (pence === undefined || balance === undefined) return undefined;
    steps.push({ row, before: balance - pence, after: balance });
  }
  return steps;
}

/** A row without a date may belong to the day before or after it. */
function itemsByDay(items: readonly BalanceItem[]): BalanceItem[][] {
  const days = new Map<string, BalanceItem[]>();
  const add = (date: string, item: BalanceItem) => {
    const day = days.get(date);
    if (day) day.push(item);
    else days.set(date, [item]);
  };
  let before: string | undefined;
  let undated: BalanceItem[] = [];
  for (const item of items) {
    if (item.date === undefined) {
      if (before !== undefined) add(before, item);
      undated.push(item);
      continue;
    }
    for (const each of undated) if (before !== item.date) add(item.date, each);
    undated = [];
    before = item.date;
    add(before, item);
  }
  return [...days].sort(([one], [two]) => (one < two ? -1 : 1)).map(([, day]) => day);
}

/** Checks the rows in an order, from the opening balance to the closing one. */
function walkerFrom({ opening, closing }: AccountStatement) {
  const walk: Walk = { breaks: [], compared: 0, loose: [], opening: undefined, closing: undefined };
  let balance = opening && BigInt(opening.pence);
  let after: number | undefined;
  let open: BalanceItem[] = [];
  let isAllRead = true;
  const compare = (row: number | undefined, before: bigint) => {
    walk.compared++;
    if (balance !== undefined && balance !== before)
      walk.breaks.push({ row, after, missing: before - balance });
  };
  const sumOf = (items: readonly BalanceItem[]) => items.reduce((sum, { pence = 0n }) => sum + pence, 0n);
  const leaveOpen = () => {
    walk.loose.push(...open.map(({ row }) => row));
    open = [];
  };
  return {
    balance: () => balance,
    take(item: BalanceItem) {
      if (item.pence === undefined) {
        leaveOpen();
        balance = undefined;
        isAllRead = false;
      } else if (item.balance === undefined) {
        open.push(item);
        if (balance !== undefined) balance += item.pence;
      } else {
        const before = item.balance - item.pence;
        if (balance !== undefined) compare(item.row, before);
        else {
          if (isAllRead) walk.opening = before - sumOf(open);
          leaveOpen();
        }
        open = [];
        balance = item.balance;
        after = item.row;
      }
    },
    /** A row of a day that cannot be checked. */
    skip({ row, pence }: BalanceItem) {
      if (pence !== undefined) walk.loose.push(row);
    },
    finish(): Walk {
      if (closing && balance !== undefined) compare(undefined, BigInt(closing.pence));
      else {
        if (closing && isAllRead) walk.opening = BigInt(closing.pence) - sumOf(open);
        leaveOpen();
      }
      walk.closing = balance;
      return walk;
    },
  };
}

function chainBreak({ row, after, missing }: Walk['breaks'][number]): ChainBreak {
  const what = row === undefined ? 'The closing balance' : `Row ${row}`;
  const rows = row === undefined ? 'the opening balance and the rows' : 'the opening balance';
  const from = after === undefined ? rows : `row ${after}`;
  const message = `${what} does not follow from ${from}: ${pounds(missing)} is missing.`;
  return { row, after, missing: Number(missing), message };
}

const ROWS_NAMED = 10;

function uncheckedOf(statement: AccountStatement, { loose }: Walk, isRunning: boolean): string[] {
  const { rows, unreadableRows, opening, closing } = statement;
  const sentences: string[] = [];
  if (unreadableRows.length > 0) {
    sentences.push(
      `${rowsInWords(unreadableRows.map(({ row }) => row))} cannot be read, and the chain cannot pass what cannot be read.`,
    );
  }
  if (!isRunning) {
    return [
      ...sentences,
      'No row follows from the one before it: the balances of the file are not what the account has after each row.',
    ];
  }
  const hasBalances = rows.some(({ balance }) => balance !== undefined);
  if (!hasBalances && !(opening && closing)) {
    const known = opening ? 'only the balance before its rows' : 'only the balance after its rows';
    const what = opening || closing ? known : 'no balances';
    sentences.push(`The file has ${what}: whether one of its rows is missing cannot be seen in it.`);
  } else if (loose.length > 0) {
    const them = rowsInWords(loose.toSorted((one, two) => one - two));
    sentences.push(
      `${them} ${loose.length === 1 ? 'is' : 'are'} not between two balances: nothing follows from ${loose.length === 1 ? 'it' : 'them'}.`,
    );
  }
  return sentences;
}

/** `Row 3`, `Rows 3, 4 and 5`, `Rows 3, 4, … and 90 more`. */
function rowsInWords(rows: readonly number[]): string {
  const shown = rows.slice(0, ROWS_NAMED).map(String);
  if (rows.length > ROWS_NAMED) shown.push(`${rows.length - ROWS_NAMED} more`);
  const last = shown.pop();
  return shown.length === 0 ? `Row ${last}` : `Rows ${shown.join(', ')} and ${last}`;
}
