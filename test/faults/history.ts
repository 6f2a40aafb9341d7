/** The history of a round: requests, responses and faults. Times are ms of one monotonic clock. */
import type { CreateResult, Reference, Transaction } from '../../clients/conformance/history.ts';
import type { EntryType, SourceType } from '../../proto/vocabulary.ts';

export interface SentEntry {
  date: string;
  type: EntryType;
  amountPence: number;
  category?: string;
  /** The entry's tag, `<operation>/<index>`, unique in a run. */
  description: string;
  externalRef?: string;
}

/** One request body. A body that is sent several times, in sequence or in parallel, is one operation. */
export interface Operation {
  name: string;
  accountId: string;
  sourceId: string;
  sourceType: SourceType;
  entries: SentEntry[];
  /** Sent as one object instead of an array. */
  single: boolean;
  /** It contains a category that is invalid for its source, so none of it may be stored. */
  invalid: boolean;
  idempotencyKey?: string;
}

export type { CreateResult, Reference, Transaction };

/**
 * How a request ended: with a status; `unavailable` (no gateway accepted the connection); `broken` (the connection ended
 * without a response); `hung` (no response within the deadline); `abandoned` (by its client, on purpose); or not yet:
 * `pending`.
 */
export type Outcome = number | 'unavailable' | 'broken' | 'hung' | 'abandoned' | 'pending';

interface Call {
  accountId: string;
  keyId: string;
  gateway: string;
  begun: number;
  /** Infinity while it is pending. */
  ended: number;
  outcome: Outcome;
  /** The error code. */
  code?: string;
}

export interface Write extends Call {
  kind: 'write';
  operation: Operation;
  response?: CreateResult;
}

export interface Page extends Call {
  kind: 'page';
  sourceId: string;
  from?: string;
  to?: string;
  limit: number;
  /** The last entry of the previous page. */
  after?: { date: string; id: string };
  response?: { transactions: Transaction[]; nextCursor: string | null };
}

export interface Sources extends Call {
  kind: 'sources';
  response?: { sources: { id: string; transactionCount: number }[] };
}

export interface Me extends Call {
  kind: 'me';
  response?: { accountId: string };
}

export type Request = Write | Page | Sources | Me;

export interface Revocation {
  kind: 'revocation';
  accountId: string;
  keyId: string;
  begun: number;
  /** Infinity unless the call succeeded. */
  ended: number;
}

/** A time during which an account lacks something that it needs to write. */
export interface AccessLoss {
  kind: 'loss';
  what: 'source' | 'plan' | 'account';
  accountId: string;
  /** Only this source is affected; absent: the whole account. */
  sourceId?: string;
  /** The error code of requests in the meantime. */
  code: 'source_not_found' | 'upgrade_required' | 'invalid_key';
  begun: number;
  /** Infinity unless the call succeeded. */
  ended: number;
  /** When the call that restores it began. Infinity: never. */
  restoring: number;
  /** When that call succeeded. */
  restored: number;
}

/** An action of a fault on the cluster. */
export interface Disturbance {
  kind: 'disturbance';
  what: string;
  begun: number;
}

export interface History {
  requests: Request[];
  revocations: Revocation[];
  accessLosses: AccessLoss[];
  disturbances: Disturbance[];
}

export function newHistory(): History {
  return { requests: [], revocations: [], accessLosses: [], disturbances: [] };
}

export const writesIn = ({ requests }: Pick<History, 'requests'>) =>
  requests.filter((each) => each.kind === 'write');

/** Whether the response is a success. */
export const succeeded = ({ outcome }: Call) => outcome === 200 || outcome === 201;

/** Whether the response is a 4xx. */
export const isRefused = ({ outcome }: Call) =>
  typeof outcome === 'number' && outcome >= 400 && outcome < 500;

/** Whether a loss affects the request: it is of the same account, and of the same source if it is of one source. */
export const affects = ({ accountId, sourceId }: AccessLoss, request: Request) =>
  request.accountId === accountId && (sourceId === undefined || sourceId === sourceOf(request));

function sourceOf(request: Request): string | undefined {
  if (request.kind === 'write') return request.operation.sourceId;
  return request.kind === 'page' ? request.sourceId : undefined;
}

/** Whether the request got no response or a 5xx. */
export const failed = ({ outcome }: Call) => typeof outcome === 'string' || outcome >= 500;
