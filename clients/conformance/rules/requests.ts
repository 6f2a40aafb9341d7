/** Rules about paths, methods, headers and bodies (docs/api/requests.md). */
import { transactions } from '../account.ts';
import { expectError, expectSame, expectStatus, expectThat, NotChecked } from '../expect.ts';
import type { ConformanceRule } from '../rule.ts';
import { endpoints } from './keys.ts';

const METHODS = 'docs/api/requests.md#methods-and-paths';
const BODIES = 'docs/api/requests.md#bodies';
const REQUEST_IDS = 'docs/api/requests.md#request-ids';
const MIB = 1024 * 1024;

export const requestRules: ConformanceRule[] = [
  {
    id: 'requests.unknown-path',
    page: 'docs/api/error-codes.md#not_found',
    sentence: 'A path that does not exist is 404 not_found.',
    async check({ account }) {
      for (const path of ['/api/v1/receipts', '/api/v1', '/api/v1/sources/x', '/api/v2/me']) {
        expectError(await account.get(path), 404, 'not_found');
      }
    },
  },
  {
    id: 'requests.wrong-method',
    page: 'docs/api/error-codes.md#method_not_allowed',
    sentence: 'Another method of a path is 405 method_not_allowed, and Allow names the methods of the path.',
    async check({ account }) {
      const path = transactions(account.source.id);
      for (const [wrong, methods] of [
        ['/api/v1/me', 'GET, HEAD'],
        ['/api/v1/sources', 'GET, HEAD'],
        ['/api/v1/categories', 'GET, HEAD'],
        [path, 'GET, HEAD, POST'],
      ] as const) {
        for (const method of ['DELETE', 'PUT']) {
          const response = await account.request(wrong, { method });
          expectError(response, 405, 'method_not_allowed');
          const allowed = (response.headers.get('allow') ?? '').split(/\s*,\s*/).sort();
          expectSame(response, allowed, methods.split(', '), 'Allow');
        }
      }
    },
  },
  {
    id: 'requests.head',
    page: METHODS,
    sentence: 'HEAD is accepted wherever GET is, with its status and without a body.',
    async check({ account }) {
      const paths = ['/api/v1/me', '/api/v1/sources', '/api/v1/categories', transactions(account.source.id)];
      for (const path of paths) {
        const response = await account.request(path, { method: 'HEAD' });
        expectStatus(response, 200);
        expectSame(response, response.body, '', 'the body');
      }
      const absent = transactions(crypto.randomUUID());
      expectStatus(await account.request(absent, { method: 'HEAD' }), 404);
    },
  },
  {
    id: 'requests.unknown-parameter',
    page: METHODS,
    sentence: 'A query parameter that the endpoint does not have is 422 invalid_query.',
    async check(context) {
      for (const [path, options] of endpoints(context)) {
        const response = await context.account.request(`${path}?colour=red`, options);
        expectError(response, 422, 'invalid_query', ['/colour']);
      }
    },
  },
  {
    id: 'requests.own-id',
    page: REQUEST_IDS,
    sentence: 'The X-Request-Id of the client comes back: 1 to 128 letters, digits, _, ., : or -.',
    async check({ account }) {
      for (const id of ['a', 'nightly-import_7.b:2', 'x'.repeat(128)]) {
        const response = await account.request('/api/v1/me', { headers: { 'x-request-id': id } });
        expectSame(response, response.headers.get('x-request-id'), id, 'X-Request-Id');
      }
      for (const id of ['x'.repeat(129), 'two words', '<b>']) {
        const response = await account.request('/api/v1/me', { headers: { 'x-request-id': id } });
        const given = response.headers.get('x-request-id');
        expectThat(response, given !== null && given !== id, 'an X-Request-Id of the service');
      }
    },
  },
  {
    id: 'requests.content-type',
    page: BODIES,
    sentence:
      'A body without Content-Type is read as JSON; one that is declared as another type is invalid_json.',
    async check(context) {
      const { account } = context;
      const date = context.day();
      const path = transactions(account.source.id);
      const send = (headers: Record<string, string>) =>
        account.request(path, { method: 'POST', headers, body: JSON.stringify(context.entry(date)) });
      expectStatus(await send({}), 200, 201);
      expectStatus(await send({ 'content-type': 'application/json; charset=utf-8' }), 200, 201);
      for (const type of ['text/plain', 'text/csv', 'application/x-www-form-urlencoded']) {
        expectError(await send({ 'content-type': type }), 400, 'invalid_json');
      }
    },
  },
  {
    id: 'requests.not-json',
    page: 'docs/api/error-codes.md#invalid_json',
    sentence: 'A body that is not JSON in UTF-8 is 400 invalid_json.',
    async check(context) {
      const { account } = context;
      const valid = JSON.stringify(context.entry(context.day()));
      const bodies = [
        '',
        valid.slice(0, -1),
        `[${valid},]`,
        valid.replace('45000', 'NaN'),
        `${valid}${valid}`,
      ];
      for (const body of bodies) expectError(await account.post(body), 400, 'invalid_json');
      const latin1 = new Uint8Array([...new TextEncoder().encode(valid)]);
      latin1[latin1.indexOf(0x63, valid.indexOf('income'))] = 0xe9;
      const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body: latin1 };
      expectError(await account.request(transactions(account.source.id), options), 400, 'invalid_json');
    },
  },
  {
    id: 'requests.compressed',
    page: 'docs/api/error-codes.md#unsupported_encoding',
    sentence: 'A compressed body is 415 unsupported_encoding.',
    async check(context) {
      const entry = context.entry(context.day());
      const headers = { 'content-encoding': 'gzip' };
      expectError(await context.account.post(entry, { headers }), 415, 'unsupported_encoding');
    },
  },
  {
    id: 'requests.body-size',
    page: 'docs/api/limits.md',
    sentence: 'A body of 5 MiB is read, and one byte more is 413 payload_too_large.',
    async check(context) {
      const entry = JSON.stringify(context.entry(context.day()));
      const padded = (size: number) => entry + ' '.repeat(size - entry.length);
      expectStatus(await context.account.post(padded(5 * MIB)), 200, 201);
      expectError(await context.account.post(padded(5 * MIB + 1)), 413, 'payload_too_large');
    },
  },
  {
    id: 'requests.host',
    page: 'docs/api/error-codes.md#invalid_request',
    sentence: 'A malformed Host header is 400 invalid_request.',
    async check({ account }) {
      const response = await account.plain('/api/v1/me', { headers: { host: 'a b' } });
      if (typeof response.body === 'string') {
        throw new NotChecked('Something in front of the service has refused the request.');
      }
      expectError(response, 400, 'invalid_request');
    },
  },
  {
    id: 'requests.silent-body',
    page: 'docs/api/error-codes.md#request_timeout',
    sentence: 'A body that does not arrive within 30 seconds is 408 request_timeout.',
    async check({ account }) {
      const path = transactions(account.source.id);
      const headers = { 'content-type': 'application/json', 'content-length': '1000' };
      expectError(
        await account.plain(path, { method: 'POST', headers, isSilent: true }),
        408,
        'request_timeout',
      );
    },
  },
  {
    id: 'requests.server-error',
    page: 'docs/api/error-codes.md#server_error',
    sentence: 'A failure of the service is 500 or 503 server_error.',
    async check() {
      throw new NotChecked('No client can bring about a failure of the service.');
    },
  },
];
