/**
 * The rule by which rows of files and entries of the books are one payment.
 *
 * 1. A payment has at most one row of each file, and one stored row: an entry, or the entries of a split. A file claims all payments of its
 *    account between its first and its last day. Files of one run are of one account, unless they name different ones.
 * 2. A reference decides first: a derived one is the hash of the row; the id of a bank counts if the date, and the amount or the description,
 *    agree. Else the reference is taken. An equal row that was stored before the account had its name is the same payment too.
 * 3. A row without an entry is left over. So is an entry without a row, and for one file a payment of another file. Two records that are
 *    left over resemble each other if they have one amount or one description, at most five days apart, and may be of one account. A
 *    person answers whether they are one payment.
 * 4. Equal records come first: as many rows as entries with one day, amount and description are asked about in pairs. All others that
 *    resemble each other form one question. An answer joins or separates one pair, and the rest is matched again. Nobody answers for a
 *    question of several pairs by default.
 * 5. Balances are evidence. A row that follows the closing balance of an earlier statement is no payment of that statement.
 * 6. A row that resembles nothing is new. An entry that no row is, inside the claim of its account, is gone: see claims.ts.
 */
import { groupBy } from '../group-by.ts';
import type { Balance } from '../import/options.ts';
import { isDerivedFrom, referenceDeriver } from '../import/values/reference.ts';
import type { Source } from '../resources.ts';
import { type AfterClosing, type ClosingBefore, closingsBefore } from './after-closing.ts';
import { asQuestion, asStored } from './beside.ts';
import {
  type ByReference,
  byReferenceIn,
  isPart,
  type Named,
  partNumber,
  rowOfPart,
} from './by-reference.ts';
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
import { type Books, dayAfter, daysBetween, type StoredEntry } from './stored-books.ts';

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

/** A payment: the rows and the entries that are one, so far. */
interface Payment {
  rows: Row[];
  stored: StoredRow | undefined;
  parts: readonly ComparedRow[];
  isTaken: boolean;
  /** By the balance it is another payment than the equal one that the books have. */
  isDoubtful: boolean;
}

/** A payment without an entry, and another one that it may be. */
interface Edge {
  one: Payment;
  other: Payment;
}

export function match(input: MatchInput): Matched {
  const { rows, leftOut, books, source } = input;
  const isWhole = ({ parts }: Row) => parts.length === 1 && parts[0]?.part === undefined;
  const wholeReferences = new Set(rows.filter(isWhole).map(({ reference }) => reference));
  const named = byReferenceIn(books, wholeReferences, source?.id);
  const storedLeftOut = new Map(
    leftOut.map((each) => {
      const row = { ...each, reference: each.rowReference, text: sameDescription(each.description) };
      return [each, named.storedAnywhere(row).stored] as const;
    }),
  );
  const run = paymentsByReference(input, named);
  const placed = [
    ...run.payments.flatMap(({ stored }) => stored ?? []),
    ...[...storedLeftOut.values()].flat(),
  ];
  const claimed = new Set(placed.map(({ stored }) => stored.id));
  const free = storedRowsOf([...books.byId.values()].filter(({ stored }) => !claimed.has(stored.id)));
  const unplaced = free.map((stored): Payment => {
    return { rows: [], stored, parts: [], isTaken: false, isDoubtful: false };
  });
  const payments = withEarlierNames(run.payments, unplaced);
  const { questions, repeated } = questionsOf(payments, input, run.closingBefore);

  const open = new Set(questions.flatMap((edges) => edges.flatMap(({ one, other }) => [one, other])));
  const isAsked = new Set(questions.flatMap((edges) => edges.map(({ one }) => one)));
  const groups = [...payments].flatMap((payment): Group[] => {
    const { rows, stored, isTaken } = payment;
    if (rows.length === 0 || isAsked.has(payment)) return [];
    const verdict = isTaken ? 'taken' : stored ? 'same' : 'new';
    return [{ verdict, rows, stored: stored ? [stored] : [], pairs: [] }];
  });
  for (const edges of questions) {
    for (const [payment, pair] of shownPairs(edges)) {
      const { row, records, other } = pair;
      const isDoubtful = payment.isDoubtful && { isDoubtful: true as const };
      payment.parts = asQuestion(row, payment.parts, records, { ...(other && { other }), ...isDoubtful });
    }
    const all = new Set(edges.flatMap(({ one, other }) => [one, other]));
    groups.push({
      ...{ verdict: 'question', rows: [...all].flatMap(({ rows }) => rows) },
      ...{ stored: [...all].flatMap(({ stored }) => (stored ? [stored] : [])), pairs: edges.map(pairOf) },
    });
  }
  const compared = new Map<string, ComparedRow>();
  for (const { rows, parts } of payments) {
    for (const row of rows) {
      for (const [index, { part }] of row.parts.entries())
        compared.set(partKey({ ...row, part }), (parts[index] ?? parts[0]) as ComparedRow);
    }
  }
  const isLeft = (payment: Payment) => payment.rows.length === 0 && !open.has(payment);
  const leftOver = [...payments].filter(isLeft).flatMap(({ stored }) => (stored ? [stored] : []));
  return {
    ...{ groups, leftOver, compared, storedLeftOut },
    ...{ repeated: [...run.repeated, ...repeated], unnamed: run.unnamed },
  };
}

/** Step 2: the payments of the rows, with their entries by reference. */
function paymentsByReference({ rows, files, closings }: MatchInput, named: ByReference) {
  const closingBefore = closingsBefore(files, closings);
  const payments: Payment[] = [];
  const repeated: Matched['repeated'][number][] = [];
  const byReference = new Map<string, Payment[]>();
  const placed = new Set<string>();
  let unnamed: Matched['unnamed'];
  const place = (row: Row, { parts, stored, taken }: Named, isDoubtful = false) => {
    const whole = stored.length > 0 ? (stored as StoredRow) : undefined;
    const payment: Payment = { rows: [row], stored: whole, parts, isTaken: taken !== undefined, isDoubtful };
    payments.push(payment);
    for (const each of stored) placed.add(each.stored.id);
    byReference.set(row.reference, [...(byReference.get(row.reference) ?? []), payment]);
  };
  const isFree = ({ stored }: Named) => !stored.some((each) => placed.has(each.stored.id));
  for (const row of rows) {
    const sameName = byReference.get(row.reference) ?? [];
    const closing = closingBefore(row);
    const isOfDay = closing?.date === row.date;
    const first = sameName.find((payment) => isRepeated(row, payment));
    if (first && !(isOfDay && closing.isOfRun)) {
      repeated.push(repetition(row, first));
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

const repetition = ({ file, row }: Row, { rows: [first] }: Payment) => ({
  ...{ file, row },
  first: { file: first?.file ?? '', row: first?.row ?? 0 },
});

/** A row of an earlier file is this payment. Another amount under one id is another payment, or a correction. */
const isRepeated = (row: Row, payment: Payment) =>
  !isOfFileOf(payment, row) &&
  payment.rows.some(
    ({ pence, date }) =>
      pence === row.pence && (row.isReferenceDerived || daysBetween(date, row.date) <= DAYS_APART_MAX),
  );

const isOfFileOf = ({ rows }: Payment, { file }: Row) => rows.some((each) => each.file === file);

const NAMES_TRIED = 5;

/** The references of equal payments of the day, after the row's own. With an id of the file, which another payment has: the first ones. */
function otherNames(row: Row): string[] {
  const derive = referenceDeriver();
  const names = Array.from({ length: NAMES_TRIED }, () =>
    derive({ ...contentOf(row), account: row.account }),
  );
  return row.isReferenceDerived ? names.slice(names.indexOf(row.reference) + 1 || NAMES_TRIED) : names;
}

/** The content of a derived reference. */
function contentOf({ date, pence, parts: [first] }: Row) {
  const { pence: amount = Math.abs(pence), currency } = first?.conversion ?? {};
  const type = pence < 0 ? ('expense' as const) : ('income' as const);
  return { date, type, pence: amount, currency, description: first?.entry.description ?? '' };
}

/** Groups entries by their row. */
function storedRowsOf(entries: readonly StoredEntry[]): StoredRow[] {
  const split = new Set(
    entries.flatMap(({ stored: { externalRef } }) =>
      externalRef && isPart(externalRef) ? rowOfPart(externalRef) : [],
    ),
  );
  const groups = groupBy(entries, ({ stored: { id, externalRef, date, description } }) => {
    const row = split.size === 0 || externalRef === null ? id : rowOfPart(externalRef);
    return split.has(row) ? `${row}\n${date}\n${description}` : id;
  });
  const numberOf = ({ stored: { externalRef } }: StoredEntry) => partNumber(externalRef ?? '');
  return [...groups.values()].map(
    (all) => all.sort((a, b) => numberOf(a) - numberOf(b)) as unknown as StoredRow,
  );
}

const facts = new WeakMap<StoredRow, Facts>();
export function factsOf(stored: StoredRow): Facts {
  const [{ stored: first }] = stored;
  const { date, description } = first;
  const own = facts.get(stored) ?? {
    ...{ date, pence: sumOf(stored.map((each) => each.stored)), text: sameDescription(description ?? '') },
  };
  facts.set(stored, own);
  return own;
}

const hasFacts = ({ rows, stored }: Payment, are: (facts: Facts) => boolean): boolean =>
  rows.some(are) || (stored !== undefined && are(factsOf(stored)));
const factKey = ({ date, pence, text }: Facts) => `${date} ${pence} ${text}`;

/** Step 2, last sentence. @returns all payments; some have entries alone */
function withEarlierNames(payments: readonly Payment[], unplaced: readonly Payment[]): Set<Payment> {
  const all = new Set([...payments, ...unplaced]);
  const open = payments.filter(({ rows, stored, isTaken }) => !stored && !isTaken && rows[0]?.account !== '');
  const byDay = groupBy(open.length > 0 ? unplaced : [], ({ stored }) => stored?.[0].stored.date);
  for (const payment of open) {
    const [row] = payment.rows as [Row];
    const isEqual = (each: Payment): each is Payment & { stored: StoredRow } =>
      each.stored !== undefined && all.has(each) && isOfRowBefore(row, each.stored);
    const equal = (byDay.get(row.date) ?? []).filter(isEqual);
    const isHere = ({ stored }: { stored: StoredRow }) =>
      stored.some(({ source }) => row.sourceIds.includes(source.id));
    const found = equal.find(isHere) ?? equal[0];
    if (!found) continue;
    all.delete(found);
    payment.stored = found.stored;
    payment.parts = asStored(row, found.stored, true);
  }
  return all;
}

/** Whether the row was stored when its file did not name the account, or named it otherwise in ids that are the bank's. */
function isOfRowBefore(row: Row, stored: StoredRow): boolean {
  if (factKey(factsOf(stored)) !== factKey(row)) return false;
  const { account, reference, isReferenceDerived } = row;
  const [first] = stored;
  const name = rowOfPart(first.stored.externalRef ?? '');
  if (isReferenceDerived)
    return isDerivedFrom(name, contentOf(row), { accounts: [''], sourceId: first.source.id });
  const id = reference.startsWith(`${account}:`) ? reference.slice(account.length) : undefined;
  return id !== undefined && (name.endsWith(id) || name === id.slice(1));
}

/** Steps 3 to 5. Payments that are joined with others leave the set. @returns the pairs of each question */
function questionsOf(payments: Set<Payment>, { decisions, all }: Decided, closingBefore: ClosingBefore) {
  const repeated: Matched['repeated'][number][] = [];
  const into = new Map<Payment, Payment>();
  /** Payments about which two answers contradict each other stay open. */
  const contradicted = new Set<Payment>();
  const answerTo = ({ one: { rows }, other }: Edge) =>
    idsOf(other)
      .map((id) => decisions.get(pairKey(rows[0] as Row, id)))
      .find((answer) => answer !== undefined);
  const isFull = ({ one, other }: Edge) => one.rows.some((row) => isOfFileOf(into.get(other) ?? other, row));
  const join = ({ one, other: named }: Edge) => {
    const other = into.get(named) ?? named;
    into.set(one, other);
    payments.delete(one);
    if (other.rows.length > 0) repeated.push(...one.rows.map((row) => repetition(row, other)));
    else if (other.stored) other.parts = asStored(one.rows[0] as Row, other.stored, false);
    other.rows.push(...one.rows);
  };
  const edges = edgesOf(payments, decisions, closingBefore);
  for (const edge of edges) {
    if (answerTo(edge) !== 'leave' || into.has(edge.one)) continue;
    if (isFull(edge)) contradicted.add(edge.one);
    else join(edge);
  }
  const isUndecided = (edge: Edge) => {
    const answer = answerTo(edge) ?? (all === 'send' ? 'send' : undefined);
    if (into.has(edge.one) || answer === 'send') return false;
    return answer === 'leave' ? contradicted.has(edge.one) : !isFull(edge);
  };
  const open = equalFirst(edges.filter(isUndecided), contradicted);
  const questions = components(open).filter((question) => {
    const [only, ...others] = question;
    const isOpen = others.length > 0 || !only || contradicted.has(only.one) || only.one.isDoubtful;
    const isDecided = all === 'leave' && !isOpen;
    if (isDecided) join(only);
    return !isDecided;
  });
  return { questions, repeated };
}

/** By which decisions name a payment: the id of its entry, and the references of its rows, without spaces as ids are. */
function idsOf({ rows, stored }: Payment): string[] {
  const { id, externalRef = null } = stored?.[0].stored ?? {};
  const references = [
    ...(externalRef === null ? [] : [rowOfPart(externalRef)]),
    ...rows.map((row) => row.reference),
  ];
  return [...(id === undefined ? [] : [id]), ...references.map((each) => `row:${encodeURIComponent(each)}`)];
}

/** The pairs of payments that resemble each other, or that a person has joined. */
function edgesOf(payments: ReadonlySet<Payment>, decisions: Decisions, closingBefore: ClosingBefore): Edge[] {
  const open = [...payments].filter(({ rows, stored }) => rows.length > 0 && !stored);
  if (open.length === 0) return [];
  const order = new Map([...payments].map((payment, index) => [payment, index]));
  const left = [...decisions].flatMap(([key, decision]) => (decision === 'leave' ? [key] : []));
  const leftOf = groupBy(left, (key) => key.slice(0, key.lastIndexOf(' ')));
  const ids =
    left.length === 0 ? [] : [...payments].flatMap((each) => idsOf(each).map((id) => [id, each] as const));
  const byId = new Map(ids);
  const byDay = new Map<string, Payment[]>();
  for (const payment of payments) {
    const { rows, stored } = payment;
    const days = new Set([...rows.map(({ date }) => date), ...(stored ? [stored[0].stored.date] : [])]);
    for (const day of days) {
      const ofDay = byDay.get(day);
      if (ofDay) ofDay.push(payment);
      else byDay.set(day, [payment]);
    }
  }
  return open.flatMap((one): Edge[] => {
    const [row] = one.rows as [Row];
    const joined = (leftOf.get(row.reference) ?? []).flatMap(
      (key) => byId.get(key.slice(key.lastIndexOf(' ') + 1)) ?? [],
    );
    const isLike = (other: Payment) => {
      const { rows, stored } = other;
      if (other === one || !hasFacts(other, (facts) => isNear(row, facts))) return false;
      if (rows.length === 0) return stored !== undefined && mayBeEntry(row, stored, closingBefore(row));
      // Of two payments without entries, the later one is asked about.
      const isEarlier = stored || (order.get(one) ?? 0) > (order.get(other) ?? 0);
      return isEarlier && rows.every((each) => mayBeRow(row, each, closingBefore));
    };
    const near = DAYS.flatMap((days) => byDay.get(dayAfter(row.date, days)) ?? []);
    return [...new Set([...joined, ...near.filter(isLike)])].map((other) => ({ one, other }));
  });
}

const DAYS = Array.from({ length: 2 * DAYS_APART_MAX + 1 }, (_, index) => index - DAYS_APART_MAX);

export const isNear = (one: Facts & { amounts?: readonly number[] }, other: Facts) =>
  ((one.amounts ?? [one.pence]).includes(other.pence) || (one.text === other.text && one.text !== '')) &&
  daysBetween(one.date, other.date) <= DAYS_APART_MAX;

/** Whether a row may be a row of another file, by the accounts and the balances of both. */
function mayBeRow(row: Row, other: Row, closingBefore: ClosingBefore): boolean {
  const isAfter = (later: Row, { account, date }: Row) => {
    const closing = closingBefore(later);
    return closing?.isOfRun === true && later.account === account && date <= closing.date;
  };
  const isOneAccount = row.file !== other.file && mayBeSameAccount(row.account, other.account);
  return isOneAccount && !isAfter(row, other) && !isAfter(other, row);
}

/**
 * Whether a row may be a stored row, by the account and the source of both. The account has another name in files of another format, so that
 * a payment in another source is also one if only the date or the description differs.
 */
export function mayBeEntry(row: Row, stored: StoredRow, closing?: AfterClosing): boolean {
  const isHere = stored.some(({ source }) => row.sourceIds.includes(source.id));
  const { date } = stored[0].stored;
  const isBeforeClosing = closing !== undefined && date <= closing.date && row.date > closing.date;
  if (isHere && !isBeforeClosing) return true;
  const origin = originOf(stored, row.account, { prefix: prefixOf(row), row });
  if (isBeforeClosing && origin === 'this') return false;
  const { pence, text } = factsOf(stored);
  const isAlike = row.amounts.includes(pence) && (row.date === date || row.text === text);
  const isAnywhere = row.account !== '' || row.isSourceChosen;
  return isHere || origin === 'this' || (isAnywhere && (origin === 'unknown' || isAlike));
}

/** Step 4: as many rows as records with equal facts are pairs, and leave all other questions. */
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

function pairOf({ one, other }: Edge): Pair {
  const [row] = one.rows as [Row];
  if (other.stored) return { row, records: other.stored };
  const [first] = other.rows as [Row];
  const records = first.parts.map((part): StoredEntry => {
    const { entry, source = { id: first.sourceIds[0] ?? '', name: first.file } } = part;
    const { category = null, description = null, externalRef = null } = entry;
    const id = idsOf(other)[0] ?? '';
    return { stored: { ...entry, id, category, description, externalRef }, source: source as Source };
  });
  return { row, records: records as unknown as StoredRow, other: first };
}

/** The pair to show for each row: the most alike one, and each record once while there is another one. */
function shownPairs(edges: readonly Edge[]): Map<Payment, Pair> {
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
  const rank = ({ row, records }: Pair) => {
    const { date, pence, text } = factsOf(records);
    const likeness = (row.amounts.includes(pence) ? 0 : 2) + (text === row.text ? 0 : 1);
    return [likeness, daysBetween(date, row.date), date <= row.date ? 0 : 1];
  };
  const [a, b] = [rank(one), rank(two)];
  return a.map((each, index) => each - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
