/** Payments that may be one: their resemblance, and the answers of a person. */

import { dayAfter, daysBetween, periodFromTo, widened } from '../days.ts';
import { groupBy } from '../group-by.ts';
import type { Source } from '../resources.ts';
import type { AfterClosing, ClosingBefore } from './after-closing.ts';
import { asStored } from './compared-parts.ts';
import { type Decisions, pairKey, recordIdOf } from './decision.ts';
import { mayBeSameAccount, originOf, prefixOf, type StoredRow } from './origin.ts';
import {
  type CompareOptions,
  type Edge,
  factKey,
  hasFacts,
  idsOf,
  isNear,
  isOfFileOf,
  type Payment,
  repetition,
  storedFacts,
} from './payments.ts';
import { DAYS_APART_MAX, type PaymentFacts, type Repetition, type Row } from './row.ts';
import type { StoredEntry } from './stored-books.ts';

/** A row, and the record that it may be. */
export interface Pair {
  row: Row;
  /** The stored row, or the row of another file as if it was stored. */
  storedRow: StoredRow;
  /** The row of another file, if the books do not have it. */
  other?: Row;
}

/** Finds the payments that may be one, and applies the decisions. A joined payment leaves the set. @returns the pairs of each question */
export function questionsOf(
  payments: Set<Payment>,
  { decisions, all }: CompareOptions,
  closingBefore: ClosingBefore,
) {
  const repeated: Repetition[] = [];
  const into = new Map<Payment, Payment>();
  /** Payments about which two answers contradict each other stay open. */
  const contradicted = new Set<Payment>();
  const answerTo = ({ one: { rows }, other }: Edge) => {
    if (decisions.size === 0) return undefined;
    const row = rows[0] as Row;
    // An answer about two rows is about both.
    const keys = [
      ...idsOf(other).map((id) => pairKey(row, id)),
      ...other.rows.map((each) => pairKey(each, recordIdOf(row))),
    ];
    return keys.map((key) => decisions.get(key)).find((answer) => answer !== undefined);
  };
  const isFull = ({ one, other }: Edge) => one.rows.some((row) => isOfFileOf(into.get(other) ?? other, row));
  const join = ({ one, other: named }: Edge) => {
    const other = into.get(named) ?? named;
    into.set(one, other);
    payments.delete(one);
    if (other.rows.length > 0) repeated.push(...one.rows.map((row) => repetition(row, other)));
    else if (other.storedRow) other.parts = asStored(one.rows[0] as Row, other.storedRow, false);
    other.rows.push(...one.rows);
  };
  const edges = edgesOf(payments, decisions, closingBefore);
  for (const edge of edges) {
    if (answerTo(edge) !== 'same' || into.has(edge.one)) continue;
    // Of equal entries, an answer is about any one: the references of equal rows only count them.
    const isEqualEntry = (each: Edge) =>
      each.one === edge.one && !isFull(each) && isEqualStored(each.other, edge.other);
    const free = isFull(edge) ? edges.find(isEqualEntry) : edge;
    if (free) join(free);
    else contradicted.add(edge.one);
  }
  const isOpenPair = (edge: Edge) => {
    const answer = answerTo(edge) ?? (all === 'separate' ? all : undefined);
    if (into.has(edge.one) || answer === 'separate') return false;
    return answer === 'same' ? contradicted.has(edge.one) : !isFull(edge);
  };
  const open = equalFirst(edges.filter(isOpenPair), contradicted);
  const questions = components(open).filter((question) => {
    const [only, ...others] = question;
    const isOpen = others.length > 0 || !only || contradicted.has(only.one) || only.one.isAgainstBalance;
    const isDecided = all === 'same' && !isOpen;
    if (isDecided) join(only);
    return !isDecided;
  });
  return { questions, repeated };
}

const isEqualStored = ({ storedRow: one }: Payment, { storedRow: other }: Payment) =>
  one !== undefined &&
  other !== undefined &&
  one[0].source.id === other[0].source.id &&
  factKey(storedFacts(one)) === factKey(storedFacts(other));

/** The pairs of payments that resemble each other, or that a person has joined. */
function edgesOf(payments: ReadonlySet<Payment>, decisions: Decisions, closingBefore: ClosingBefore): Edge[] {
  const open = [...payments].filter(({ rows, storedRow }) => rows.length > 0 && !storedRow);
  if (open.length === 0) return [];
  const closingOf = withoutContradicted(open, closingBefore);
  const order = new Map([...payments].map((payment, index) => [payment, index]));
  const left = [...decisions].flatMap(([key, decision]) => (decision === 'same' ? [key] : []));
  const leftOf = groupBy(left, (key) => key.slice(0, key.lastIndexOf(' ')));
  const ids =
    left.length === 0 ? [] : [...payments].flatMap((each) => idsOf(each).map((id) => [id, each] as const));
  // Of two payments with one reference, the later one is joined with the first.
  const byId = new Map(ids.toReversed());
  const isOfFiles = new Set([...payments].flatMap(({ rows }) => rows.map(({ file }) => file))).size > 1;
  const { from = '', to = '' } = widened(periodFromTo(open.flatMap(({ rows }) => rows)), DAYS_APART_MAX);
  const byFact = new Map<string, Payment[]>();
  for (const payment of payments) {
    const { rows, storedRow } = payment;
    // Rows of one file are not compared with each other.
    if (rows.length > 0 && !isOfFiles) continue;
    const date = storedRow?.[0].stored.date ?? from;
    if (rows.length === 0 && (date < from || date > to)) continue;
    const facts = [...rows, ...(storedRow ? [storedFacts(storedRow)] : [])];
    for (const key of new Set(facts.flatMap((each) => factKeys(each, each.date)))) {
      const of = byFact.get(key);
      if (of) of.push(payment);
      else byFact.set(key, [payment]);
    }
  }
  return open.flatMap((one): Edge[] => {
    const [row] = one.rows as [Row];
    const joined = (left.length === 0 ? [] : (leftOf.get(pairKey(row, '').trimEnd()) ?? []))
      .flatMap((key) => byId.get(key.slice(key.lastIndexOf(' ') + 1)) ?? [])
      .filter((other) => other !== one);
    const isLike = (other: Payment) => {
      const { rows, storedRow } = other;
      if (other === one || !hasFacts(other, (facts) => isNear(row, facts))) return false;
      if (rows.length === 0) return storedRow !== undefined && mayBeEntry(row, storedRow, closingOf(row));
      // Of two payments without entries, the later one is asked about.
      const isEarlier = storedRow || (order.get(one) ?? 0) > (order.get(other) ?? 0);
      return isEarlier && rows.every((each) => mayBeRow(row, each, closingOf));
    };
    const keys = DAYS.flatMap((days) => factKeys(row, dayAfter(row.date, days)));
    const near = new Set(keys.flatMap((key) => byFact.get(key) ?? []));
    return [...new Set([...joined, ...[...near].filter(isLike)])].map((other) => ({ one, other }));
  });
}

/** The earlier statement lacks a row that its closing balance includes: then the balance is chance, and excludes nothing. */
function withoutContradicted(open: readonly Payment[], closingBefore: ClosingBefore) {
  const statementOf = ({ file, account }: Row) => `${file} ${account}`;
  const rows = open.flatMap(({ rows: [row] }) => row ?? []);
  const closings = new Map(
    rows.flatMap((row) => (closingBefore(row) ? [[statementOf(row), closingBefore(row)?.date]] : [])),
  );
  const isIncluded = (row: Row) => !closingBefore(row) && row.date <= (closings.get(statementOf(row)) ?? '');
  const contradicted = new Set(rows.filter(isIncluded).map(statementOf));
  return (row: Row) => (contradicted.has(statementOf(row)) ? undefined : closingBefore(row));
}

/** The amount and the description of a payment, on a day. */
const factKeys = (
  { pence, text, amounts = [pence] }: PaymentFacts & { amounts?: readonly number[] },
  day: string,
) => [...amounts.map((each) => `${day} ${each}`), ...(text === '' ? [] : [`${day} text ${text}`])];

const DAYS = Array.from({ length: 2 * DAYS_APART_MAX + 1 }, (_, index) => index - DAYS_APART_MAX);

/** Whether a row may be a row of another file, by the accounts and the balances of both. */
function mayBeRow(row: Row, other: Row, closingBefore: (row: Row) => AfterClosing | undefined): boolean {
  const isAfter = (later: Row, { account, date }: Row) => {
    const { isOfRun = false, unseenUntil, date: last } = closingBefore(later) ?? {};
    if (!isOfRun || later.account !== account || unseenUntil === undefined) return false;
    // Within the day of the balance, it separates the rows.
    return date <= unseenUntil || (date === last && later.date === last);
  };
  const isOneAccount = row.file !== other.file && mayBeSameAccount(row.account, other.account);
  return isOneAccount && !isAfter(row, other) && !isAfter(other, row);
}

/**
 * Whether a row may be a stored row, by the account and the source of both. The account has another name in files of another format, so that
 * a payment in another source is also one if only the date or the description differs.
 */
export function mayBeEntry(row: Row, storedRow: StoredRow, closing?: AfterClosing): boolean {
  const isHere = storedRow.some(({ source }) => row.sourceIds.includes(source.id));
  const { date } = storedRow[0].stored;
  const isBeforeClosing =
    closing?.unseenUntil !== undefined && date <= closing.unseenUntil && row.date > closing.date;
  if (isHere && !isBeforeClosing) return true;
  const origin = originOf(storedRow, row.account, { prefix: prefixOf(row), row });
  if (isBeforeClosing && origin === 'this') return false;
  const { pence, text } = storedFacts(storedRow);
  const isAlike = row.amounts.includes(pence) && (row.date === date || row.text === text);
  const isAnywhere = row.account !== '' || row.isSourceChosen;
  return isHere || origin === 'this' || (isAnywhere && (origin === 'unknown' || isAlike));
}

/** Makes pairs of as many rows as records with equal facts. These leave all other questions. */
function equalFirst(edges: readonly Edge[], contradicted: ReadonlySet<Payment>): Edge[] {
  const keyOf = ({ rows: [row] }: Payment) => factKey(row as Row);
  const isEqual = ({ one, other }: Edge) => hasFacts(other, (facts) => factKey(facts) === keyOf(one));
  const pairs = new Map<Payment, Payment>();
  const taken = new Set<Payment>();
  const columnOf = ({ one, other }: Edge) =>
    JSON.stringify([one.rows[0]?.file, other.rows[0]?.file ?? null, keyOf(one)]);
  const equal = edges.filter((edge) => !contradicted.has(edge.one) && isEqual(edge));
  for (const of of groupBy(equal, columnOf).values()) {
    const all = [...new Set(of.map(({ one }) => one))].filter((each) => !pairs.has(each));
    const records = [...new Set(of.map(({ other }) => other))].filter((each) => !taken.has(each));
    if (all.length !== records.length || of.length < all.length * records.length) continue;
    for (const [index, one] of all.entries()) {
      pairs.set(one, records[index] as Payment);
      taken.add(records[index] as Payment);
    }
  }
  return edges.filter(({ one, other }) => (pairs.has(one) ? pairs.get(one) === other : !taken.has(other)));
}

/** Pairs of payments that are connected. */
function components(edges: readonly Edge[]): Edge[][] {
  const rootOf = new Map<Payment, Payment>();
  const find = (payment: Payment): Payment => {
    let root = payment;
    for (let next = rootOf.get(root); next && next !== root; next = rootOf.get(root)) root = next;
    rootOf.set(payment, root);
    return root;
  };
  for (const { one, other } of edges) rootOf.set(find(one), find(other));
  return [...groupBy(edges, ({ one }) => find(one)).values()];
}

export function pairOf({ one, other }: Edge): Pair {
  const [row] = one.rows as [Row];
  if (other.storedRow) return { row, storedRow: other.storedRow };
  const [first] = other.rows as [Row];
  return { row, storedRow: asStoredRow(first), other: first };
}

/** A row as if it was stored, with its own id. */
export function asStoredRow(row: Row): StoredRow {
  const id = recordIdOf(row);
  const parts = row.parts.map((part): StoredEntry => {
    const { entry, source = { id: row.sourceIds[0] ?? '', name: row.file } } = part;
    const { category = null, description = null, externalRef = null } = entry;
    return { stored: { ...entry, id, category, description, externalRef }, source: source as Source };
  });
  return parts as unknown as StoredRow;
}

/** The pair to show for each row: the most alike one, and each record once while there is another one. */
export function shownPairs(edges: readonly Edge[]): Map<Payment, Pair> {
  const sorted = edges
    .map((edge) => ({ ...edge, pair: pairOf(edge) }))
    .sort((a, b) => byLikeness(a.pair, b.pair));
  const shown = new Map<Payment, Pair>();
  const used = new Set<Payment>();
  for (const isFirst of [true, false]) {
    for (const { one, other, pair } of sorted) {
      if (shown.has(one) || (isFirst && used.has(other))) continue;
      shown.set(one, pair);
      used.add(other);
    }
  }
  return shown;
}

/** The most alike record first: with the amount, then with the description, the nearest, and the earlier one. A payment is booked after it was pending. */
function byLikeness(one: Pair, two: Pair): number {
  const [a, b] = [one, two].map(({ row, storedRow }) => likeness(row, storedFacts(storedRow)));
  return compareLikeness(a ?? [], b ?? []);
}

export const likeness = (row: Row, { date, pence, text }: PaymentFacts): number[] => [
  (row.amounts.includes(pence) ? 0 : 2) + (text === row.text ? 0 : 1),
  ...[daysBetween(date, row.date), date <= row.date ? 0 : 1],
];

export const compareLikeness = (one: readonly number[], two: readonly number[]): number =>
  one.map((each, index) => each - (two[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
