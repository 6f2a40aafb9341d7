/**
 * The rule by which rows of files and entries of the books are one payment.
 *
 * 1. A payment has at most one row of each file, and one stored row: an entry, or the entries of a split. A file claims all payments of its
 *    account between its first and its last day. Files of one run are of one account, unless they name different ones.
 * 2. A reference decides first: a derived one is the hash of the row; the id of a bank counts if the date, and the amount or the description,
 *    agree, and if neither record has an equal one elsewhere: see equal.ts. Else the reference is taken. For a row that is left out, all three
 *    have to be equal. An equal row that was stored before the account had its name is the same payment too.
 * 3. A row without an entry is left over. So is an entry without a row, and for one file a payment of another file. Two records that are
 *    left over resemble each other if they have one amount or one description, at most five days apart, and may be of one account. A
 *    person answers whether they are one payment.
 * 4. Equal records come first: as many rows as entries with one day, amount and description are asked about in pairs. All others that
 *    resemble each other form one question. An answer joins or separates one pair, and the rest is matched again. Nobody answers for a
 *    question of several pairs by default.
 * 5. Balances are evidence. A row that follows the closing balance of an earlier statement is no payment of that statement.
 * 6. A row that resembles nothing is new. An entry that no row is, inside the claim of its account, is gone: see claims.ts.
 */
import { asQuestion } from './beside.ts';
import { byReferenceIn } from './by-reference.ts';
import type { ComparedRow } from './match-status.ts';
import type { StoredRow } from './origin.ts';
import { factKey, factsOf, type MatchInput, type Payment, storedRowsOf } from './payments.ts';
import { paymentsByReference, withEarlierNames } from './placed.ts';
import { type Pair, pairOf, questionsOf, shownPairs } from './questions.ts';
import { type LeftOutRow, type Repetition, type Row, type RowPosition, signed } from './row.ts';
import { sameDescription } from './same-description.ts';
import type { StoredEntry } from './stored-books.ts';

/**
 * - `same`: the row is stored, perhaps with other content or in another source.
 * - `new`: it is to be sent. `taken`: its reference belongs to another entry.
 * - `question`: it may be one of the others in `pairs`.
 */
type Verdict = 'same' | 'new' | 'taken' | 'question';

/** Records that are one payment, or that may be. */
export interface Group {
  verdict: Verdict;
  /** Of a payment: its row in each file. Of a question: all of its rows. */
  rows: readonly Row[];
  stored: readonly StoredRow[];
  /** Of a question: which row may be which other record. */
  pairs: readonly Pair[];
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
  repeated: readonly Repetition[];
  /** Equal rows of two files that do not name their accounts. Undefined if there are none. */
  unnamed: Repetition | undefined;
}

export const partKey = ({ file, row, part = 0 }: RowPosition & { part?: number | undefined }): string =>
  `${row} ${part} ${file}`;

export function match(input: MatchInput): Matched {
  const { rows, leftOut, books, source } = input;
  const isWhole = ({ parts }: Row) => parts.length === 1 && parts[0]?.part === undefined;
  const wholeReferences = new Set(rows.filter(isWhole).map(({ reference }) => reference));
  const named = byReferenceIn(books, wholeReferences, source?.id);
  const storedLeftOut = new Map(
    leftOut.map((each) => {
      const text = sameDescription(each.description);
      const { stored } = named.storedAnywhere({ ...each, reference: each.rowReference, text });
      const key = factKey({ date: each.date, pence: signed(each), text });
      const isOwn = each.isReferenceDerived || (stored[0] && factKey(factsOf(stored as StoredRow)) === key);
      return [each, isOwn ? stored : []] as const;
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
      verdict: 'question',
      rows: [...all].flatMap(({ rows }) => rows),
      stored: [...all].flatMap(({ stored }) => (stored ? [stored] : [])),
      pairs: edges.map(pairOf),
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
    groups,
    leftOver,
    compared,
    storedLeftOut,
    repeated: [...run.repeated, ...repeated],
    unnamed: run.unnamed,
  };
}
