/** GET /: a page with the ways on. api/docs-page.test.ts has what holds for every public page. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { send } from '../fixtures/client.ts';

setDefaultTimeout(30_000);

const page = await send('/');
const links = [...String(page.body).matchAll(/<a href="([^"]+)">(\w+)</g)].map(
  ([, path = '', name = '']) => ({
    path,
    name,
  }),
);

test('the page leads to the import page, the documentation and the health of the service', async () => {
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(links.map(({ name }) => name)).toEqual(['Import', 'Documentation', 'Health']);
  const statuses = await Promise.all(links.map(async ({ path }) => (await send(path)).status));
  expect(statuses).toEqual([200, 200, 200]);
});

test('its content security policy allows its own style and nothing else', () => {
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page.body) ?? [];
  expect(page.headers.get('content-security-policy')?.split('; ')).toEqual([
    "default-src 'none'",
    `style-src 'sha256-${Bun.CryptoHasher.hash('sha256', style, 'base64')}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  expect(page.body).not.toMatch(/<script|style=|\son\w+=|\/\/[a-z]/i);
});
