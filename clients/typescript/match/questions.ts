/**
 * The questions about open payments, after the decisions of a person. A decision joins an open payment with a candidate, or separates the two.
 * As many rows as records with equal facts are asked about in pairs. All other candidates that are connected form one question.
 */

import { groupBy } from '../group-by.ts';
import type { EarlierClosingOf } from './after-closing.ts';
import { type CandidatePair, candidatesOf } from './candidates.ts';
import { type Decision, type Decisions, type PairDecision, pairKey, recordIdOf } from './decision.ts';
import { decisionIdsOf, hasFacts, hasRowOfFile, type Payment, repeatedRow } from './payment.ts';
import { factKey } from './payment-facts.ts';
import type { RepeatedRow, Row } from './row.ts';
import { storedFacts } from './stored-row.ts';

/**
 * Joins the pairs that a person or the default has joined. The other pairs are questions.
 * @param payments a payment that is joined with another one leaves the set
 * @param byDefault the decision about pairs without one. `same` decides about single pairs only
 * @returns the pairs of each question, and the rows that are joined with rows of other files
 */
export function questionsOf(
  payments: Set<Payment>,
  decisions: Decisions,
  byDefault: PairDecision | undefined,
  closingBefore: EarlierClosingOf,
): { questions: CandidatePair[][]; repeated: RepeatedRow[] } {
  const pairs = candidatesOf(payments, decisions, closingBefore);
  const joined = new JoinedPayments(payments);
  const contradicted = joinDecided(pairs, decisions, joined);
  const isUndecided = (pair: CandidatePair) => {
    const decision = decisionAbout(pair, decisions) ?? (byDefault === 'separate' ? byDefault : undefined);
    if (joined.has(pair.open) || decision === 'separate') return false;
    return decision === 'same' ? contradicted.has(pair.open) : !joined.isFull(pair);
  };
  const questions: CandidatePair[][] = [];
  for (const question of connected(equalFirst(pairs.filter(isUndecided), contradicted))) {
    const [pair, ...others] = question as [CandidatePair, ...CandidatePair[]];
    const needsPerson = others.length > 0 || contradicted.has(pair.open) || pair.open.isAgainstBalance;
    if (byDefault === 'same' && !needsPerson) joined.join(pair);
    else questions.push(question);
  }
  return { questions, repeated: joined.repeated };
}

/** The open payments that have become one with a candidate. */
class JoinedPayments {
  /** Their rows, beside rows of other files. */
  readonly repeated: RepeatedRow[] = [];
  readonly #into = new Map<Payment, Payment>();

  constructor(readonly payments: Set<Payment>) {}

  has(open: Payment): boolean {
    return this.#into.has(open);
  }

  /** The payment that it has become. */
  of(payment: Payment): Payment {
    return this.#into.get(payment) ?? payment;
  }

  /** Whether the candidate has a row of the same file. */
  isFull({ open, candidate }: CandidatePair): boolean {
    return open.rows.some((row) => hasRowOfFile(this.of(candidate), row));
  }

  join({ open, candidate }: CandidatePair): void {
    const payment = this.of(candidate);
    this.#into.set(open, payment);
    this.payments.delete(open);
    if (payment.rows.length > 0) this.repeated.push(...open.rows.map((row) => repeatedRow(row, payment)));
    payment.joinRows(open.rows);
  }
}

/** Joins the pairs that a person has joined. @returns open payments about which two decisions contradict each other */
function joinDecided(
  pairs: readonly CandidatePair[],
  decisions: Decisions,
  joined: JoinedPayments,
): Set<Payment> {
  const contradicted = new Set<Payment>();
  const same = pairs.filter((pair) => decisionAbout(pair, decisions) === 'same');
  // Of several records that are the payment, one with a row comes first: an entry without a row is then the duplicate.
  const hasRow = ({ candidate }: CandidatePair) => Number(candidate.rows.length > 0);
  for (const pair of same.sort((one, other) => hasRow(other) - hasRow(one))) {
    if (joined.has(pair.open)) continue;
    // Of equal entries, a decision is about any one: the references of equal rows only count them.
    const isEqualEntry = (other: CandidatePair) =>
      other.open === pair.open &&
      !joined.isFull(other) &&
      isEqualStored(joined.of(other.candidate), joined.of(pair.candidate));
    const free = joined.isFull(pair) ? pairs.find(isEqualEntry) : pair;
    if (free) joined.join(free);
    else contradicted.add(pair.open);
  }
  return contradicted;
}

/** A decision about two rows is about both. */
function decisionAbout({ open, candidate }: CandidatePair, decisions: Decisions): Decision | undefined {
  if (decisions.size === 0) return undefined;
  const row = open.rows[0] as Row;
  const keys = [
    ...decisionIdsOf(candidate).map((id) => pairKey(row, id)),
    ...candidate.rows.map((other) => pairKey(other, recordIdOf(row))),
  ];
  return keys.map((key) => decisions.get(key)).find((decision) => decision !== undefined);
}

const isEqualStored = ({ storedRow: one }: Payment, { storedRow: other }: Payment) =>
  one !== undefined &&
  other !== undefined &&
  one[0].source.id === other[0].source.id &&
  factKey(storedFacts(one)) === factKey(storedFacts(other));

/** Makes pairs of as many rows as records with equal facts. These leave all other questions. */
function equalFirst(pairs: readonly CandidatePair[], contradicted: ReadonlySet<Payment>): CandidatePair[] {
  const rowFacts = ({ rows: [row] }: Payment) => factKey(row as Row);
  const isEqual = ({ open, candidate }: CandidatePair) =>
    hasFacts(candidate, (facts) => factKey(facts) === rowFacts(open));
  const candidateOf = new Map<Payment, Payment>();
  const used = new Set<Payment>();
  const filesAndFacts = ({ open, candidate }: CandidatePair) =>
    JSON.stringify([open.rows[0]?.file, candidate.rows[0]?.file ?? null, rowFacts(open)]);
  const equal = pairs.filter((pair) => !contradicted.has(pair.open) && isEqual(pair));
  for (const group of groupBy(equal, filesAndFacts).values()) {
    const open = [...new Set(group.map((pair) => pair.open))].filter((payment) => !candidateOf.has(payment));
    const records = [...new Set(group.map(({ candidate }) => candidate))].filter(
      (record) => !used.has(record),
    );
    if (open.length !== records.length || group.length < open.length * records.length) continue;
    for (const [index, record] of records.entries()) {
      candidateOf.set(open[index] as Payment, record);
      used.add(record);
    }
  }
  return pairs.filter(({ open, candidate }) =>
    candidateOf.has(open) ? candidateOf.get(open) === candidate : !used.has(candidate),
  );
}

/** The pairs by the payments that they connect, directly or through others. */
function connected(pairs: readonly CandidatePair[]): CandidatePair[][] {
  const parents = new Map<Payment, Payment>();
  const rootOf = (payment: Payment): Payment => {
    let root = payment;
    for (let next = parents.get(root); next && next !== root; next = parents.get(root)) root = next;
    parents.set(payment, root);
    return root;
  };
  for (const { open, candidate } of pairs) parents.set(rootOf(open), rootOf(candidate));
  return [...groupBy(pairs, ({ open }) => rootOf(open)).values()];
}
