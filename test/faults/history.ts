/** What was asked of the cluster, when, and what came back. Times are ms of one clock that never goes back. */
import type { EntryType, SourceType } from '../../proto/vocabulary.ts';

export interface SentEntry {
  date: string;
  type: EntryType;
  amountPence: number;
  category?: string;
  /** The entry's tag, `<operation>/<index>`: no two entries of a run have the same. */
  description: string;
  externalRef?: string;
}

/** One body: whatever is sent more than once (again, or to both gateways at once) is the same operation. */
export interface Operation {
  name: string;
  accountId: string;
  sourceId: string;
  sourceType: SourceType;
  entries: SentEntry[];
  /** Sent as one object instead of an array. */
  single: boolean;
  /** It holds a category that its source does not have: nothing of it may be stored. */
  invalid: boolean;
  idempotencyKey?: string;
}

export interface Reference {
  id: string;
  externalRef: string | null;
}

export interface CreateResult {
  created: number;
  deduplicated: number;
  transactions: Reference[];
  existing: Reference[];
}

export interface Transaction extends Reference {
  date: string;
  type: EntryType;
  category: string | null;
  amountPence: number;
  description: string | null;
}

/**
 * How a request ended: by a status; or `refused` (no gateway took the connection), `broken` (the connection
 * ended without an answer), `hung` (no answer within any deadline), `abandoned` (by its client, who never
 * meant to wait), `pending` (not yet).
 */
export type Outcome = number | 'refused' | 'broken' | 'hung' | 'abandoned' | 'pending';

interface Call {
  accountId: string;
  keyId: string;
  gateway: string;
  begun: number;
  /** Infinity while it is pending. */
  ended: number;
  outcome: Outcome;
  /** Of an error. */
  code?: string;
}

export interface Write extends Call {
  kind: 'write';
  operation: Operation;
  answer?: CreateResult;
}

export interface Page extends Call {
  kind: 'page';
  sourceId: string;
  from?: string;
  to?: string;
  limit: number;
  /** The last entry of the page before. */
  after?: { date: string; id: string };
  answer?: { transactions: Transaction[]; nextCursor: string | null };
}

export interface Sources extends Call {
  kind: 'sources';
  answer?: { sources: { id: string; transactionCount: number }[] };
}

export interface Me extends Call {
  kind: 'me';
  answer?: { accountId: string };
}

export type Request = Write | Page | Sources | Me;

export interface Revocation {
  kind: 'revocation';
  accountId: string;
  keyId: string;
  begun: number;
  /** Infinity unless it returned. */
  ended: number;
}

/** What was done to the cluster. */
export interface Disturbance {
  kind: 'disturbance';
  what: string;
  begun: number;
}

export interface History {
  requests: Request[];
  revocations: Revocation[];
  disturbances: Disturbance[];
}

export function newHistory(): History {
  return { requests: [], revocations: [], disturbances: [] };
}

export const writesIn = ({ requests }: History) => requests.filter((each) => each.kind === 'write');

/** Whether the request did what it asked for. */
export const succeeded = ({ outcome }: Call) => outcome === 200 || outcome === 201;

/** Whether the request came to nothing that its client knows of. */
export const failed = ({ outcome }: Call) => typeof outcome === 'string' || outcome >= 500;
