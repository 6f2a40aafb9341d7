/** Large pages and lists are compressed for clients that accept gzip (docs/api/requests.md). */
import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { gunzipSync } from 'node:zlib';
import { entry, TestAccount } from '../fixtures/client.ts';
import { bearer } from '../fixtures/endpoints.ts';
import { admin, system } from '../fixtures/system.ts';
import { requestText, sendBytes } from '../fixtures/wire.ts';

setDefaultTimeout(60_000);

const account = await TestAccount.create();
const path = account.transactions;
const LARGE = `${path}?limit=200`;
const SMALL = `${path}?limit=50`;

beforeAll(async () => {
  const named = (n: number) => entry({ description: `Rent Smith, flat ${n}`, externalRef: `bank-2026-${n}` });
  expect((await account.post(Array.from({ length: 200 }, (_, n) => named(n)))).status).toBe(201);
});

const get = async (url: string, accepted: string, method = 'GET') =>
  fetch(system.url + url, {
    method,
    headers: { ...bearer(await account.takeKey()), 'accept-encoding': accepted },
    decompress: false,
  } as RequestInit);

async function read(url: string, accepted: string) {
  const response = await get(url, accepted);
  const body = Buffer.from(await response.arrayBuffer());
  const encoding = response.headers.get('content-encoding');
  const text = String(encoding === 'gzip' ? gunzipSync(body) : body);
  return { encoding, size: body.length, text, vary: response.headers.get('vary'), status: response.status };
}

test.each([
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'gzip'],
  ['br;q=1.0, GZIP;q=0.001', 'gzip'],
  ['*', 'gzip'],
  ['gzip, *;q=0', 'gzip'],
  ['gzip;q=0', null],
  ['*, gzip; q=0.000', null],
  ['*;q=0', null],
  ['br, deflate', null],
  ['identity', null],
  ['gzip;q=x', null],
])(
  'for Accept-Encoding %p a page of 200 entries is encoded as %p, and is the same',
  async (accepted, encoding) => {
    const asItIs = await read(LARGE, 'identity');
    const page = await read(LARGE, accepted);
    expect(page).toMatchObject({ status: 200, encoding, text: asItIs.text, vary: 'Accept-Encoding' });
    expect(JSON.parse(page.text).transactions).toHaveLength(200);
    expect(asItIs.size).toBe(asItIs.text.length);
    if (encoding) expect(page.size).toBeLessThan(asItIs.size / 4);
    else expect(page.size).toBe(asItIs.size);
  },
);

test('a client that does not send Accept-Encoding gets the page as it is', async () => {
  const response = await sendBytes(requestText(`GET ${LARGE}`, [`Authorization: Bearer ${account.key}`]));
  expect(response).not.toMatch(/^content-encoding/im);
  expect(response).toContain('"nextCursor":null}');
});

test('a page below 15,000 bytes is the same for every client', async () => {
  const page = await read(SMALL, 'gzip');
  expect(page).toMatchObject({ status: 200, encoding: null, vary: null });
  expect(page.size).toBeWithin(5_000, 15_000);
});

test.each(['gzip', 'identity'])('HEAD with Accept-Encoding %p has the headers of GET', async (accepted) => {
  const headersOf = (response: Response) =>
    ['content-encoding', 'content-length', 'content-type', 'vary', 'etag'].map((name) =>
      response.headers.get(name),
    );
  const page = await get(LARGE, accepted);
  expect(headersOf(await get(LARGE, accepted, 'HEAD'))).toEqual(headersOf(page));
  await page.arrayBuffer();
});

test('a long list of sources is compressed too, and an error is not', async () => {
  const { accountId, key } = await TestAccount.create();
  const source = { accountId, type: 'uk-property', role: 'owner', sharePercent: 100 };
  for (let n = 0; n < 90; n++) await admin.createSource({ ...source, name: `${n} Acacia Avenue` });
  const headers = { ...bearer(key), 'accept-encoding': 'gzip' };
  const list = await fetch(`${system.url}/api/v1/sources`, { headers, decompress: false } as RequestInit);
  expect([list.status, list.headers.get('content-encoding')]).toEqual([200, 'gzip']);
  const { sources } = JSON.parse(String(gunzipSync(await list.arrayBuffer())));
  expect(sources).toHaveLength(93);
  const refused = await get(`${LARGE}&colour=red`, 'gzip');
  expect([refused.status, refused.headers.get('content-encoding')]).toEqual([422, null]);
});
