/** The history of a round: requests, responses and faults. Times are ms of one monotonic clock. */
import type { CreateResult } from '../../clients/typescript/resources.ts';
import type { EntryType, SourceType } from '../../proto/domain.ts';
import type { TransactionList } from '../fixtures/client.ts';

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

/**
 * How a request ended: with a status; `unavailable` (no gateway accepted the connection); `broken` (the connection ended
 * without a response); `hung` (no response within the deadline); `abandoned` (by its client, on purpose); or not yet:
 * `pending`.
 */
export type Outcome = number | 'unavailable' | 'broken' | 'hung' | 'abandoned' | 'pending';

interface Call {
  accountId: string;
  keyId: string;
  name: string;
  gateway: string;
  begun: number;
  /** Infinity while it is pending. */
  ended: number;
  outcome: Outcome;
  /** The error code of a 4xx, or why the request has had no effect without one. */
  refused?: string;
}

/** Where a page begins: after this entry. */
export interface Position {
  date: string;
  id: string;
}

export interface PageQuery {
  sourceId: string;
  from?: string;
  to?: string;
  limit: number;
  /** The last entry of the page before. */
  after?: Position;
}

export type Write = Call & Operation & { kind: 'write'; response?: CreateResult | undefined };
export type Page = Call & PageQuery & { kind: 'page'; response?: TransactionList };
type Counts = { sources: { id: string; transactionCount: number }[] };
export type Sources = Call & { kind: 'sources'; response?: Counts };
type Me = Call & { kind: 'me'; response?: { accountId: string } };
export type Request = Write | Page | Sources | Me;

/** A time during which a client lacks something that it needs. */
export interface AccessLoss {
  what: 'key' | 'source' | 'plan' | 'account';
  accountId: string;
  /** Only this key, or only this source, is affected; without both the whole account. */
  keyId?: string;
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

export interface History {
  requests: Request[];
  accessLosses: AccessLoss[];
  /** The actions of faults on the cluster. */
  disturbances: { what: string; begun: number }[];
}

export const newHistory = (): History => ({ requests: [], accessLosses: [], disturbances: [] });

export const writesIn = ({ requests }: Pick<History, 'requests'>) =>
  requests.filter((each) => each.kind === 'write');

/** Whether the response is a success. */
export const succeeded = ({ outcome }: Call) => outcome === 200 || outcome === 201;

/** Whether the request got no response or a 5xx. */
export const failed = ({ outcome }: Call) => typeof outcome === 'string' || outcome >= 500;

/** Whether a loss affects the request: it is of the same account, key and source, as far as the loss names them. */
export const affects = ({ accountId, keyId, sourceId }: AccessLoss, request: Request) =>
  request.accountId === accountId &&
  (keyId === undefined || keyId === request.keyId) &&
  (sourceId === undefined || ('sourceId' in request && sourceId === request.sourceId));

export function lineOf({ kind, name, keyId, gateway, begun, ended, outcome, refused = '' }: Request): string {
  const times = [begun, ended].map(Math.round).join(' to ');
  return `${kind} ${name} with the key ${keyId} to ${gateway} from ${times} ms: ${outcome} ${refused}`;
}
