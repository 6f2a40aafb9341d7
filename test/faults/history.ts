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

/** Something that a client needs to write, and does not have for a while, or ever again. */
export interface Loss {
  kind: 'loss';
  what: 'source' | 'plan' | 'account';
  accountId: string;
  /** Of this source alone; absent: of the whole account. */
  sourceId?: string;
  /** By which requests are refused meanwhile. */
  code: 'source_not_found' | 'upgrade_required' | 'invalid_key';
  begun: number;
  /** Infinity unless it returned. */
  ended: number;
  /** When it began to be given back. Infinity: never. */
  regaining: number;
  /** When it certainly was given back. */
  regained: number;
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
  losses: Loss[];
  disturbances: Disturbance[];
}

export function newHistory(): History {
  return { requests: [], revocations: [], losses: [], disturbances: [] };
}

export const writesIn = ({ requests }: Pick<History, 'requests'>) =>
  requests.filter((each) => each.kind === 'write');

/** Whether the request did what it asked for. */
export const succeeded = ({ outcome }: Call) => outcome === 200 || outcome === 201;

/** Whether the client was told that what it asked for is not done. */
export const refused = ({ outcome }: Call) => typeof outcome === 'number' && outcome >= 400 && outcome < 500;

/** Whether a loss is about the request: of the account's, or of this source's. */
export const concerns = ({ accountId, sourceId }: Loss, request: Request) =>
  request.accountId === accountId && (sourceId === undefined || sourceId === sourceOf(request));

function sourceOf(request: Request): string | undefined {
  if (request.kind === 'write') return request.operation.sourceId;
  return request.kind === 'page' ? request.sourceId : undefined;
}

/** Whether the request came to nothing that its client knows of. */
export const failed = ({ outcome }: Call) => typeof outcome === 'string' || outcome >= 500;
