/** The interactive page over the description: complete without any other host. */
import { expect, test } from 'bun:test';
import { LIMITS } from '../../../proto/vocabulary.ts';
import { send, TestAccount } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';

const DOCS = '/api/v1/docs';
const page = await send(DOCS);
const policy = page.headers.get('content-security-policy') ?? '';

interface Loaded {
  element: string;
  address: string;
  rel: string | null;
}

/** What the page makes a browser load, in the order in which it stands there. */
function loadedBy(html: string): Loaded[] {
  const found: Loaded[] = [];
  new HTMLRewriter()
    .on('[src], link[href]', {
      element(element) {
        const address = element.getAttribute('src') ?? element.getAttribute('href') ?? '';
        found.push({ element: element.tagName, address, rel: element.getAttribute('rel') });
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
  const paths = [DOCS, `${DOCS}/swagger-ui.css`, '/api/v1/openapi.json'];
  const rounds = Math.ceil((LIMITS.requestsPerMinute + 1) / paths.length);
  for (let round = 0; round < rounds; round++) {
    const responses = await Promise.all(paths.map((path) => send(path, { headers })));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const response of responses) expect(response.headers.get('x-ratelimit-remaining')).toBeNull();
  }
  const me = await send('/api/v1/me', { headers });
  expect(me.headers.get('x-ratelimit-remaining')).toBe(String(LIMITS.requestsPerMinute - 1));
});

test('a key that is not valid does not keep the page away', async () => {
  const response = await send(DOCS, { headers: { authorization: 'Bearer nonsense' } });
  expect(response.status).toBe(200);
});

test('everything that the page loads comes from this service, whole and with its own content type', async () => {
  const loaded = loadedBy(page.body);
  expect(loaded.map(({ element }) => element)).toEqual(expect.arrayContaining(['script', 'link']));
  const types: Record<string, RegExp> = { script: /^text\/javascript\b/, link: /^text\/css\b/ };

  for (const { element, address, rel } of loaded) {
    if (rel === 'icon' && address.startsWith('data:')) continue;
    // A path of this very service: no scheme and no host.
    expect(address).toMatch(/^\/api\/v1\/docs\/[\w.-]+$/);
    const response = await fetch(system.url + address);
    expect([address, response.status]).toEqual([address, 200]);
    expect(response.headers.get('content-type')).toMatch(types[element] as RegExp);
    const text = await response.text();
    expect(text.length).toBeGreaterThan(10_000);
    expect(text).toContain(element === 'script' ? 'SwaggerUIBundle' : '.swagger-ui');
  }
});

test('the style sheet loads nothing from elsewhere', async () => {
  const { body } = await send(`${DOCS}/swagger-ui.css`);
  const targets = [...body.matchAll(/url\(\s*["']?([^"')]{0,8})/g)].map(([, start]) => start);
  expect(targets.length).toBeGreaterThan(0);
  for (const start of targets) expect(start).toStartWith('data:');
  expect(body).not.toMatch(/@import/);
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
  // What has no directive of its own falls back on this one: fonts, frames, requests of scripts.
  expect(directives['default-src']).toEqual(["'self'"]);
  const [, inline = ''] = /<script>([\s\S]*?)<\/script>/.exec(page.body) ?? [];
  const itsHash = `'sha256-${Bun.CryptoHasher.hash('sha256', inline, 'base64')}'`;
  expect(directives['script-src']).toEqual(["'self'", itsHash]);
  for (const name of ['base-uri', 'form-action', 'frame-ancestors', 'object-src']) {
    expect(directives[name]).toEqual(["'none'"]);
  }
  for (const sources of Object.values(directives)) {
    for (const source of sources) {
      expect(["'self'", "'unsafe-inline'", "'none'", 'data:', itsHash]).toContain(source);
    }
  }
  expect(directives['script-src']).not.toContain('data:');
});

test('the page shows the description of this service', async () => {
  const [, address] = /\burl: '([^']+)'/.exec(page.body) ?? [];
  const { status, body } = await send(String(address));
  expect(status).toBe(200);
  expect(body.openapi).toBe('3.1.0');
});
