/** The description (docs/api/versions.md). */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { ERRORS } from '../../../gateway/api/errors.ts';
import { description } from '../../../gateway/generate.ts';
import { entry, type Json, TestAccount } from '../../fixtures/client.ts';
import { ENDPOINTS as REQUESTS } from '../../fixtures/endpoints.ts';
import {
  dereference,
  expectDescribed,
  faults,
  fetchDescription,
  nodesOf,
  operationsOf,
} from './openapi-document.ts';

setDefaultTimeout(60_000);

const raw = JSON.parse(await description());
const whole = dereference(raw);

const ENDPOINTS = [
  'GET /api/v1/categories',
  'GET /api/v1/me',
  'GET /api/v1/sources',
  'GET /api/v1/sources/{id}/transactions',
  'POST /api/v1/sources/{id}/transactions',
];

test('the service serves the description of its code: `bun run generate` writes it', async () => {
  expect(await fetchDescription()).toEqual(raw);
});

test('the description has the endpoints of the specification and no others', () => {
  const described = operationsOf(raw).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(described.sort()).toEqual(ENDPOINTS);
});

test('the requests that tests of keys and limits send cover every endpoint', () => {
  const names = REQUESTS.map(({ name }) => name.replace(/\?.*/, '').replace(' /', ' /api/v1/'));
  expect(ENDPOINTS.filter((endpoint) => !names.includes(endpoint))).toEqual([]);
});

describe.each(
  operationsOf(whole).map((found) => [`${found.method.toUpperCase()} ${found.path}`, found] as const),
)('%s', (_, { operation }) => {
  test('every success has a schema, an example and the headers of a success', () => {
    const successes = Object.entries<Json>(operation.responses).filter(([status]) => status < '300');
    expect(successes.length).toBeGreaterThan(0);
    for (const [, { description, headers, content }] of successes) {
      expect(description).toMatch(/\S/);
      expect(headers['X-RateLimit-Remaining'].schema.type).toBe('integer');
      expect(headers['X-Request-Id'].schema.type).toBe('string');
      expect(content['application/json'].schema).toBeObject();
      expect(content['application/json'].example).toBeObject();
    }
  });

  test('every failure has the shape of an error, with an example of each of its codes', () => {
    const failures = Object.entries<Json>(operation.responses).filter(([status]) => status >= '400');
    const common = ['401', '403', '404', '429', '500'];
    expect(failures.map(([status]) => status)).toEqual(expect.arrayContaining(common));
    for (const [status, { description, headers, content }] of failures) {
      const { schema, examples } = content['application/json'];
      expect(schema).toEqual(whole.components.schemas.Error);
      expect(headers['X-Request-Id']).toBeObject();
      if (['429', '503'].includes(status)) expect(headers['Retry-After'].schema.type).toBe('integer');
      expect(Object.keys(examples).length).toBeGreaterThan(0);
      for (const [code, { value }] of Object.entries<Json>(examples)) {
        expect(value.error.code).toBe(code);
        expect(statusesOf(code)).toContain(Number(status));
        expect(description).toContain(`\`${code}\``);
      }
    }
  });
});

test('every error code that an endpoint can return is in the description', () => {
  const inExamples = [...nodesOf(raw.paths)].flatMap(([, node]) => node.error?.code ?? []);
  expect([...new Set(inExamples)].sort()).toEqual(Object.keys(ERRORS).sort());
});

test('every example of the description is valid by its own schema', () => {
  const examples = [...nodesOf(whole)].flatMap(([pointer, node]) =>
    examplesAt(node).map((each) => ({ pointer, ...each })),
  );
  const mediaTypes = [...nodesOf(whole)].filter(([pointer]) => pointer.endsWith('/application/json'));
  expect(mediaTypes.length).toBeGreaterThan(30);
  for (const [, mediaType] of mediaTypes) expect(examplesAt(mediaType)).not.toEqual([]);

  const wrong = examples.map(({ pointer, schema, value }) => ({ pointer, faults: faults(schema, value) }));
  expect(wrong.filter((each) => each.faults.length > 0)).toEqual([]);
});

const TRANSACTIONS = '/api/v1/sources/{id}/transactions';

test('a creation, a repetition with conflicts, and the pages of what is recorded', async () => {
  const account = await TestAccount.create();
  for (const path of ['/api/v1/me', '/api/v1/sources', '/api/v1/categories'])
    expectDescribed(whole, 'GET', path, await account.get(path));
  const full = { category: 'periodAmount', description: 'Rent', externalRef: 'described-1' };
  const created = await account.post([entry(full), entry()]);
  expect(created.status).toBe(201);
  expectDescribed(whole, 'POST', TRANSACTIONS, created);

  const repeated = await account.post(entry({ ...full, amountPence: 1 }));
  expect(repeated.status).toBe(200);
  expect(repeated.body.conflicts).toHaveLength(1);
  expectDescribed(whole, 'POST', TRANSACTIONS, repeated);

  const first = await account.page({ limit: 1 });
  expect(first.body.nextCursor).toBeString();
  expectDescribed(whole, 'GET', TRANSACTIONS, first);
  const last = await account.page({ limit: 1, cursor: first.body.nextCursor });
  expect(last.body.nextCursor).toBeNull();
  expectDescribed(whole, 'GET', TRANSACTIONS, last);
});

test('the linter finds no errors and no warnings by the recommended rules', async () => {
  expect(await lint(raw)).toEqual([]);
  const { '/api/v1/me': me, ...paths } = raw.paths;
  const { operationId: _, ...spoiled } = me.get;
  const found = await lint({ ...raw, paths: { ...paths, '/api/v1/me': { get: spoiled } } });
  expect(found.map(({ ruleId }) => ruleId)).toContain('operation-operationId');
});

/** Transient failures are distinguished from the others. */
function statusesOf(code: string): number[] {
  return code === 'server_error' ? [500, 503] : [ERRORS[code as keyof typeof ERRORS]];
}

async function lint(document: Json) {
  const config = await createConfig({ extends: ['recommended'] });
  const source = JSON.stringify(document, null, 2);
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  return problems.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer }));
}

/** The examples that stand in this very node: of a media type, parameter or header, or in a schema. */
function examplesAt(node: Json): { schema: Json; value: unknown }[] {
  // In a schema, examples are a list of values.
  if (Array.isArray(node.examples)) return node.examples.map((value: unknown) => ({ schema: node, value }));
  if (typeof node.schema !== 'object') return [];
  const named = Object.values<Json>(node.examples ?? {}).map(({ value }) => ({ schema: node.schema, value }));
  return 'example' in node ? [{ schema: node.schema, value: node.example }, ...named] : named;
}
