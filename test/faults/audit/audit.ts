/**
 * The audit: what clients were told against what is in the books. Pure, and sees everything after the event:
 * a history, the rows of its accounts, and what the disturbances excuse.
 */
import type { Books } from '../books.ts';
import type { History } from '../history.ts';
import { auditAnswers } from './answers.ts';
import { auditBatches } from './batches.ts';
import { auditLimits } from './limits.ts';
import { auditOutcomes, type Excuse } from './outcomes.ts';
import { auditReads } from './reads.ts';
import { auditRefusals } from './refusals.ts';
import { auditRevocations } from './revocations.ts';
import { auditTotals } from './totals.ts';

export interface Evidence {
  history: History;
  books: Books;
  excuses: Excuse[];
  /** Whether Redis was there for both gateways all the time: only then the minute is shared. */
  redisUndisturbed: boolean;
}

/** What a violation is one of. The table counts by it. */
export type Rule =
  /** An acknowledged entry is not in the books, or is not there as sent. */
  | 'lost'
  /** An entry or a reference is there twice. */
  | 'doubled'
  | 'over cap'
  | 'half batch'
  /** The client was told that nothing was created. */
  | 'refused but stored'
  | 'wrong answer'
  | 'foreign row'
  | 'wrong total'
  | 'stale read'
  | 'revoked key'
  /** Something was done for a client that had no access. */
  | 'lost access'
  | 'minute'
  | 'failed request'
  /** A process ended by itself, or the cluster did not come back. */
  | 'out of service';

export interface Violation {
  rule: Rule;
  text: string;
  /** How many entries it is about, where there may be several. */
  entries?: number;
  /** Names of the operations that the story of this violation is about. */
  operations: string[];
  accountId: string;
  keyId?: string;
}

export function audit(evidence: Evidence): Violation[] {
  return [
    auditAnswers,
    auditBatches,
    auditTotals,
    auditLimits,
    auditReads,
    auditRefusals,
    auditRevocations,
    auditOutcomes,
  ].flatMap((part) => part(evidence));
}
