/** Requests as no well-behaved client sends them: each is answered in the shape of the API. */
import { beforeAll, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { type Answer, TestAccount } from '../client.ts';
import { failure } from '../endpoints.ts';
import { admin, system } from '../system.ts';

let account: TestAccount;
beforeAll(async () => {
  account = await TestAccount.create();
});

/** One request written by hand; its answer's status line, headers and body as text. */
async function raw(request: string): Promise<string> {
  let answer = '';
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port: Number(new URL(system.url).port),
    socket: {
      data(_, bytes) {
        answer += new TextDecoder().decode(bytes);
      },
      close() {
        resolve(answer);
      },
    },
  });
  socket.write(request);
  return promise;
}

const HOSTS = ['x', 'gw', 'localhost:99999', 'a b', '[', '[::1', '%zz', '<x>', '127.0.0.1:abc'];

test.each(HOSTS)('the Host header has no say in the answer: %s', async (host) => {
  const ask = (line: string) =>
    raw(
      `${line} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${account.key}\r\nConnection: close\r\n\r\n`,
    );
  const source = account.sources['uk-property'];
  const page = await ask(`GET /api/v1/sources/${source}/transactions?limit=1`);
  expect(page).toStartWith('HTTP/1.1 200 ');
  expect(page).toContain('"nextCursor":null');
  const categories = await ask('GET /api/v1/categories?sourceType=nope');
  expect(categories).toStartWith('HTTP/1.1 422 ');
  expect(categories).toContain('invalid_source_type');
});

test.each(['x', 'gw', 'api'])('a host name may be short: %s', async (host) => {
  const ask = (line: string) => raw(`${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  expect(await ask('GET /api/v1/docs')).toStartWith('HTTP/1.1 200 ');
  expect(await ask('DELETE /api/v1/me')).toStartWith('HTTP/1.1 405 ');
});

test.each([
  ['a damaged one', '9999-99-99'],
  ['no date at all', 'zzzzzzzzzz'],
  ['a word that the database takes for a date', 'today     '],
  ['infinity', 'infinity  '],
  ['a day that is none', '2026-02-30'],
  ['the year 0000', '0000-01-01'],
])('a cursor that somebody made is refused, its date being %s', async (_, date) => {
  const source = account.sources['uk-property'];
  const position = Buffer.concat([Buffer.from(date), Buffer.alloc(16, 7)]);
  const digest = createHash('sha256').update(`${source}|||`).update(position).digest().subarray(0, 8);
  const answer = await account.page({ cursor: Buffer.concat([digest, position]).toString('base64url') });
  expect(failure(answer)).toEqual([422, 'invalid_query']);
});

const REFUSED: [string, (customer: TestAccount) => Promise<Answer>][] = [
  ['no JSON', (customer) => customer.post('{')],
  ['an empty array', (customer) => customer.post([])],
  ['no valid entry', (customer) => customer.post([{ amountPence: 0 }])],
  ['a compressed body', (customer) => customer.post('x', { headers: { 'content-encoding': 'gzip' } })],
  ['a source that cannot be', (customer) => customer.post({}, { source: 'nope' })],
  ['a page of none', (customer) => customer.page({ limit: 0 })],
  ['a damaged cursor', (customer) => customer.page({ cursor: 'x' })],
  ['a list of no source', (customer) => customer.page({}, 'nope')],
  ['no source type', (customer) => customer.get('/api/v1/categories?sourceType=zz')],
];

/** An account whose key is known to the cache. */
async function knownAccount(): Promise<TestAccount> {
  const customer = await TestAccount.create();
  expect((await customer.get('/api/v1/me')).status).toBe(200);
  return customer;
}

test.each(REFUSED)(
  'a key that lost its access is told so before what else is wrong: %s',
  async (_, request) => {
    const revoked = await knownAccount();
    const { keys } = await admin.listKeys({ accountId: revoked.accountId });
    await admin.revokeKey({ keyId: keys[0]?.keyId ?? '' });
    expect(failure(await request(revoked))).toEqual([401, 'invalid_key']);

    const downgraded = await knownAccount();
    await admin.setPlan({ accountId: downgraded.accountId, plan: 'free' });
    expect(failure(await request(downgraded))).toEqual([403, 'upgrade_required']);
  },
);
