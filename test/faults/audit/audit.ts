/**
 * The audit: compares the responses of a round with the books. A pure function of the history, the rows of its accounts
 * and the failures that the faults allow.
 */
import type { Books } from '../books.ts';
import type { History, Outcome } from '../history.ts';
import { auditEntries } from './entries.ts';
import { auditLimits } from './limits.ts';
import { auditLinearizability } from './linear.ts';
import { auditOutcomes } from './outcomes.ts';
import { auditTotals } from './totals.ts';

/** Outcomes that are allowed for requests in flight during a time span. */
export interface AllowedFailure {
  from: number;
  to: number;
  outcomes: readonly Outcome[];
}

export interface Evidence {
  history: History;
  books: Books;
  allowedFailures: AllowedFailure[];
  /** Whether both gateways could use Redis all the time: only then the rate limit is exact. */
  redisUndisturbed: boolean;
}

/** The rule that a violation breaks. */
export type Rule =
  /** An acknowledged entry is not in the books. */
  | 'lost'
  /** An entry or a reference is stored twice. */
  | 'doubled'
  | 'over cap'
  | 'half batch'
  | 'wrong total'
  /** No order of the requests explains the responses and, at the end, the rows as they are. */
  | 'not linearizable'
  /** A request succeeded although the client had no access. */
  | 'lost access'
  | 'minute'
  | 'wrong response'
  | 'failed request'
  /** A process ended by itself, or the cluster did not recover. */
  | 'out of service';

export interface Violation {
  rule: Rule;
  text: string;
  accountId: string;
  /** The number of affected entries. */
  entries?: number;
}

export function audit(evidence: Evidence): Violation[] {
  return [auditEntries, auditTotals, auditLimits, auditLinearizability, auditOutcomes].flatMap((part) =>
    part(evidence),
  );
}
