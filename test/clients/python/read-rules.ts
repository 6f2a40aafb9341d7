/** Rules of reads. */
import type { Action } from '../proxy.ts';
import type { Call } from './library-call.ts';
import { ACCOUNT, failure, inOrder, json, notOfTheApi, REFUSED, type Rule } from './rules.ts';

const SET = { income: [{ key: 'k', label: 'l', newer: 1 }], expense: [] };
const SETS = { 'uk-property': SET, 'foreign-property': SET, 'self-employment': SET };
const SOURCE = {
  ...{ id: 's', name: 'n', type: 'new', countryCode: null, role: 'owner', sharePercent: 50.5 },
  transactionCount: 0,
};
const me = { method: 'me' } as const;
const stored = (id: string) => ({
  ...{ id, date: '2026-04-06', type: 'income', category: null, amountPence: 1, description: null },
  ...{ externalRef: null, newer: { a: 1 } },
});
const page = (ids: string[], nextCursor: string | null) =>
  json(200, { transactions: ids.map(stored), nextCursor, newer: true });
const ofMe = (
  name: string,
  response: Action,
  report: Required<Rule>['report'],
  more: Partial<Rule> = {},
): Rule => ({
  name,
  call: me,
  service: () => response,
  requests: ['GET /api/v1/me'],
  report,
  ...more,
});
function large(status: number, isCompressed: boolean): Action {
  const body = JSON.stringify({ ...ACCOUNT, note: 'x'.repeat(1_000) });
  return isCompressed
    ? { status, headers: { 'content-encoding': 'gzip' }, body: Bun.gzipSync(body) }
    : { status, body };
}

const PASSWORD =
  'a proxy on the way asks for a user name and a password: HTTPS_PROXY has them before the host';
const TOO_LARGE = 'a proxy on the way accepts no request of this size: its limit must be 5 MiB or more';
const PAGE = 'GET /api/v1/sources/source-1/transactions?limit=200';

const withRight = (writeBookkeeping: unknown) => ({
  ...ACCOUNT,
  capabilities: { ...ACCOUNT.capabilities, writeBookkeeping },
});

/** Success of another service, or of one that is not as described. */
const WRONG: [name: string, call: Call, body: unknown, place: string][] = [
  ['an account', me, { status: 'ok' }, '/accountId'],
  ['an account with a text in the place of a right', me, withRight('yes'), '/capabilities/writeBookkeeping'],
  ['an account whose note is null', me, { ...ACCOUNT, note: null }, '/note'],
  ['sources', { method: 'sources' }, { status: 'ok' }, '/sources'],
  ['sources that are null', { method: 'sources' }, { sources: null }, '/sources'],
  [
    'one of the sources',
    { method: 'sources' },
    { sources: [SOURCE, { ...SOURCE, role: 'x' }] },
    '/sources/1/role',
  ],
  [
    'categories',
    { method: 'categories' },
    { ...SETS, 'uk-property': { income: [] } },
    '/uk-property/expense',
  ],
  ['categories of a type', { method: 'categories', arguments: ['uk-property'] }, SETS, '/income'],
  ...(
    [
      ['no amount', { amountPence: undefined }, 'amountPence'],
      ['a fraction of a penny', { amountPence: 0.5 }, 'amountPence'],
      ['an amount that is not exact', { amountPence: 2 ** 53 }, 'amountPence'],
      ['a third type', { type: 'transfer' }, 'type'],
      ['a category that is a number', { category: 5 }, 'category'],
    ] as const
  ).map(([name, fields, member]): (typeof WRONG)[number] => {
    const transactions = [stored('1'), { ...stored('2'), ...fields }];
    const body = { transactions, nextCursor: null };
    return [`an entry with ${name}`, { method: 'transactions' }, body, `/transactions/1/${member}`];
  }),
  ['a page without the next one', { method: 'transactions' }, { transactions: [] }, '/nextCursor'],
];

export const READ_RULES: Rule[] = [
  ofMe(
    'me is the account, with members that the library does not know',
    json(200, { ...ACCOUNT, newer: [1] }),
    { value: { ...ACCOUNT, newer: [1] } },
    { path: '/' },
  ),
  ...(
    [
      ['sources', { method: 'sources' }, 'sources', { sources: [{ ...SOURCE, newer: 1 }] }],
      ['categories of all types', { method: 'categories' }, 'categories', SETS],
      [
        'categories of one type',
        { method: 'categories', arguments: ['self-employment'] },
        'categories?sourceType=self-employment',
        SET,
      ],
    ] as const
  ).map(
    ([name, call, path, body]): Rule => ({
      name: `${name} are those of the response`,
      call: call as Call,
      service: () => json(200, body),
      requests: [`GET /api/v1/${path}`],
      report: { value: 'sources' in body ? body.sources : body },
    }),
  ),
  {
    name: 'transactions are read over all pages, an empty one included',
    call: { method: 'transactions', from: '2026-04-06', to: '2027-04-05' },
    service: inOrder([page(['1', '2'], 'a+b/=&ü'), page([], 'c'), page(['3'], null)]),
    requests: [
      `${PAGE}&from=2026-04-06&to=2027-04-05`,
      `${PAGE}&from=2026-04-06&to=2027-04-05&cursor=a%2Bb%2F%3D%26%C3%BC`,
      `${PAGE}&from=2026-04-06&to=2027-04-05&cursor=c`,
    ],
    report: { value: ['1', '2', '3'].map(stored) },
  },
  {
    name: 'a page that fails is read again; entries are not repeated',
    call: { method: 'transactions' },
    service: inOrder([
      // The first on its connection: `fetch` of Bun repeats a read by itself on a connection that it has used before.
      'drop request',
      page(['1'], 'c'),
      failure(429, 'rate_limited', {}, { 'retry-after': '1' }),
      { status: 503, body: '' },
      page(['2'], null),
    ]),
    requests: [PAGE, PAGE, ...Array(3).fill(`${PAGE}&cursor=c`)],
    pauses: [
      ['unavailable', 0.2, 0.4],
      ['minute_limit', 1, 1.2],
      ['unavailable', 0.2, 0.4],
    ],
    report: { value: ['1', '2'].map(stored) },
  },
  {
    name: 'an error after the first page follows its entries',
    call: { method: 'transactions' },
    service: inOrder([page(['1'], 'c'), failure(404, 'source_not_found')]),
    requests: [PAGE, `${PAGE}&cursor=c`],
    report: { value: [stored('1')], error: { code: 'source_not_found', status: 404 } },
  },
  {
    name: 'a query that is refused has issues of its parameters',
    call: { method: 'transactions', from: '' },
    service: () => failure(422, 'invalid_query', { issues: [{ path: '/from', message: 'must be a date' }] }),
    requests: [`${PAGE}&from=`],
    report: {
      value: [],
      error: { code: 'invalid_query', issues: [{ path: '/from', message: 'must be a date' }] },
    },
  },
  ofMe('an invalid key is not tried again', failure(401, 'invalid_key', {}, { 'x-request-id': 'r-2' }), {
    error: { code: 'invalid_key', status: 401, requestId: 'r-2', message: 'The code is invalid_key.' },
  }),
  ofMe(
    'interim responses precede the response',
    { ...json(200, ACCOUNT), hasHints: true },
    { value: ACCOUNT },
  ),
  ofMe(
    'a response that comes byte by byte is given up after the timeout of the attempt',
    { ...json(200, { ...ACCOUNT, note: 'x'.repeat(1_000) }), isSlow: true },
    { error: { code: 'unreachable' } },
    { retryTimeoutMs: 0, options: { attemptTimeoutMs: 300 } },
  ),
  ...([200, 403] as const).flatMap((status) =>
    ([false, true] as const).map((isCompressed) =>
      ofMe(
        `a response that is too large is not read to its end: ${status}, ${isCompressed ? 'compressed' : 'as it is'}`,
        large(status, isCompressed),
        {
          error: {
            ...{ code: 'unexpected_response', status },
            message: notOfTheApi('more than 1000 bytes', ...(status === 403 ? [REFUSED] : [])),
          },
        },
        { options: { responseBytesMax: 1_000 } },
      ),
    ),
  ),
  ofMe(
    'a connection that breaks is given up after the timeout',
    'drop request',
    { error: { code: 'unreachable' } },
    { retryTimeoutMs: 0 },
  ),
  ...(
    [
      ['an error without a code', 400, '{"error":{"message":"m"}}'],
      ['an error that is a text', 404, 'Not Found'],
      ['an empty success', 200, ''],
      ['a success without content', 204, ''],
      ['a success that is a number', 200, '5'],
    ] as const
  ).map(([name, status, body]) => {
    const headers = { 'x-request-id': 'r-3', 'content-length': `${body.length}` };
    const message = notOfTheApi(`status ${status}`);
    const error = { code: 'unexpected_response', status, requestId: 'r-3', message };
    return ofMe(`${name} is not of the API`, { status, headers, body }, { error });
  }),
  ofMe(
    'a 407 of a proxy is not tried again',
    { status: 407, body: '<html>' },
    { error: { code: 'unexpected_response', status: 407, message: notOfTheApi('status 407', PASSWORD) } },
  ),
  ofMe(
    'a 413 of a proxy is not tried again',
    { status: 413, body: '<html>' },
    { error: { code: 'unexpected_response', status: 413, message: notOfTheApi('status 413', TOO_LARGE) } },
  ),
  ofMe(
    'a 408 of a proxy is tried again',
    json(200, ACCOUNT),
    { value: ACCOUNT },
    {
      service: inOrder([{ status: 408, body: '<html>' }], () => json(200, ACCOUNT)),
      requests: Array(2).fill('GET /api/v1/me'),
      pauses: [['unavailable', 0.2, 0.4]],
    },
  ),
  ...WRONG.map(([name, call, body, place]): Rule => {
    const message = notOfTheApi(`status 200, ${place} is missing or wrong`);
    const query = 'arguments' in call ? `?sourceType=${call.arguments}` : '';
    return {
      name: `a response is not of the API: ${name}`,
      call,
      service: () => json(200, body as object),
      requests: [call.method === 'transactions' ? PAGE : `GET /api/v1/${call.method}${query}`],
      report: { error: { code: 'unexpected_response', status: 200, message } },
    };
  }),
  ...(
    [
      [301, 'https://user:s3cret@other.example:8443/path?key=s3cret#s3cret', 'https://other.example:8443'],
      [302, '//other.example/x', 'http://other.example'],
      [303, '/elsewhere', 'URL'],
      [307, 'javascript:alert(1)', 'another address'],
      [308, undefined, 'another address'],
    ] as const
  ).map(([status, location, target]) => {
    const headers = location === undefined ? {} : { location };
    const message = `The service redirects to ${target}, and no redirect is followed: the key and the entries would go there. If that is the service, use its URL.`;
    return ofMe(
      `a redirect to ${location} is not followed, and names ${target}`,
      { status, headers, body: '' },
      { error: { code: 'unexpected_response', status, message } },
    );
  }),
];
