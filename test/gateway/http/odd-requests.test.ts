/** Requests that no well-behaved client sends: each gets a response in the shape of the API. */
import { expect, test } from 'bun:test';
import { rowsOf } from '../../fixtures/books.ts';
import { type ApiResponse, entry, TestAccount } from '../../fixtures/client.ts';
import { failure } from '../../fixtures/endpoints.ts';
import { admin } from '../../fixtures/system.ts';
import { sendBytes } from '../../fixtures/wire.ts';

const account = await TestAccount.create();

const PATHS = ['/api/v1/me', '/api/v1/openapi.json', '/api/v1/docs', '/healthz', '/readyz', '/nowhere', '/'];

/** The response to a request whose head has these lines beside its key. */
const responseTo = (line: string, ...headers: string[]) =>
  sendBytes(
    `${[line, `Authorization: Bearer ${account.key}`, 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`,
  );

const NO_HOSTS = [
  ...['a b', 'x, x', '', ' ', 'a\tb'],
  ...'x,y . a..b .a * <x> %zz a%41 a/b a?b a#b a\\b é'.split(' '),
  ...'http://x/ http://x //x user@x user:pass@x x:99999 x:65536 x:abc x:-1 x:1:2 :80'.split(' '),
  ...'[ ] [] [::1 ::1 [::1]x [fe80::1%eth0] [::1]:x [::1]:99999 [::zz] [x] [127.0.0.1] [::1]]'.split(' '),
];

test.each(NO_HOSTS)('a Host header that is not a host is refused: %j', async (host) => {
  const response = await responseTo('GET /api/v1/me HTTP/1.1', `Host: ${host}`);
  expect(response).toStartWith('HTTP/1.1 400 ');
  const { error } = JSON.parse(response.slice(response.indexOf('\r\n\r\n')));
  expect(error).toEqual({ code: 'invalid_request', message: expect.stringContaining('Host') });
  expect(response).toMatch(/^x-request-id: \S+\r$/im);
});

const HOSTS = [
  ...'gw GW gw:3000 gw: gw:0 gw:65535 gw. gw.:80 xn--bcher-kva.example 1.example 10.0.0.1:80'.split(' '),
  ...'[::1] [2001:DB8::1]:8443 [::ffff:10.0.0.1] ledger_gateway_1 ledger-gateway-1:3000 _x'.split(' '),
  ...[' gw ', 'a'.repeat(63), `${'a.'.repeat(100)}example`],
];

test.each(HOSTS)('any valid host is accepted: %j', async (host) => {
  expect(await responseTo('GET /readyz HTTP/1.1', `Host: ${host}`)).toStartWith('HTTP/1.1 200 ');
});

test.each([...PATHS, '/api/v1/sources', '/api/v1/categories', '/api/v1/docs/scalar.js'])(
  'two Host headers are refused, and one that is no host: %s',
  async (path) => {
    for (const hosts of [['x', 'x'], ['x', ''], ['a b']]) {
      for (const method of ['GET', 'HEAD', 'POST']) {
        const headers = hosts.map((host) => `Host: ${host}`);
        const response = await responseTo(`${method} ${path} HTTP/1.1`, ...headers);
        expect(response).toStartWith('HTTP/1.1 400 ');
        expect(response.includes('"code":"invalid_request"')).toBe(method !== 'HEAD');
      }
    }
  },
);

test('HTTP/1.1 without a Host header is refused, HTTP/1.0 is not', async () => {
  // Bun refuses it before any route: without a body.
  expect(await responseTo('GET /api/v1/me HTTP/1.1')).toMatch(
    /^HTTP\/1\.1 400 [^\r]*\r\nConnection: close\r\n\r\n$/,
  );
  expect(await responseTo('GET /api/v1/me HTTP/1.0')).toStartWith('HTTP/1.1 200 ');
  expect(await responseTo('GET /readyz HTTP/1.0')).toStartWith('HTTP/1.1 200 ');
});

test.each(['/healthz', '/readyz', '/'])('other methods than GET and HEAD are 405: %s', async (path) => {
  for (const method of ['POST', 'DELETE', 'OPTIONS', 'QUERY']) {
    const response = await responseTo(`${method} ${path} HTTP/1.1`, 'Host: gw');
    expect(response).toStartWith('HTTP/1.1 405 ');
    expect(response).toMatch(/^allow: GET, HEAD\r$/im);
  }
});

test('an error quotes no half of a surrogate pair', async () => {
  const { status, body } = await account.post(String.raw`{"\ud800": 1, "a\udc00/~": 2}`);
  const paths = body.error.issues.map(({ path }: { path: string }) => path);
  expect([status, paths]).toEqual([422, expect.arrayContaining(['/\ufffd', '/a\ufffd~1~0'])]);
});

/** A whole POST of an entry, in one packet, with more behind its body than HTTP allows or Bun accepts. */
const WITH_MORE: [what: string, framing: string, body: (json: string) => string][] = [
  ['a line break', 'Content-Length: LENGTH', (json) => `${json}\r\n`],
  [
    'a trailer',
    'Transfer-Encoding: chunked',
    (json) => `${json.length.toString(16)}\r\n${json}\r\n0\r\nX-T: 1\r\n\r\n`,
  ],
];

test.each(WITH_MORE)('a bare 400 for %s behind the body stores nothing', async (_, framing, body) => {
  const json = JSON.stringify(entry());
  const customer = await TestAccount.create();
  // Now the gateway knows the key: the lookup of an unknown one ends with the connection.
  expect((await customer.get('/api/v1/me')).status).toBe(200);
  const path = customer.transactions;
  const head = [`POST ${path} HTTP/1.1`, 'Host: gw', `Authorization: Bearer ${customer.key}`];
  const lines = [...head, framing.replace('LENGTH', String(json.length)), '', body(json)];
  expect(await sendBytes(lines.join('\r\n'))).toMatch(/^HTTP\/1\.1 400 [^{]*$/);
  // Whatever the gateway still had to do for it is done before the next write of the account.
  expect((await customer.post(entry())).status).toBe(201);
  expect(await rowsOf(customer.accountId)).toHaveLength(1);
});

const REFUSED: [string, (customer: TestAccount) => Promise<ApiResponse>][] = [
  ['no JSON', (customer) => customer.post('{')],
  ['no valid entry', (customer) => customer.post([{ amountPence: 0 }])],
  ['a compressed body', (customer) => customer.post('x', { headers: { 'content-encoding': 'gzip' } })],
  ['a source that cannot be', (customer) => customer.post({}, { source: 'nope' })],
  ['a page of none', (customer) => customer.page({ limit: 0 })],
  ['a list of no source', (customer) => customer.page({}, 'nope')],
  ['no source type', (customer) => customer.get('/api/v1/categories?sourceType=zz')],
];

test.each(REFUSED)('a key that lost its access gets that error before any other: %s', async (_, request) => {
  const customer = await TestAccount.create();
  const { accountId } = customer;
  // Now the cache knows the key.
  expect((await customer.get('/api/v1/me')).status).toBe(200);
  await admin.setPlan({ accountId, plan: 'free' });
  expect(failure(await request(customer))).toEqual([403, 'upgrade_required']);
  const { keys } = await admin.listKeys({ accountId });
  await admin.revokeKey({ keyId: keys[0]?.keyId ?? '' });
  expect(failure(await request(customer))).toEqual([401, 'invalid_key']);
});
