/**
 * The rule by which rows of files and entries of the books are one payment.
 *
 * 1. A payment has at most one row of each file, and one stored row: an entry, or the entries of a split. A file claims all payments of its
 *    account between its first and its last day. Files of one run are of one account, unless they name different ones.
 * 2. A reference decides first: a derived one is the hash of the row; the id of a bank counts if the date, and the amount or the description,
 *    agree. Else the reference is taken. An equal row that was stored before the account had its name is the same payment too.
 * 3. A row without an entry is left over. So is an entry without a row, and for one file a payment of another file. Two records that are
 *    left over resemble each other if they have one amount or one description, at most five days apart, and may be of one account. Then a
 *    person says whether they are one payment.
 * 4. Equal records come first: as many rows as entries with one day, amount and description are asked about in pairs. All others that
 *    resemble each other form one question. An answer joins or separates one pair, and the rest is matched again. Nobody answers for a
 *    question of several pairs by default.
 * 5. Balances are evidence. A row that follows the closing balance of an earlier statement is no payment of that statement.
 * 6. A row that resembles nothing is new. An entry that no row is, inside the claim of its account, is gone: see claims.ts.
 */
import { groupBy } from '../group-by.ts';
import type { Balance } from '../import/options.ts';
import { isDerivedFrom, referenceDeriver } from '../import/values/reference.ts';
import type { Source, Transaction } from '../resources.ts';
import { type AfterClosing, closingsBefore } from './after-closing.ts';
import { asQuestion, asStored } from './beside.ts';
import { byReferenceIn, type Named, partNumber, rowOfPart } from './by-reference.ts';
import { type Decision, type Decisions, pairKey } from './decision.ts';
import type { ComparedRow } from './match-status.ts';
import { mayBeSameAccount, originOf, prefixOf, type StoredRow } from './origin.ts';
import {
  DAYS_APART_MAX,
  type Facts,
  type LeftOutRow,
  type ReadFile,
  type Row,
  type RowPosition,
  sumOf,
} from './row.ts';
import { sameDescription } from './same-description.ts';
import { type Books, daysBetween, type StoredEntry } from './stored-books.ts';

/** The decisions of a person. */
export interface Decided {
  /** The source of entries without a source of their own. */
  source: Pick<Source, 'id'> | undefined;
  decisions: Decisions;
  /** The default decision for questions without one. `leave` decides about single pairs only. */
  all?: Decision | undefined;
  /** The kept closing balances, by account. */
  closings?: ReadonlyMap<string, Balance> | undefined;
}

export interface MatchInput extends Decided {
  files: readonly ReadFile[];
  rows: readonly Row[];
  leftOut: readonly LeftOutRow[];
  books: Books;
}

/**
 * - `same`: the row is stored, perhaps with other content or in another source.
 * - `new`: it is to be sent. `taken`: its reference belongs to another entry.
 * - `question`: it may be one of the others in `pairs`.
 */
export type Verdict = 'same' | 'new' | 'taken' | 'question';

/** Records that are one payment, or that may be. */
export interface Group {
  verdict: Verdict;
  /** Of a payment: its row in each file. Of a question: all of its rows. */
  rows: readonly Row[];
  stored: readonly StoredRow[];
  /** Of a question: which row may be which other record. */
  pairs: readonly Pair[];
}

/** A row, and the record that it may be. */
export interface Pair {
  row: Row;
  /** The stored entries, or the row of another file as if it was stored. */
  records: StoredRow;
  /** The row of another file, if the books do not have it. */
  other?: Row;
}

export interface Matched {
  groups: readonly Group[];
  /** Stored rows that no row is and that are in no question. */
  leftOver: readonly StoredRow[];
  /** The comparison of each entry, by `partKey`. */
  compared: ReadonlyMap<string, ComparedRow>;
  /** The entries of rows that are left out. */
  storedLeftOut: ReadonlyMap<LeftOutRow, readonly StoredEntry[]>;
  /** Rows that an earlier file has too. */
  repeated: readonly (RowPosition & { first: RowPosition })[];
  /** Equal rows of two files that do not name their accounts. Undefined if there are none. */
  unnamed: (RowPosition & { first: RowPosition }) | undefined;
}

export const partKey = ({ file, row, part = 0 }: RowPosition & { part?: number | undefined }): string =>
  `${row} ${part} ${file}`;

interface Payment {
  rows: [Row, ...Row[]];
  stored: StoredRow | undefined;
  parts: readonly ComparedRow[];
  isTaken: boolean;
  /** By the balance it is another payment than the equal one that the books have. */
  isDoubtful: boolean;
  /** A question in which two answers contradict each other stays open. */
  isOpen: boolean;
}

/** A record that a row may be: a stored row, or a payment of another file. */
interface Target {
  /** By which decisions name it: the id of its entry, and the references of its rows. */
  ids: readonly [string, ...string[]];
  facts: readonly Facts[];
  stored: StoredRow | undefined;
  payment: Payment | undefined;
  isUsed: boolean;
}

interface Edge {
  payment: Payment;
  target: Target;
}

export function match(input: MatchInput): Matched {
  const { rows, leftOut, books, source } = input;
  const wholeReferences = new Set(
    rows.flatMap(({ parts, reference }) =>
      parts.length === 1 && parts[0]?.part === undefined ? reference : [],
    ),
  );
  const named = byReferenceIn(books, wholeReferences, source?.id);
  const storedLeftOut = new Map(
    leftOut.map((each) => {
      const row = { ...each, reference: each.rowReference, text: sameDescription(each.description) };
      return [each, named.storedAnywhere(row).stored] as const;
    }),
  );
  const run = paymentsByReference(input, named);
  const { payments, repeated } = run;
  const claimed = new Set(
    [...payments.flatMap(({ stored }) => stored ?? []), ...[...storedLeftOut.values()].flat()].map(
      ({ stored }) => stored.id,
    ),
  );
  let free = storedRowsOf([...books.byId.values()].filter(({ stored }) => !claimed.has(stored.id)));
  free = withEarlierNames(payments, free);
  const { questions, used } = questionsOf(payments, free, input, run.closingBefore, repeated);

  const groups: Group[] = [];
  const compared = new Map<string, ComparedRow>();
  const open = new Set(questions.flatMap(({ payments: all }) => all));
  for (const payment of payments) {
    if (!open.has(payment)) {
      const { rows, stored, isTaken } = payment;
      const verdict = isTaken ? 'taken' : stored ? 'same' : 'new';
      groups.push({ verdict, rows, stored: stored ? [stored] : [], pairs: [] });
    }
  }
  for (const { edges, targets } of questions) {
    const pairs = edges.map(pairOf);
    for (const [payment, { records, other }] of shownPairs(edges)) {
      const isDoubtful = payment.isDoubtful && { isDoubtful: true as const };
      const more = { ...(other && { other }), ...isDoubtful };
      payment.parts = asQuestion(payment.rows[0], payment.parts, records, more);
    }
    groups.push({
      ...{ verdict: 'question', rows: [...new Set(pairs.flatMap(({ row, other = row }) => [row, other]))] },
      ...{ stored: targets.flatMap(({ stored }) => (stored ? [stored] : [])), pairs },
    });
  }
  for (const { rows, parts } of payments) {
    for (const row of rows) {
      for (const [index, { part }] of row.parts.entries())
        compared.set(partKey({ ...row, part }), (parts[index] ?? parts[0]) as ComparedRow);
    }
  }
  return {
    ...{ groups, compared, storedLeftOut, repeated, unnamed: run.unnamed },
    leftOver: free.filter((each) => !used.has(each)),
  };
}

/** Step 2: the payments of the rows, with their entries by reference. */
function paymentsByReference({ rows, files, closings }: MatchInput, named: ReturnType<typeof byReferenceIn>) {
  const closingBefore = closingsBefore(files, closings);
  const payments: Payment[] = [];
  const repeated: Matched['repeated'][number][] = [];
  const byReference = new Map<string, Payment[]>();
  const byStored = new Map<string, Payment>();
  let unnamed: Matched['unnamed'];
  const place = (row: Row, { parts, stored, taken }: Named, isDoubtful = false) => {
    const [first, ...others] = stored;
    const whole: StoredRow | undefined = first && [first, ...others];
    const isTaken = taken !== undefined;
    const payment: Payment = { rows: [row], stored: whole, parts, isTaken, isDoubtful, isOpen: false };
    payments.push(payment);
    for (const each of stored) byStored.set(each.stored.id, payment);
    byReference.set(row.reference, [...(byReference.get(row.reference) ?? []), payment]);
  };
  const isFree = ({ stored }: Named) => !stored.some((each) => byStored.has(each.stored.id));
  for (const row of rows) {
    const sameName = byReference.get(row.reference) ?? [];
    const closing = closingBefore(row);
    const isOfDay = closing !== undefined && closing.date === row.date;
    const first = sameName.find((payment) => isRepeated(row, payment));
    if (first && !(isOfDay && closing.isOfRun)) {
      const { file, row: number } = first.rows[0];
      repeated.push({ file: row.file, row: row.row, first: { file, row: number } });
      if (row.isReferenceDerived && row.account === '') unnamed ??= repeated.at(-1);
      first.rows.push(row);
      continue;
    }
    const own = named.compare(row);
    // An equal payment of the day may be stored, or this one by a push that was interrupted.
    const isDoubtful = isOfDay && !closing.isOfRun && own.stored.length > 0;
    const isOwn = sameName.length === 0 && isFree(own) && !own.taken && !isDoubtful;
    if (isOwn && (own.stored.length > 0 || row.isReferenceDerived)) {
      place(row, own);
      continue;
    }
    // While another payment had its reference, the row was stored under another name.
    const others = otherNames(row).map((name) => named.compareAs(row, name));
    const found = isDoubtful ? undefined : others.find((each) => each.stored.length > 0 && isFree(each));
    if (found || own.taken || isOwn) place(row, found ?? own);
    else {
      const unused = others.find(({ stored, taken }) => stored.length === 0 && !taken);
      const [taken] = own.stored;
      place(row, unused ?? { parts: own.parts, stored: [], ...(taken && { taken }) }, isDoubtful);
    }
  }
  return { payments, repeated, unnamed, closingBefore };
}

/** A row of an earlier file is this payment. Another amount under one id is another payment, or a correction. */
const isRepeated = (row: Row, { rows }: Payment) =>
  rows.every(({ file }) => file !== row.file) &&
  rows.some(
    ({ pence, date }) =>
      pence === row.pence && (row.isReferenceDerived || daysBetween(date, row.date) <= DAYS_APART_MAX),
  );

const NAMES_TRIED = 5;

/** The references of equal payments of the day, after the row's own. With an id of the file, which another payment has: the first ones. */
function otherNames({ account, date, pence, reference, isReferenceDerived, parts }: Row): string[] {
  const derive = referenceDeriver();
  const [{ entry: { description = '' } = {}, conversion } = {}] = parts;
  const amount = { pence: conversion?.pence ?? Math.abs(pence), currency: conversion?.currency };
  const content = { account, date, type: pence < 0 ? 'expense' : 'income', ...amount, description } as const;
  const names = Array.from({ length: NAMES_TRIED }, () => derive(content));
  return isReferenceDerived ? names.slice(names.indexOf(reference) + 1 || NAMES_TRIED) : names;
}

/** Groups entries by their row. */
function storedRowsOf(entries: readonly StoredEntry[]): StoredRow[] {
  const groups = groupBy(entries, ({ stored: { id, externalRef, date, description } }) =>
    externalRef === null ? id : JSON.stringify([rowOfPart(externalRef), date, description]),
  );
  const numberOf = ({ stored: { externalRef } }: StoredEntry) => partNumber(externalRef ?? '');
  return [...groups.values()].map(
    (all) => all.sort((a, b) => numberOf(a) - numberOf(b)) as unknown as StoredRow,
  );
}

export const factsOf = (stored: StoredRow): Facts => ({
  date: stored[0].stored.date,
  pence: sumOf(stored.map((each) => each.stored)),
  text: sameDescription(stored[0].stored.description ?? ''),
});

const factKey = ({ date, pence, text }: Facts) => `${date} ${pence} ${text}`;

/** Step 2, last sentence. @returns the stored rows that are still free */
function withEarlierNames(payments: readonly Payment[], free: readonly StoredRow[]): StoredRow[] {
  const byFacts = groupBy(free, (each) => factKey(factsOf(each)));
  const used = new Set<StoredRow>();
  for (const payment of payments) {
    const [row] = payment.rows;
    if (payment.stored || payment.isTaken || row.account === '') continue;
    const equal = (byFacts.get(factKey(row)) ?? []).filter(
      (each) => !used.has(each) && isOfRowBefore(row, each),
    );
    const isHere = (each: StoredRow) => each.some(({ source }) => row.sourceIds.includes(source.id));
    const stored = equal.find(isHere) ?? equal[0];
    if (!stored) continue;
    used.add(stored);
    payment.stored = stored;
    payment.parts = asStored(row, stored, true);
  }
  return free.filter((each) => !used.has(each));
}

/** Whether the row was stored when its file did not name the account, or named it otherwise in ids that are the bank's. */
function isOfRowBefore(
  { account, date, pence, reference, isReferenceDerived, parts }: Row,
  [first]: StoredRow,
) {
  const name = rowOfPart(first.stored.externalRef ?? '');
  if (!isReferenceDerived) {
    const id = reference.startsWith(`${account}:`) ? reference.slice(account.length) : undefined;
    return id !== undefined && (name.endsWith(id) || name === id.slice(1));
  }
  const [{ entry: { description = '' } = {}, conversion } = {}] = parts;
  const amount = { pence: conversion?.pence ?? Math.abs(pence), currency: conversion?.currency };
  const content = { date, type: pence < 0 ? 'expense' : 'income', ...amount, description } as const;
  return isDerivedFrom(name, content, { accounts: [''], sourceId: first.source.id });
}

interface Question {
  payments: Payment[];
  targets: Target[];
  edges: Edge[];
}

/** Steps 3 to 5. Payments that are joined with others leave the list. */
function questionsOf(
  payments: Payment[],
  free: readonly StoredRow[],
  { decisions, all }: Decided,
  closingBefore: ClosingBefore,
  repeated: Matched['repeated'][number][],
): { questions: Question[]; used: ReadonlySet<StoredRow> } {
  const answerTo = ({ payment: { rows }, target: { ids } }: Edge) =>
    ids.map((id) => decisions.get(pairKey(rows[0], id))).find((answer) => answer !== undefined);
  const into = new Map<Payment, Payment>();
  const isFull = ({ payment, target }: Edge) =>
    target.isUsed || target.payment?.rows.some(({ file }) => file === payment.rows[0].file) === true;
  let edges = edgesOf(payments, free, closingBefore);
  const used = new Set<StoredRow>();
  const joined = new Set<Payment>();
  const join = ({ payment, target }: Edge) => {
    joined.add(payment);
    if (target.payment) {
      const other = into.get(target.payment) ?? target.payment;
      const { file, row } = other.rows[0];
      for (const each of payment.rows)
        repeated.push({ file: each.file, row: each.row, first: { file, row } });
      other.rows.push(...payment.rows);
      into.set(payment, other);
      payments.splice(payments.indexOf(payment), 1);
    } else if (target.stored) {
      target.isUsed = true;
      used.add(target.stored);
      payment.stored = target.stored;
      payment.isTaken = false;
      payment.parts = asStored(payment.rows[0], target.stored, false);
    }
  };
  for (const edge of edges) {
    if (answerTo(edge) !== 'leave' || joined.has(edge.payment)) continue;
    if (isFull(edge)) edge.payment.isOpen = true;
    else join(edge);
  }
  const isUndecided = (edge: Edge) => {
    const answer = answerTo(edge) ?? (all === 'send' ? 'send' : undefined);
    if (joined.has(edge.payment) || answer === 'send') return false;
    return answer === 'leave' ? edge.payment.isOpen : !isFull(edge);
  };
  edges = equalFirst(edges.filter(isUndecided));
  const questions: Question[] = [];
  for (const question of components(edges)) {
    const [only, ...others] = question.edges;
    if (all === 'leave' && only && others.length === 0 && !only.payment.isOpen) join(only);
    else questions.push(question);
  }
  for (const { targets } of questions) for (const { stored } of targets) if (stored) used.add(stored);
  return { questions, used };
}

type ClosingBefore = (position: RowPosition) => AfterClosing | undefined;

/** The id of a row in decisions: without spaces, as ids are. */
const rowId = (reference: string) => `row:${encodeURIComponent(reference)}`;

/** The pairs of records that resemble each other. */
function edgesOf(
  payments: readonly Payment[],
  free: readonly StoredRow[],
  closingBefore: ClosingBefore,
): Edge[] {
  const order = new Map(payments.map((payment, index) => [payment, index]));
  const isOfFiles = new Set(payments.flatMap(({ rows }) => rows.map(({ file }) => file))).size > 1;
  const targets = free.map((stored): Target => {
    const { id, externalRef } = stored[0].stored;
    const ids = [id, ...(externalRef === null ? [] : [rowId(rowOfPart(externalRef))])] as const;
    return { ids, facts: [factsOf(stored)], stored, payment: undefined, isUsed: false };
  });
  for (const payment of isOfFiles ? payments : []) {
    const { rows, stored } = payment;
    const [first, ...others] = rows.map(({ reference }) => rowId(reference)) as [string, ...string[]];
    const ids = stored ? ([stored[0].stored.id, first, ...others] as const) : ([first, ...others] as const);
    const facts = stored ? [...rows, factsOf(stored)] : rows;
    targets.push({ ids, facts, stored: undefined, payment, isUsed: false });
  }
  const byFact = new Map<string, Set<Target>>();
  for (const target of targets) {
    for (const { pence, text } of target.facts) {
      for (const key of text === '' ? [`${pence}`] : [`${pence}`, `text ${text}`]) {
        const of = byFact.get(key) ?? new Set();
        byFact.set(key, of.add(target));
      }
    }
  }
  return payments.flatMap((payment) => {
    if (payment.stored) return [];
    const [row] = payment.rows;
    const keys = [...row.amounts.map(String), `text ${row.text}`];
    const found = new Set(keys.flatMap((key) => [...(byFact.get(key) ?? [])]));
    return [...found].flatMap((target) => {
      if (!target.facts.some((facts) => isNear(row, facts))) return [];
      const { stored, payment: other } = target;
      if (other) return isOtherRecord(payment, other, order, closingBefore) ? { payment, target } : [];
      return stored && mayBeEntry(row, stored, closingBefore(row)) ? { payment, target } : [];
    });
  });
}

export const isNear = (one: Facts & { amounts?: readonly number[] }, other: Facts) =>
  ((one.amounts ?? [one.pence]).includes(other.pence) || (one.text === other.text && one.text !== '')) &&
  daysBetween(one.date, other.date) <= DAYS_APART_MAX;

/** Whether a row may be a payment of another file. Of two new payments, the later one is asked about. */
function isOtherRecord(
  payment: Payment,
  other: Payment,
  order: ReadonlyMap<Payment, number>,
  closingBefore: ClosingBefore,
): boolean {
  if (payment === other || (!other.stored && (order.get(payment) ?? 0) < (order.get(other) ?? 0)))
    return false;
  const isApart = (row: Row, each: Row) => {
    const closing = closingBefore(row);
    return closing?.isOfRun === true && row.account === each.account && each.date <= closing.date;
  };
  return payment.rows.every((row) =>
    other.rows.every(
      (each) =>
        each.file !== row.file &&
        mayBeSameAccount(row.account, each.account) &&
        !isApart(row, each) &&
        !isApart(each, row),
    ),
  );
}

/** Whether a row may be a stored row, by the account and the source of both. */
export function mayBeEntry(row: Row, stored: StoredRow, closing?: AfterClosing): boolean {
  const isHere = stored.some(({ source }) => row.sourceIds.includes(source.id));
  const { date } = stored[0].stored;
  const isBeforeClosing = closing !== undefined && date <= closing.date && row.date > closing.date;
  if (isHere && !isBeforeClosing) return true;
  const origin = originOf(stored, row.account, { prefix: prefixOf(row), row });
  if (isBeforeClosing && origin === 'this') return false;
  return isHere || origin === 'this' || (origin === 'unknown' && (row.account !== '' || row.isSourceChosen));
}

/** Step 4: as many rows as records with equal facts are pairs, and leave all other questions. */
function equalFirst(edges: readonly Edge[]): Edge[] {
  const isEqual = ({ payment: { rows }, target }: Edge) =>
    target.facts.some((facts) => factKey(facts) === factKey(rows[0]));
  const pairs = new Map<Payment, Edge>();
  const taken = new Set<Target>();
  const columnOf = ({ payment: { rows }, target }: Edge) =>
    JSON.stringify([rows[0].file, target.payment?.rows[0].file ?? null, factKey(rows[0])]);
  const free = edges.filter(({ payment }) => !payment.isOpen);
  for (const of of groupBy(free.filter(isEqual), columnOf).values()) {
    const all = [...new Set(of.map(({ payment }) => payment))].filter((each) => !pairs.has(each));
    const records = [...new Set(of.map(({ target }) => target))].filter((each) => !taken.has(each));
    if (all.length !== records.length || of.length < all.length * records.length) continue;
    for (const [index, payment] of all.entries()) {
      const target = records[index] as Target;
      pairs.set(payment, { payment, target });
      taken.add(target);
    }
  }
  return edges.flatMap((edge) => {
    const pair = pairs.get(edge.payment);
    if (pair) return pair.target === edge.target ? [edge] : [];
    return taken.has(edge.target) ? [] : [edge];
  });
}

/** Records that are connected by pairs. */
function components(edges: readonly Edge[]): Question[] {
  const rootOf = new Map<object, object>();
  const find = (node: object): object => {
    let root = node;
    for (let next = rootOf.get(root); next && next !== root; next = rootOf.get(root)) root = next;
    rootOf.set(node, root);
    return root;
  };
  const nodeOf = ({ payment, stored }: Target) => payment ?? (stored as object);
  for (const { payment, target } of edges) rootOf.set(find(payment), find(nodeOf(target)));
  return [...groupBy(edges, ({ payment }) => find(payment)).values()].map((of) => ({
    payments: [...new Set(of.map(({ payment }) => payment))],
    targets: [...new Set(of.map(({ target }) => target))],
    edges: of,
  }));
}

function pairOf({ payment: { rows }, target }: Edge): Pair {
  const [row] = rows;
  const { payment: other, stored = other?.stored } = target;
  if (stored) return { row, records: stored };
  const [first] = (other as Payment).rows;
  const [record, ...records] = first.parts.map((part): StoredEntry => {
    const { entry, source = { id: first.sourceIds[0] ?? '', name: first.file } } = part;
    const { category = null, description = null, externalRef = null } = entry;
    const stored: Transaction = { ...entry, id: target.ids[0], category, description, externalRef };
    return { stored, source: source as Source };
  });
  return { row, records: [record as StoredEntry, ...records], other: first };
}

/** The pair to show for each row: the most alike one, and each record once while there is another one. */
function shownPairs(edges: readonly Edge[]): Map<Payment, Pair> {
  const sorted = edges
    .map((edge) => ({ edge, pair: pairOf(edge) }))
    .sort((one, two) => byLikeness(one.pair, two.pair));
  const shown = new Map<Payment, Pair>();
  const used = new Set<Target>();
  for (const isFirst of [true, false]) {
    for (const { edge, pair } of sorted) {
      if (shown.has(edge.payment) || (isFirst && used.has(edge.target))) continue;
      shown.set(edge.payment, pair);
      used.add(edge.target);
    }
  }
  return shown;
}

/** The most alike record first: with the amount, then with the description, the nearest, and the earlier one. A payment is booked after it was pending. */
function byLikeness(one: Pair, two: Pair): number {
  const rank = ({ row, records }: Pair) => {
    const { date, pence, text } = factsOf(records);
    const likeness = (row.amounts.includes(pence) ? 0 : 2) + (text === row.text ? 0 : 1);
    return [likeness, daysBetween(date, row.date), date <= row.date ? 0 : 1];
  };
  const [a, b] = [rank(one), rank(two)];
  return a.map((each, index) => each - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
