/** The requests of an account, with their responses and times. Times are ms of one monotonic clock. */

export interface SentEntry {
  date: string;
  type: 'income' | 'expense';
  amountPence: number;
  category?: string;
  description?: string;
  externalRef?: string;
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
  type: 'income' | 'expense';
  category: string | null;
  amountPence: number;
  description: string | null;
}

interface Call {
  accountId: string;
  /** Names the request in a report. */
  name: string;
  begun: number;
  /** When its response arrived, or when its client stopped waiting. */
  ended: number;
  /** The error code of a 4xx. Without it and without `response` the outcome is unknown: lost, a 5xx, or pending. */
  refused?: string;
}

/** POST of a batch. Entries without a reference have unique descriptions. */
export interface Write extends Call {
  kind: 'write';
  sourceId: string;
  entries: SentEntry[];
  idempotencyKey?: string;
  response?: CreateResult;
}

/** GET of one page. */
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

/** GET of the sources. */
export interface Sources extends Call {
  kind: 'sources';
  response?: { sources: { id: string; transactionCount: number }[] };
}

export type Request = Write | Page | Sources;

/** The content of an entry as one text to compare, with null for absent fields. */
export function contentOf(entry: SentEntry | Transaction): string {
  const { date, type, amountPence, category = null, description = null } = entry;
  return JSON.stringify([date, type, amountPence, category, description]);
}

/** One line for a report. */
export function lineOf(request: Request): string {
  const { name, begun, ended, refused, response } = request;
  const outcome = refused ?? (response ? resultOf(request) : 'no response');
  return `${time(begun)} to ${time(ended)} ms  ${name}: ${outcome}`;
}

const time = (ms: number) => (Number.isFinite(ms) ? ms.toFixed(1) : '…');

function resultOf(request: Request): string {
  switch (request.kind) {
    case 'write':
      return `${request.response?.created} created, ${request.response?.deduplicated} deduplicated`;
    case 'page':
      return `${request.response?.transactions.length} entries${request.response?.nextCursor ? ', and more' : ''}`;
    case 'sources':
      return (request.response?.sources ?? []).map(({ transactionCount }) => transactionCount).join(', ');
  }
}
