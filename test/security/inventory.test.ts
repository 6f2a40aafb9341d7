/** API9: every path that the gateway serves is described, or is one of the few that are hidden on purpose. */
import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type AppOptions, createApp } from '../../gateway/app.ts';
import { webFiles } from '../../gateway/routes/files.ts';
import { ROOT } from '../fixtures/checkout.ts';
import { send, TestAccount } from '../fixtures/client.ts';
import { bearer } from '../fixtures/endpoints.ts';
import { fetchDescription, operationsOf } from '../gateway/api/openapi-document.ts';

/** For operators and for people with a browser; none of them shows data of an account. */
const HIDDEN = [
  'GET /',
  'GET /import',
  'GET /import/*',
  'GET /healthz',
  'GET /readyz',
  'GET /api/v1/openapi.json',
  'GET /api/v1/docs',
  'GET /api/v1/docs/scalar.js',
  'GET /llms.txt',
  ...readdirSync(join(ROOT, 'docs/api')).map((guide) => `GET /api/v1/docs/${guide}`),
];

/** The routes of the app, `METHOD /path/{parameter}`, without those that refuse the other methods of a path. */
function routesOf(apiEnabled: boolean): string[] {
  // No request comes: what the routes work with is not needed.
  const options = { apiEnabled, corsOrigins: [], webFiles: webFiles(undefined) };
  const { routes } = createApp(options as unknown as AppOptions);
  return routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
}

test('every route of the app is in the description or in the list of hidden ones, and nothing else is', async () => {
  const described = operationsOf(await fetchDescription()).map(
    ({ method, path }) => `${method.toUpperCase()} ${path}`,
  );
  expect(described.length).toBeGreaterThan(4);
  expect(routesOf(true).sort()).toEqual([...described, ...HIDDEN].sort());
});

test('with the API switched off only the two routes of the operators are served', () => {
  expect(routesOf(false).sort()).toEqual(['GET /healthz', 'GET /readyz']);
});

test('a route that matches every method returns only 405', async () => {
  const { key } = await TestAccount.create();
  const paths = [
    ...HIDDEN.map((route) => route.slice(4)),
    '/api/v1/me',
    '/api/v1/sources',
    '/api/v1/categories',
  ];
  for (const path of paths) {
    for (const method of ['PUT', 'DELETE', 'PROPFIND', 'LOCK']) {
      const { status, headers } = await send(path, { method, headers: bearer(key) });
      expect([path, method, status, headers.get('allow')]).toEqual([path, method, 405, 'GET, HEAD']);
    }
  }
});

test.each(['/api/v0', '/api/v2', '/api/v1.0', '/api/V1', '/v1', '/api', '/internal', '/api/v1/v1', ''])(
  'there is no other version of the API: %s',
  async (prefix) => {
    for (const path of ['/me', '/sources', '/categories', '/openapi.json', '/docs']) {
      expect([path, (await send(prefix + path)).status]).toEqual([path, 404]);
    }
  },
);
