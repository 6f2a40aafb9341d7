/** Query parameters that an endpoint does not have: a misspelt filter must not become an unfiltered list. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { rowsOf } from '../../fixtures/books.ts';
import { type ApiResponse, entry, TestAccount } from '../../fixtures/client.ts';
import { failure } from '../../fixtures/endpoints.ts';

setDefaultTimeout(60_000);

const account = await TestAccount.create();
const transactions = account.transactions;
const post = { method: 'POST', body: JSON.stringify(entry()) };
const NONE = 'is not accepted: this endpoint takes no query parameters';

const issues = ({ body }: ApiResponse): [path: string, message: string][] =>
  body.error.issues.map(({ path, message }: Record<string, string>) => [path, message]);

test('a bare question mark and empty separators are no parameters', async () => {
  for (const query of ['?', '?&&&']) {
    for (const path of ['/api/v1/me', '/api/v1/sources', '/api/v1/categories', transactions])
      expect((await account.get(path + query)).status).toBe(200);
    expect((await account.request(transactions + query, post)).status).toBe(201);
  }
});

test('a POST that is refused creates nothing, and its body need not have arrived', async () => {
  const poster = await TestAccount.create();
  const path = `${poster.transactions}?dryRun=true`;
  expect(issues(await poster.request(path, post))).toEqual([['/dryRun', NONE]]);
  const unfinished = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) });
  expect(issues(await poster.request(path, { method: 'POST', body: unfinished }))).toEqual([
    ['/dryRun', NONE],
  ]);
  expect(await rowsOf(poster.accountId)).toEqual([]);
});

describe('an issue names the unknown parameter and the nearest known one', () => {
  const nearest = (name: string) => `is not one of the accepted parameters; did you mean ${name}?`;
  const all = 'is not one of the accepted parameters; accepted: from, to, cursor, limit';

  test.each([
    ['form=2026-01-01', '/form', nearest('from')],
    ['From=2026-01-01', '/From', nearest('from')],
    ['curser=x', '/curser', nearest('cursor')],
    ['limit[]=5', '/limit[]', nearest('limit')],
    ['page=2', '/page', all],
    ['sourceType=uk-property', '/sourceType', all],
    ['limit%00=5', '/limit\0', nearest('limit')],
    ['f%6Frm=1', '/form', nearest('from')],
    ['a/b~c=1', '/a~1b~0c', all],
    ['=1', '/', all],
    ['%F0%9F%8F%A0', '/🏠', all],
    ['%ff=1', '/\ufffd', all],
    ['__proto__=1', '/__proto__', all],
  ])('of transactions: ?%s', async (query, path, message) => {
    const response = await account.get(`${transactions}?${query}`);
    expect(failure(response)).toEqual([422, 'invalid_query']);
    expect(issues(response)).toEqual([[path, message]]);
  });

  test('a long one only by its beginning', async () => {
    const response = await account.get(`${transactions}?${'x'.repeat(3_000)}=1`);
    expect(issues(response)).toEqual([[`/${'x'.repeat(64)}`, all]]);
  });

  test('of categories', async () => {
    const response = await account.get('/api/v1/categories?sourcetype=uk-property');
    expect(issues(response)).toEqual([['/sourcetype', nearest('sourceType')]]);
  });
});

test('of very many parameters the first 100 issues are listed, those of known parameters among them', async () => {
  const unknown = Array.from({ length: 1_000 }, (_, n) => `p${n}`);
  const response = await account.get(`${transactions}?${unknown.join('&')}&l%69mit=0&cursor=x`);
  const expected = ['/limit', '/cursor', ...unknown.slice(0, 98).map((name) => `/${name}`)];
  expect(issues(response).map(([path]) => path)).toEqual(expected);
});
