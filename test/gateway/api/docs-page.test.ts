/** The interactive page over the description: complete without any other host. And how all public pages are served. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createRequestsInFlight } from '../../../gateway/http/requests-in-flight.ts';
import { docs } from '../../../gateway/routes/docs.ts';
import { LIMITS } from '../../../proto/vocabulary.ts';
import { send, TestAccount } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';

// Hundreds of requests for 1.3 MB.
setDefaultTimeout(30_000);

const DOCS = '/api/v1/docs';
const SCRIPT = `${DOCS}/scalar.js`;
const page = await send(DOCS);
const policy = page.headers.get('content-security-policy') ?? '';

interface Loaded {
  element: string;
  address: string;
}

/** What the page makes a browser load, in the order in which it stands there. */
function loadedBy(html: string): Loaded[] {
  const found: Loaded[] = [];
  new HTMLRewriter()
    .on('[src], link[href]', {
      element(element) {
        const address = element.getAttribute('src') ?? element.getAttribute('href') ?? '';
        found.push({ element: element.tagName, address });
      },
    })
    .transform(html);
  return found;
}

/** Addresses of other hosts, with or without a scheme, wherever they stand in a text. */
const otherHosts = (text: string) => text.match(/(?:\b[a-z][a-z+.-]*:)?\/\/[^\s'"<>)]+/gi) ?? [];

test('the page is HTML and needs no key', () => {
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.body).toStartWith('<!doctype html>');
  expect(page.headers.get('x-request-id')).toMatch(/\S/);
});

test('the page, its assets and the description use up no requests of a key', async () => {
  const { key } = await TestAccount.create();
  const headers = { authorization: `Bearer ${key}` };
  const paths = [DOCS, SCRIPT, '/api/v1/openapi.json', '/', '/import'];
  const rounds = Math.ceil((LIMITS.requestsPerMinute + 1) / paths.length);
  for (let round = 0; round < rounds; round++) {
    const responses = await Promise.all(paths.map((path) => send(path, { headers })));
    expect(responses.map(({ status }) => status)).toEqual(paths.map(() => 200));
    for (const response of responses) expect(response.headers.get('x-ratelimit-remaining')).toBeNull();
  }
  const me = await send('/api/v1/me', { headers });
  expect(me.headers.get('x-ratelimit-remaining')).toBe(String(LIMITS.requestsPerMinute - 1));
});

test('everything that the page loads comes from this service, whole and with its own content type', async () => {
  const loaded = loadedBy(page.body).filter(({ address }) => !address.startsWith('data:'));
  expect(loaded).toEqual([{ element: 'script', address: SCRIPT }]);
  const response = await fetch(system.url + SCRIPT);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  const text = await response.text();
  expect(text).toContain('@scalar/api-reference');
  expect(text).toContain(`createApiReference`);
});

const get = (path: string, headers: Record<string, string>) =>
  fetch(system.url + path, { headers, decompress: false } as RequestInit);

test.each([
  ['gzip, deflate, br, zstd', 'gzip'],
  ['gzip;q=1.0, br;q=0', 'gzip'],
  ['GZIP', 'gzip'],
  ['*', 'gzip'],
  ['identity', null],
  ['br, gzip;q=0', null],
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
  const { hostname, port } = new URL(system.url);
  // fetch always sends the header.
  const encodingOf = (path: string) =>
    new Promise((resolve, reject) => {
      request({ hostname, port, path }, (response) => {
        response.resume().on('end', () => resolve(response.headers['content-encoding']));
      })
        .on('error', reject)
        .end();
    });
  expect(await encodingOf('/api/v1/openapi.json')).toBeUndefined();
  expect(await encodingOf(SCRIPT)).toBe('gzip');
});

describe.each([SCRIPT, '/api/v1/openapi.json', '/', '/import'])('%s', (path) => {
  test('a browser that has it gets 304', async () => {
    const { headers } = await get(path, { 'accept-encoding': 'gzip' });
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect(headers.get('cache-control')).toBe('no-cache');
    const again = await get(path, { 'accept-encoding': 'gzip', 'if-none-match': `"other", W/${etag}` });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    const other = await get(path, { 'accept-encoding': 'gzip', 'if-none-match': '"other"' });
    expect(other.status).toBe(200);
  });

  test('HEAD gets the same headers, and no body', async () => {
    const [full, head] = await Promise.all([
      get(path, { 'accept-encoding': 'gzip' }),
      fetch(system.url + path, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } }),
    ]);
    expect(await head.text()).toBe('');
    for (const name of ['etag', 'content-encoding', 'content-type', 'content-length']) {
      expect([name, head.headers.get(name)]).toEqual([name, full.headers.get(name)]);
    }
  });
});

test.each(['/api/v1/openapi.json', '/', '/import'])(
  '%s: each encoding has a tag of its own, and that of another one is not known',
  async (path) => {
    const gzip = await get(path, { 'accept-encoding': 'gzip' });
    const etag = gzip.headers.get('etag') ?? '';
    const identity = await get(path, { 'accept-encoding': 'identity', 'if-none-match': etag });
    expect(identity.status).toBe(200);
    expect(identity.headers.get('etag')).not.toBe(etag);
    expect(String(gunzipSync(await gzip.arrayBuffer()))).toBe(await identity.text());
  },
);

test.each([DOCS, '/api/v1/openapi.json', '/', '/import', '/import/any.js'])(
  'other methods get 405: %s',
  async (path) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PROPFIND']) {
      const { status, headers } = await send(path, { method });
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD']);
    }
  },
);

test('a script that a build has removed since the start is 404, which says what to do', async () => {
  const built = join(mkdtempSync(join(tmpdir(), 'ledger-docs-')), 'scalar.js');
  writeFileSync(`${built}.gz`, gzipSync('script'));
  const app = docs(async () => '{}', createRequestsInFlight(1), built);
  const load = () => app.handle(new Request(`http://localhost${SCRIPT}`));
  expect((await load()).status).toBe(200);
  rmSync(`${built}.gz`);
  const response = await load();
  expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('restart')]);
});

test('nothing in the page or in its content security policy names another host', () => {
  expect(otherHosts(page.body)).toEqual([]);
  expect(otherHosts(policy)).toEqual([]);
  expect(otherHosts('<script src="//cdn.example/x.js">')).toEqual(['//cdn.example/x.js']);
  expect(otherHosts("x from 'https://cdn.example/x.css'")).toEqual(['https://cdn.example/x.css']);
});

test('the content security policy lets a browser load from this service only', () => {
  const directives = Object.fromEntries(
    policy.split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(/\s+/);
      return [name, sources];
    }),
  );
  const inline = [...page.body.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${Bun.CryptoHasher.hash('sha256', script, 'base64')}'`,
  );
  expect(inline).toHaveLength(2);
  expect(directives).toEqual({
    // What has no directive of its own falls back on this one: fonts, frames, objects, workers.
    'default-src': ["'none'"],
    'script-src': ["'self'", ...inline],
    'style-src': ["'unsafe-inline'"],
    'img-src': ['data:'],
    'connect-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  });
});

test('what sends data elsewhere or stores the key is off', () => {
  const [, options = '{}'] =
    /createApiReference\('#docs', \{ \.\.\.(\{.*\}), content \}\);/.exec(page.body) ?? [];
  expect(JSON.parse(options)).toMatchObject({
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
    persistAuth: false,
  });
  expect(options).not.toContain('proxy');
});
