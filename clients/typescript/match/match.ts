/**
 * Which rows of files and which entries of the books are one payment.
 *
 * The books have the entries E1 (3 June, 20.00, CAFE) and E2 (5 June, 40.00, SHOP). Then a file of the same account is read:
 *
 * | row | outcome |
 * |---|---|
 * | 3 June, 20.00, CAFE | known: it has the reference of E1 |
 * | 6 June, 40.00, SHOP LTD | a question: it resembles E2, which no row is. The bank may have changed the payment, or there are two |
 * | 9 June, 15.00, TAXI | new: it resembles no unmatched entry |
 *
 * A payment has at most one row of each file, and one stored row: an entry, or the entries of a split.
 *
 * - A reference decides first (`paymentsByReference`). A derived one is the hash of the row. The id of a bank counts if the date, and the amount
 *   or the description, agree, and if the bank has not used it again (`reusedIds`): else the reference is taken. For a row that is left out, all
 *   three have to be equal. A row that was stored before its account had the name is the same payment too (`withEarlierAccounts`).
 * - The rest is unmatched: rows without an entry, entries without a row, and for one file the payments of the others. Two unmatched records are
 *   candidates for one payment if they have one amount or one description, are at most five days apart, and may be of one account (`candidatesOf`).
 *   The amount of one part counts too. A row that follows the closing balance of an earlier statement is no payment of that statement
 *   (`closingsBefore`).
 * - Equal records come first (`questionsOf`): as many rows as entries of one day, amount and description are asked about in pairs. All other
 *   candidates that are connected form one question. A decision says `same` or `separate` about one pair, and the rest is matched again.
 *   A default decides about single pairs only.
 * - A row without a candidate is new. For an entry without a row see reconciliation/gone.ts.
 *
 * Words: a **record** is a row, or a **stored row**: the entries of one row. A **payment** has records that are one. A **candidate** is a record
 * that another one may be; candidates make a **question**, and a person makes a **decision**. **Unmatched** is a record without another one:
 * `Matched.unmatched` has the stored rows among them that are in no question. A file has a **statement** for each account, and **covers** its
 * days. An **omitted** row makes no entry. A **duplicate** is a second stored record of a payment.
 */
import type { Balance } from '../import/result.ts';
import type { Source } from '../resources.ts';
import { closingsBefore } from './after-closing.ts';
import type { CandidatePair } from './candidates.ts';
import type { ComparedPart } from './compared-entry.ts';
import { contentKey, type Decisions, type PairDecision, sameRecordIds } from './decision.ts';
import { withEarlierAccounts } from './earlier-accounts.ts';
import { type Pair, pairOf, shownPairs } from './pair.ts';
import { Payment } from './payment.ts';
import { descriptionKey, factKey, signed } from './payment-facts.ts';
import { paymentsByReference } from './payments-by-reference.ts';
import { questionsOf } from './questions.ts';
import { ReferenceIndex } from './reference-index.ts';
import type { FileEntry, FileResult, LeftOutRow, RepeatedRow, Row } from './row.ts';
import type { Books, StoredEntry } from './stored-books.ts';
import { type StoredRow, storedFacts, storedRowsOf } from './stored-row.ts';

/** The decisions of a person, and what else a comparison depends on. */
export interface CompareOptions {
  /** The source of entries without a source of their own. */
  source: Pick<Source, 'id'> | undefined;
  decisions: Decisions;
  /** The default decision about pairs without one. `same` decides about single pairs only. */
  byDefault?: PairDecision | undefined;
  /** The kept closing balances, by account. */
  closings?: ReadonlyMap<string, Balance> | undefined;
  /** Holds new entries back that equal one of another source. By default they are sent: two properties may have the same rent. */
  holdsBackEqual?: boolean;
}

interface MatchInput extends CompareOptions {
  files: readonly FileResult[];
  rows: readonly Row[];
  leftOut: readonly LeftOutRow[];
  books: Books;
}

/** The result of `match`. Each row is in a payment or in a question, or repeats another row. */
export interface Matched {
  /** Payments with a row about which nobody has to decide: it is stored, new or taken. */
  payments: readonly Payment[];
  /** The pairs of each question: which row may be which other record. */
  questions: readonly (readonly Pair[])[];
  /** Stored rows that no row is and that are in no question. */
  unmatched: readonly StoredRow[];
  /** Each part of the rows, compared with the books. */
  comparedParts: ReadonlyMap<FileEntry, ComparedPart>;
  /** The entries of rows that are left out. */
  leftOutAndStored: ReadonlyMap<LeftOutRow, readonly StoredEntry[]>;
  /** Rows that an earlier file has too. */
  repeated: readonly RepeatedRow[];
  /** Equal rows of two files that do not name their accounts. Undefined if there are none. */
  unnamed: RepeatedRow | undefined;
}

/** Decides which rows and entries are one payment, as the head of this file says. */
export function match(input: MatchInput): Matched {
  const { files, rows, books, source, decisions, byDefault, closings } = input;
  const closingBefore = closingsBefore(files, closings);
  const isUnsplit = ({ parts }: Row) => parts.length === 1 && parts[0]?.part === undefined;
  const wholeReferences = new Set(rows.filter(isUnsplit).map(({ reference }) => reference));
  const index = new ReferenceIndex(books, wholeReferences, source?.id);
  const leftOutAndStored = storedOfLeftOut(input, index);
  const byReference = paymentsByReference(rows, books, index, closingBefore);
  const unmatched = unmatchedPayments(books, [
    ...byReference.payments.flatMap(({ storedRow }) => storedRow ?? []),
    ...[...leftOutAndStored.values()].flat(),
  ]);
  const payments = withEarlierAccounts(byReference.payments, unmatched);
  const { questions, repeated } = questionsOf(payments, decisions, byDefault, closingBefore);
  for (const question of questions) showCandidates(question);
  const asked = new Set(questions.flatMap((pairs) => pairs.map(({ open }) => open)));
  const candidates = new Set(questions.flatMap((pairs) => pairs.map(({ candidate }) => candidate)));
  const isUnmatched = (payment: Payment) => payment.rows.length === 0 && !candidates.has(payment);
  return {
    payments: [...payments].filter((payment) => payment.rows.length > 0 && !asked.has(payment)),
    questions: questions.map((pairs) => pairs.map(pairOf)),
    unmatched: [...payments].filter(isUnmatched).flatMap(({ storedRow }) => (storedRow ? [storedRow] : [])),
    comparedParts: comparedPartsOf(payments),
    leftOutAndStored,
    repeated: [...byReference.repeated, ...repeated],
    unnamed: byReference.unnamed,
  };
}

/** The entries of rows that are left out: by a decision of a person from before, or by their references. */
function storedOfLeftOut(
  { leftOut, books, decisions }: MatchInput,
  index: ReferenceIndex,
): Matched['leftOutAndStored'] {
  const sameIds = sameRecordIds(decisions);
  return new Map(
    leftOut.map((row) => {
      const text = descriptionKey(row.description);
      const facts = { reference: row.rowReference, date: row.date, pence: signed(row), text };
      const joined = (sameIds.get(contentKey(facts)) ?? []).flatMap((id) => books.byId.get(id) ?? []);
      if (joined.length > 0) return [row, joined] as const;
      const { storedEntries } = index.storedAnywhere({ ...row, ...facts });
      const rowFacts = factKey(facts);
      const isRow =
        row.isReferenceDerived ||
        (storedEntries[0] && factKey(storedFacts(storedEntries as StoredRow)) === rowFacts);
      return [row, isRow ? storedEntries : []] as const;
    }),
  );
}

/** A payment without a row for each stored row that is not among these. */
function unmatchedPayments(books: Books, matched: readonly StoredEntry[]): Payment[] {
  const matchedIds = new Set(matched.map(({ stored }) => stored.id));
  const unmatched = [...books.byId.values()].filter(({ stored }) => !matchedIds.has(stored.id));
  return storedRowsOf(unmatched).map((storedRow) => new Payment([], storedRow, []));
}

/** Each row of a question shows its best candidate. */
function showCandidates(question: readonly CandidatePair[]): void {
  for (const [payment, { row, storedRow, other }] of shownPairs(question))
    payment.becomeQuestion(row, storedRow, other);
}

const comparedPartsOf = (payments: Iterable<Payment>) =>
  new Map(
    [...payments].flatMap(({ rows, comparedParts }) =>
      rows.flatMap((row) =>
        row.parts.map((part, index) => [part, (comparedParts[index] ?? comparedParts[0]) as ComparedPart]),
      ),
    ),
  );
