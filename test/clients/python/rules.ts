/** The rules that both clients keep: a call, what the service responds, what must be sent and reported. */
import type { Action, SeenRequest } from '../proxy.ts';
import type { Service } from './clients.ts';
import type { Call, Options, Report } from './library-call.ts';

export interface Rule {
  name: string;
  /** Without it, a push of one entry with a reference. */
  call?: Call;
  /** Without it, entries are created. */
  service?: Service;
  /** Path after the address of the service. */
  path?: string;
  retryTimeoutMs?: number;
  options?: Options;
  /** Of each request: method and path, or number of entries; compared with what `shown` makes of it. */
  requests: (string | number)[];
  /** Of each request: the ordinal of its Idempotency-Key among those of the call. */
  keys?: number[];
  /** Least and most seconds of each pause, in order. */
  pauses?: [reason: Report['pauses'][number][0], atLeast: number, atMost: number][];
  /** Members that it has among others; without `error`, it has none. Without a report, a push creates all of its entries. */
  report?: { value?: unknown; push?: Partial<Report['push']>; progress?: number[]; error?: object };
}

export type Sent = Record<string, unknown>;
export const entriesOf = ({ body }: SeenRequest): Sent[] => JSON.parse(body);

export const json = (status: number, body: object, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: JSON.stringify(body),
});
export const failure = (
  status: number,
  code: string,
  members: object = {},
  headers: Record<string, string> = {},
) => json(status, { error: { code, message: `The code is ${code}.`, ...members } }, headers);

/** The response of the service to entries that are all new. Their ids are their amounts. */
export const created: Service = (request) => {
  const transactions = entriesOf(request).map(({ amountPence, externalRef = null }) => ({
    id: `id-${amountPence}`,
    externalRef,
  }));
  return json(201, { created: transactions.length, deduplicated: 0, transactions, existing: [] });
};

/** The actions in order, and `rest` after them. */
export const inOrder =
  (actions: Action[], rest: Service = created): Service =>
  (request, ordinal) =>
    actions[ordinal - 1] ?? rest(request, ordinal);

export const entry = (amountPence: number, fields: object = {}) => ({
  date: '2026-04-06',
  type: 'income',
  amountPence,
  ...fields,
});

/** Entries with references. */
export const numbered = (count: number) =>
  Array.from({ length: count }, (_, n) => entry(n + 1, { externalRef: `ref-${n}` }));

/** Entries without a reference. */
export const nameless = (count: number) => Array.from({ length: count }, (_, n) => entry(n + 1));

export const push = (entries: object[], wait = false) => ({ method: 'push', entries, wait }) satisfies Call;

/** The report of a push whose entries are all created. */
export const all = (count: number) => ({
  push: { created: count, deduplicated: 0, remaining: 0, unknown: 0 },
});

const CAPABILITIES = { readBookkeeping: true, writeBookkeeping: true, hmrcSubmission: false };
export const ACCOUNT = { accountId: 'a', plan: 'new', capabilities: CAPABILITIES };

export const REFUSED = 'a proxy or firewall on the way refused the request';
const CHECK = 'check the URL, and whether a proxy on the way changes responses';

/** The message about a response that is not of the API. */
export const notOfTheApi = (reason: string, advice = CHECK) =>
  `The response of URL (${reason}) is not one of the Bookkeeping Ledger API: ${advice}.`;
