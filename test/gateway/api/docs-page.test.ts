/** The interactive page over the description: complete without any other host. And how all public pages are served. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { docsFiles, files } from '../../../gateway/routes/files.ts';
import { LIMITS } from '../../../proto/domain.ts';
import { temporaryDirectory } from '../../fixtures/checkout.ts';
import { send, TestAccount } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';
import { requestText, sendBytes } from '../../fixtures/wire.ts';

setDefaultTimeout(60_000);

const DOCS = '/api/v1/docs';
const SCRIPT = `${DOCS}/scalar.js`;
const FILES = [DOCS, '/api/v1/openapi.json', '/api/v1/docs/errors.md', '/llms.txt', '/', '/import'];
const page = await send(DOCS);

test('the page, its assets and the description use up no requests of a key', async () => {
  const { key } = await TestAccount.create();
  const headers = { authorization: `Bearer ${key}` };
  const paths = [SCRIPT, ...FILES];
  for (const path of paths) {
    const response = await send(path, { headers });
    expect([response.status, response.headers.get('x-ratelimit-remaining')]).toEqual([200, null]);
  }
  const me = await send('/api/v1/me', { headers });
  expect(me.headers.get('x-ratelimit-remaining')).toBe(String(LIMITS.requestsPerMinute - 1));
});

const get = (path: string, headers: Record<string, string>) =>
  fetch(system.url + path, { headers, decompress: false } as RequestInit);

test.each([
  ['gzip, deflate, br, zstd', 'gzip'],
  ['GZIP;q=1.0, br;q=0', 'gzip'],
  ['*', 'gzip'],
  ['identity', null],
  ['br, gzip;q=0', null],
  // The weight of a name counts, not the weight of the asterisk.
  ['*, gzip; q=0', null],
  ['*;q=0, gzip;q=0.5', 'gzip'],
  ['', null],
])(
  'for Accept-Encoding %p the description is encoded as %p; the script exists only compressed',
  async (accepted, encoding) => {
    const response = await get('/api/v1/openapi.json', { 'accept-encoding': accepted });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('vary')).toContain('Accept-Encoding');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(JSON.parse(String(encoding === null ? bytes : gunzipSync(bytes)))).toHaveProperty('openapi');

    const script = await get(SCRIPT, { 'accept-encoding': accepted });
    expect([script.status, script.headers.get('content-encoding')]).toEqual([encoding ? 200 : 400, encoding]);
    const text = encoding ? gunzipSync(await script.arrayBuffer()) : await script.text();
    expect(String(text)).toContain(encoding ? 'createApiReference' : 'Accept-Encoding: gzip');
  },
);

test('a client that does not send Accept-Encoding gets the description as it is, and the script compressed', async () => {
  expect(await sendBytes(requestText('HEAD /api/v1/openapi.json'))).not.toMatch(/^content-encoding:/im);
  expect(await sendBytes(requestText(`HEAD ${SCRIPT}`))).toMatch(/^content-encoding: gzip\r$/im);
});

test.each([SCRIPT, ...FILES])(
  '%s: HEAD gets the headers of GET, a browser that has it gets 304, and each encoding has a tag of its own',
  async (path) => {
    const gzip = { 'accept-encoding': 'gzip' };
    const first = await get(path, gzip);
    const head = await fetch(system.url + path, { method: 'HEAD', headers: gzip });
    expect(await head.text()).toBe('');
    for (const name of ['etag', 'content-encoding', 'content-type', 'content-length'])
      expect([name, head.headers.get(name)]).toEqual([name, first.headers.get(name)]);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const again = await get(path, { ...gzip, 'if-none-match': `"other", W/${etag}` });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await get(path, { ...gzip, 'if-none-match': '*' })).status).toBe(304);
    expect((await get(path, { ...gzip, 'if-none-match': '"other"' })).status).toBe(200);
    if (path === SCRIPT) return;
    const identity = await get(path, { 'accept-encoding': 'identity', 'if-none-match': etag });
    expect(identity.status).toBe(200);
    expect(identity.headers.get('etag')).not.toBe(etag);
    expect(String(gunzipSync(await first.arrayBuffer()))).toBe(await identity.text());
  },
);

test('a script that a build has removed since the start is 404, which says what to do', async () => {
  const built = join(temporaryDirectory(), 'scalar.js');
  writeFileSync(`${built}.gz`, gzipSync('script'));
  const app = files(docsFiles(built), { admitsUnauthenticated: () => true });
  const load = () => app.handle(new Request(`http://localhost${SCRIPT}`));
  expect((await load()).status).toBe(200);
  rmSync(`${built}.gz`);
  const response = await load();
  expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('restart')]);
});

test('the content security policy lets a browser load from this service only', () => {
  const inline = [...page.body.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${Bun.CryptoHasher.hash('sha256', script, 'base64')}'`,
  );
  expect(inline).toHaveLength(2);
  expect(page.headers.get('content-security-policy')?.split('; ').sort()).toEqual([
    "base-uri 'none'",
    "connect-src 'self'",
    // What has no directive of its own falls back on this one: fonts, frames, objects, workers.
    "default-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    'img-src data:',
    `script-src 'self' ${inline.join(' ')}`,
    "style-src 'unsafe-inline'",
  ]);
});

// In a browser: docs-page.slow.test.ts.
test.each([
  ...['withDefaultFonts: false', 'telemetry: false', 'agent: { disabled: true }', 'mcp: { disabled: true }'],
  ...["showDeveloperTools: 'never'", 'hideClientButton: true', 'persistAuth: false'],
])('what sends data elsewhere or stores the key is off: %s', (option) => {
  expect(page.body).toContain(`${option},\n`);
  expect(page.body).not.toMatch(/proxy\w*:/i);
});
