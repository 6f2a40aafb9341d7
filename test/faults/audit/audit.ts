/**
 * The audit: compares the responses of a round with the books. A pure function of the history, the rows of its accounts
 * and the failures that the faults allow.
 */
import type { Books } from '../books.ts';
import type { History } from '../history.ts';
import { auditBatches } from './batches.ts';
import { auditLimits } from './limits.ts';
import { auditLinearizability } from './linear.ts';
import { type AllowedFailure, auditOutcomes } from './outcomes.ts';
import { auditResponses } from './responses.ts';
import { auditRevocations } from './revocations.ts';
import { auditTotals } from './totals.ts';

export interface Evidence {
  history: History;
  books: Books;
  allowedFailures: AllowedFailure[];
  /** Whether both gateways could use Redis all the time: only then the rate limit is exact. */
  redisUndisturbed: boolean;
}

/** The rule that a violation breaks. */
export type Rule =
  /** An acknowledged entry is not in the books as sent. */
  | 'lost'
  /** An entry or a reference is stored twice. */
  | 'doubled'
  | 'over cap'
  | 'half batch'
  | 'wrong response'
  | 'foreign row'
  | 'wrong total'
  /** No order of the requests explains the responses. */
  | 'not linearizable'
  | 'revoked key'
  /** A request succeeded although the client had no access. */
  | 'lost access'
  | 'minute'
  | 'failed request'
  /** A process ended by itself, or the cluster did not recover. */
  | 'out of service';

export interface Violation {
  rule: Rule;
  text: string;
  /** The number of affected entries. */
  entries?: number;
  /** Names of the operations for the report. */
  operations: string[];
  accountId: string;
  keyId?: string;
}

export function audit(evidence: Evidence): Violation[] {
  return [
    auditResponses,
    auditBatches,
    auditTotals,
    auditLimits,
    auditLinearizability,
    auditRevocations,
    auditOutcomes,
  ].flatMap((part) => part(evidence));
}
