/** The import page and the home page as the gateway serves them: headers, encodings, caching, and the switch. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Elysia } from 'elysia';
import { files, readImportPage, webFiles } from '../../gateway/routes/files.ts';
import { send } from '../fixtures/client.ts';
import { secondGateway } from '../fixtures/second-gateway.ts';
import { system } from '../fixtures/system.ts';

setDefaultTimeout(60_000);

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(system.url + path, {
    headers: { 'accept-encoding': 'gzip', ...headers },
    decompress: false,
  } as RequestInit);

const html = await (await get('/import', { 'accept-encoding': 'identity' })).text();
const named = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path);
const assets = named.filter((path) => !path.endsWith('.txt'));
const script = assets.find((path) => path.endsWith('.js')) ?? '';

test('the page and everything that it names is served, without a key', async () => {
  expect(assets).toHaveLength(2);
  for (const path of ['/import', '/import/', ...named]) {
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers.get('x-request-id')).toMatch(/\S/);
  }
  expect((await get(script)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const type = async (path = '') => (await get(path)).headers.get('content-type');
  expect(await type('/import')).toBe('text/html; charset=utf-8');
  expect(await type(script)).toBe('text/javascript; charset=utf-8');
  expect(await type(assets.find((path) => path.endsWith('.css')))).toBe('text/css; charset=utf-8');
});

test('the page links the licences of the packages that it contains', async () => {
  const response = await get(named.find((path) => path.endsWith('.txt')) ?? '');
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const text = new TextDecoder().decode(Bun.gunzipSync(await response.arrayBuffer()));
  for (const name of ['preact', 'fflate']) expect(text).toContain(`${name} `);
});

const BYTES_MAX = 250_000;

test('all files of the page have less than 250,000 bytes, compressed', () => {
  const folder = join(import.meta.dir, '../../clients/web/dist');
  const names = readdirSync(folder);
  expect(names).toEqual(expect.arrayContaining(assets.map((path) => `${basename(path)}.gz`)));
  const kinds = ['main', 'reader-worker', 'style', 'third-party'];
  expect(kinds.filter((kind) => !names.some((name) => name.startsWith(`${kind}-`)))).toEqual([]);
  const bytes = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  expect(bytes).toBeLessThan(BYTES_MAX);
});

test('the content security policy allows this service only, and nothing inline', async () => {
  const { headers } = await get('/import');
  expect(headers.get('content-security-policy')?.split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "worker-src 'self'",
    "require-trusted-types-for 'script'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
  expect(headers.get('permissions-policy')).toContain('camera=()');
});

test.each(['/import/nope.js', '/import/..%2fbuild.ts', '/import/index.html.gz', `${script}.gz`, '/importer'])(
  '%s is 404 in the shape of the API',
  async (path) => {
    const { status, body } = await send(path);
    expect([status, body.error.code]).toEqual([404, 'not_found']);
  },
);

test('WEB_PAGES=false switches the page off, and the home page that leads to it', async () => {
  const { url } = secondGateway;
  for (const path of ['/', '/import', script]) {
    const { status, body } = await send(path, { url });
    expect([status, body.error.code]).toEqual([404, 'not_found']);
  }
});

test('a page that is not built is reported with the command that builds it', async () => {
  expect(readImportPage(import.meta.dir)).toBeUndefined();
  const app = new Elysia()
    .onError(({ error }) => String((error as Error).message))
    .use(files(webFiles(undefined), { admitsUnauthenticated: () => true }));
  const response = await app.handle(new Request('http://gateway.example/import'));
  expect(await response.text()).toContain('bun clients/web/build.ts');
});

const home = await send('/');

test('the home page leads to the import page, the documentation and the health of the service', async () => {
  expect([home.status, home.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const links = [...String(home.body).matchAll(/<a href="([^"]+)">(\w+)</g)];
  expect(links.map(([, , name]) => name)).toEqual(['Import', 'Documentation', 'Libraries', 'Health']);
  for (const [, path = ''] of links) expect((await send(path)).status).toBe(200);
});

test('the content security policy of the home page allows its own style and nothing else', () => {
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(home.body) ?? [];
  expect(home.headers.get('content-security-policy')?.split('; ')).toEqual([
    "default-src 'none'",
    `style-src 'sha256-${Bun.CryptoHasher.hash('sha256', style, 'base64')}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
  expect(home.headers.get('referrer-policy')).toBe('no-referrer');
  expect(home.body).not.toMatch(/<script|style=|\son\w+=|\/\/[a-z]/i);
});
