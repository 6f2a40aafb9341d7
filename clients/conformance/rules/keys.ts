/** Rules about API keys (docs/api/requests.md, docs/api/error-codes.md). */
import { transactions } from '../account.ts';
import type { Context } from '../context.ts';
import type { Exchange, Json, RequestOptions } from '../exchange.ts';
import { expectError, expectSame, expectStatus, expectThat, NotChecked } from '../expect.ts';
import type { ConformanceRule } from '../rule.ts';

const PAGE = 'docs/api/requests.md#authentication';

/** A valid request for every endpoint that needs a key. */
export function endpoints(context: Context): [path: string, options: RequestOptions][] {
  const path = transactions(context.account.source.id);
  const body = JSON.stringify(context.entry(context.day()));
  const headers = { 'content-type': 'application/json' };
  return [
    ['/api/v1/me', {}],
    ['/api/v1/sources', {}],
    ['/api/v1/categories', {}],
    [path, {}],
    [path, { method: 'POST', headers, body }],
  ];
}

/** Sends a request to each endpoint with this Authorization header, or without one. */
async function expectRefusedKey(
  context: Context,
  authorization: string | undefined,
  code: string,
): Promise<void> {
  for (const [path, options] of endpoints(context)) {
    const headers = { ...options.headers, ...(authorization !== undefined && { authorization }) };
    const response = await context.account.stranger(path, { ...options, headers });
    expectError(response, 401, code);
    const challenge = response.headers.get('www-authenticate');
    expectThat(response, challenge !== null, 'the header WWW-Authenticate');
  }
}

/** Requests with a key that reads only. @throws NotChecked without one */
function reader({ account, options }: Context) {
  const { readOnlyKey } = options;
  if (readOnlyKey === undefined) {
    throw new NotChecked('It needs a key that reads only, in LEDGER_READ_ONLY_API_KEY.');
  }
  return async (path: string, request: RequestOptions = {}) => {
    const headers = { ...request.headers, authorization: `Bearer ${readOnlyKey}` };
    return account.stranger(path, { ...request, headers });
  };
}

/** The first source of the key's account. @throws NotChecked without one */
async function firstSource(
  request: ReturnType<typeof reader>,
): Promise<{ response: Exchange; source: Json }> {
  const response = await request('/api/v1/sources');
  expectStatus(response, 200);
  const [source] = response.body.sources;
  if (!source) throw new NotChecked('The account of LEDGER_READ_ONLY_API_KEY needs a source.');
  return { response, source };
}

export const keyRules: ConformanceRule[] = [
  {
    id: 'keys.missing',
    page: 'docs/api/error-codes.md#missing_key',
    sentence: 'Without a key every endpoint responds 401 missing_key.',
    check: (context) => expectRefusedKey(context, undefined, 'missing_key'),
  },
  {
    id: 'keys.other-scheme',
    page: PAGE,
    sentence: 'A key is sent as Bearer: another scheme is no key.',
    check: (context) => expectRefusedKey(context, 'Basic dXNlcjpwYXNzd29yZA==', 'missing_key'),
  },
  {
    id: 'keys.malformed',
    page: 'docs/api/error-codes.md#invalid_key',
    sentence: 'A key of the wrong form is 401 invalid_key on every endpoint.',
    check: (context) => expectRefusedKey(context, 'Bearer conformance', 'invalid_key'),
  },
  {
    id: 'keys.unknown',
    page: 'docs/api/error-codes.md#invalid_key',
    sentence: 'A key that does not exist is 401 invalid_key on every endpoint.',
    check(context) {
      const { key } = context.account.options;
      const other = key.endsWith('A') ? 'B' : 'A';
      return expectRefusedKey(context, `Bearer ${key.slice(0, -1)}${other}`, 'invalid_key');
    },
  },
  {
    id: 'keys.scheme-case',
    page: PAGE,
    sentence: 'The scheme Bearer is not case-sensitive.',
    async check({ account }) {
      for (const scheme of ['bearer', 'BEARER']) {
        const headers = { authorization: `${scheme} ${account.options.key}` };
        expectStatus(await account.request('/api/v1/me', { headers }), 200);
      }
    },
  },
  {
    id: 'keys.first',
    page: 'docs/api/errors.md#what-to-do',
    sentence: 'An invalid key is reported before all that is wrong with the request otherwise.',
    async check({ account }) {
      const headers = { authorization: 'Bearer conformance', 'content-type': 'application/json' };
      const path = transactions(crypto.randomUUID());
      for (const [query, body] of [
        ['', '{"date":'],
        ['?colour=red', '[]'],
        ['', '[{}]'],
      ]) {
        const response = await account.stranger(path + query, { method: 'POST', headers, body: `${body}` });
        expectError(response, 401, 'invalid_key');
      }
    },
  },
  {
    id: 'keys.upgrade-required',
    page: 'docs/api/error-codes.md#upgrade_required',
    sentence: 'A key whose plan has no API access is 403 upgrade_required on every endpoint.',
    async check(context) {
      const { freeKey } = context.options;
      if (freeKey === undefined) {
        throw new NotChecked('It needs the key of an account of the plan free, in LEDGER_FREE_API_KEY.');
      }
      for (const [path, options] of endpoints(context)) {
        const headers = { ...options.headers, authorization: `Bearer ${freeKey}` };
        expectError(await context.account.stranger(path, { ...options, headers }), 403, 'upgrade_required');
      }
    },
  },
  {
    id: 'keys.read-only-reads',
    page: PAGE,
    sentence: 'A key that reads only reads at every endpoint.',
    async check(context) {
      const request = reader(context);
      const { source } = await firstSource(request);
      for (const path of ['/api/v1/me', '/api/v1/categories', transactions(source.id)])
        expectStatus(await request(path), 200);
    },
  },
  {
    id: 'keys.read-only-writes',
    page: 'docs/api/error-codes.md#read_only_key',
    sentence:
      'A POST with a key that reads only is 403 read_only_key, whatever its body, and creates nothing.',
    async check(context) {
      const request = reader(context);
      const { source } = await firstSource(request);
      const headers = { 'content-type': 'application/json' };
      for (const body of [JSON.stringify(context.entry(context.day())), '{"date":', '[]']) {
        const response = await request(transactions(source.id), { method: 'POST', headers, body });
        expectError(response, 403, 'read_only_key');
      }
      const { response, source: after } = await firstSource(request);
      expectSame(response, after.transactionCount, source.transactionCount, 'transactionCount');
    },
  },
  {
    id: 'keys.read-only-me',
    page: PAGE,
    sentence: 'GET /me says that a key that reads only cannot write.',
    async check(context) {
      const response = await reader(context)('/api/v1/me');
      expectStatus(response, 200);
      const { readBookkeeping, writeBookkeeping } = response.body.capabilities;
      expectSame(
        response,
        [readBookkeeping, writeBookkeeping],
        [true, false],
        'the rights to read and write',
      );
    },
  },
  {
    id: 'keys.revoked',
    page: PAGE,
    sentence: 'A revoked key is refused from the next request on.',
    async check() {
      throw new NotChecked('Keys are revoked in the app, not through the API.');
    },
  },
];
