/** Writes whose response is lost, and what comes after them, for each client. */
import { rowsOf } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { type Action, startProxy } from '../proxy.ts';

export const ofApi = (status: number, code: string, members: object = {}) => ({
  status,
  body: JSON.stringify({ error: { code, message: `The code is ${code}.`, ...members } }),
});
const WEB_PAGE = { headers: { 'content-type': 'text/html' }, body: '<html>' };
export const REDIRECT = { status: 302, headers: { location: 'https://other.example/' }, body: '' };
export const OTHER_SERVER = ofApi(401, 'invalid_key');

/** Three entries were created, and `conflicts` are null, which the API never has. */
const RESULT = JSON.stringify({
  ...{ created: 3, deduplicated: 0, existing: [], conflicts: null },
  transactions: Array(3).fill({ id: '019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8e', externalRef: null }),
});

/** The service stores the entries, and its response to the first attempt does not arrive. */
const LOST: [name: string, first: Action][] = [
  ['is cut', 'drop response'],
  ['is reset', 'reset response'],
  ['is cut in its middle', 'truncate response'],
  ['is a web page with status 200', 'replace response'],
  ['is a 502 of a proxy', { status: 502, ...WEB_PAGE, isPassed: true }],
  ['is a 504 of a proxy', { status: 504, ...WEB_PAGE, isPassed: true }],
  ['is a 403 of a firewall', { status: 403, ...WEB_PAGE, isPassed: true }],
  ['is a 407 of a proxy', { status: 407, ...WEB_PAGE, isPassed: true }],
  ['is a 408 of a proxy', { status: 408, ...WEB_PAGE, isPassed: true }],
  ['is a 413 of a proxy', { status: 413, ...WEB_PAGE, isPassed: true }],
  ['is the JSON of another service', { status: 200, body: '{"status":"ok"}', isPassed: true }],
  ['has a member that is null', { status: 201, body: RESULT, isPassed: true }],
  ['is too large', { status: 201, body: `"${'x'.repeat(17 * 1024 * 1024)}"`, isPassed: true }],
  ['is a redirect', { ...REDIRECT, isPassed: true }],
  ['is a 503 of the service', { ...ofApi(503, 'server_error'), isPassed: true }],
];

/** The response to each further attempt. */
const LATER: [name: string, later: Action][] = [
  ['a 401', OTHER_SERVER],
  ['a 403', ofApi(403, 'upgrade_required')],
  ['a 404', ofApi(404, 'source_not_found')],
  ['a 409 with a new code', ofApi(409, 'a_new_code')],
  ['a 422', ofApi(422, 'invalid_transaction', { issues: [{ path: '/1/date', message: 'is wrong' }] })],
  ['the daily cap', ofApi(429, 'daily_cap', { remaining: 0, retryAfterSeconds: 3_600 })],
  ['a 407 of a proxy', { status: 407, ...WEB_PAGE }],
  ['the JSON of another service', { status: 201, body: '{"status":"ok"}' }],
  ['a 401 of a proxy', { status: 401, ...WEB_PAGE }],
  ['a 404 of a web server', { status: 404, ...WEB_PAGE }],
  ['a redirect', REDIRECT],
  ['a web page with status 200', { status: 200, ...WEB_PAGE }],
];

export const CASES = [
  ...LOST.map(([name, first]) => [`the response ${name}, then comes a 401`, first, OTHER_SERVER] as const),
  ...LATER.slice(1).map(
    ([name, later]) => [`the response is cut, then comes ${name}`, 'drop response', later] as const,
  ),
];

export interface Service extends Awaited<ReturnType<typeof startProxy>> {
  account: TestAccount;
  stored(): Promise<number>;
  /** Idempotency-Keys of the writes. */
  keys(): (string | undefined)[];
  /** From now on every request passes. */
  recover(): void;
}

/** The service behind a proxy that does this with the writes, in order, and the last of it with all further ones. */
export async function unreliable(
  actions: readonly Action[],
  { areReadsLost = false }: { areReadsLost?: boolean } = {},
): Promise<Service> {
  const account = await TestAccount.create();
  const last = actions.at(-1) as Action;
  let [posts, isWorking] = [0, false];
  const proxy = await startProxy(({ method }) => {
    if (isWorking) return 'pass';
    if (method !== 'POST') return posts > 0 && areReadsLost ? last : 'pass';
    return actions[posts++] ?? last;
  });
  return {
    ...proxy,
    account,
    stored: async () => (await rowsOf(account.accountId)).length,
    keys: () =>
      proxy.requests.flatMap(({ method, idempotencyKey }) => (method === 'POST' ? idempotencyKey : [])),
    recover() {
      isWorking = true;
    },
  };
}
