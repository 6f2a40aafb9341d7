/** A client whose types are generated from the description compiles, refuses mistakes, and works. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { TestAccount } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';

// The compiler is slow on a machine under load.
setDefaultTimeout(60_000);

// Inside the checkout, so that packages resolve; under node_modules, so that nothing else takes notice.
const cache = join(import.meta.dir, '../../../node_modules/.cache');
mkdirSync(cache, { recursive: true });
const directory = mkdtempSync(join(cache, 'generated-client-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const CLIENT = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api';

export const api = createClient<paths>({
  baseUrl: process.env.API_URL ?? '',
  headers: { Authorization: \`Bearer \${process.env.API_KEY}\` },
});
export type Transaction = components['schemas']['Transaction'];
export type Input = components['schemas']['TransactionInput'];
`;

const PROGRAM = `
import { api, type Input, type Transaction } from './client';

const TRANSACTIONS = '/api/v1/sources/{id}/transactions';

const me = await api.GET('/api/v1/me');
if (me.error) throw new Error(me.error.error.message);
const plan: 'free' | 'pro' | 'expat' | 'firm' = me.data.plan;
const submission: false = me.data.capabilities.hmrcSubmission;

const { data: list } = await api.GET('/api/v1/sources');
const source = list?.sources.find(({ type }) => type === 'self-employment');
if (!source) throw new Error('no source');
const country: string | null = source.countryCode;
const path = { id: source.id };

const { data: categories } = await api.GET('/api/v1/categories', {
  params: { query: { sourceType: 'self-employment' } },
});
if (!categories || !('income' in categories)) throw new Error('not one set');
const category = categories.income[0]?.key ?? '';

const single = await api.POST(TRANSACTIONS, {
  params: { path },
  body: { date: '2026-04-06', type: 'income', amountPence: 45000, category },
});
const batch: Input[] = [1, 2, 3].map((n) => ({
  date: \`2026-04-0\${n}\`,
  type: 'expense',
  amountPence: n,
  externalRef: \`generated-\${n}\`,
}));
const several = await api.POST(TRANSACTIONS, { params: { path }, body: batch });
const again = await api.POST(TRANSACTIONS, { params: { path }, body: batch });

const pages: Transaction[][] = [];
for (let cursor: string | null = null; pages.length < 5; ) {
  const query: { limit: number; cursor?: string } = cursor === null ? { limit: 3 } : { limit: 3, cursor };
  const { data, error } = await api.GET(TRANSACTIONS, { params: { path, query } });
  if (error) throw new Error(error.error.message);
  pages.push(data.transactions);
  cursor = data.nextCursor;
  if (cursor === null) break;
}

const refused = await api.POST(TRANSACTIONS, {
  params: { path },
  body: { date: '2026-02-30', type: 'income', amountPence: 1 },
});
const issues = refused.error?.error.issues?.map(({ path, message }) => ({ path, message }));

console.log(
  JSON.stringify({
    plan,
    submission,
    country,
    category,
    single: [single.response.status, single.data?.created],
    several: [several.response.status, several.data?.transactions.map(({ externalRef }) => externalRef)],
    again: [again.response.status, again.data?.deduplicated],
    pages: pages.map((page) => page.map(({ amountPence }) => amountPence)),
    refused: [refused.response.status, refused.error?.error.code, issues?.map(({ path }) => path)],
  }),
);
`;

/** What the compiler must refuse, each with the name that its message contains. */
const MISTAKES: Record<string, { code: string; message: string }> = {
  'a misspelt field': {
    code: `await post({ date: '2026-04-06', type: 'income', amountPence: 1, externalReference: 'x' });`,
    message: 'externalReference',
  },
  'an amount that is a string': {
    code: `await post({ date: '2026-04-06', type: 'income', amountPence: '450.00' });`,
    message: "'string' is not assignable to type 'number'",
  },
  'a required field that is missing': {
    code: `await post({ date: '2026-04-06', type: 'income' });`,
    message: 'amountPence',
  },
  'a type of entry that does not exist': {
    code: `await post({ date: '2026-04-06', type: 'refund', amountPence: 1 });`,
    message: '"refund"',
  },
  'a path that does not exist': { code: `await api.GET('/api/v1/source', {});`, message: '/api/v1/source' },
  'a source type that does not exist': {
    code: `await api.GET('/api/v1/categories', { params: { query: { sourceType: 'farm' } } });`,
    message: '"farm"',
  },
  'a nullable field that is read as if it were always there': {
    code: `export const length = (transaction: Transaction) => transaction.description.length;`,
    message: 'null',
  },
};

const mistaken = (code: string) => `
import { api, type Input, type Transaction } from './client';
export type { Transaction };
export const post = (body: Input) =>
  api.POST('/api/v1/sources/{id}/transactions', { params: { path: { id: '' } }, body });
${code}
`;

const mistakes = Object.entries(MISTAKES).map(([what, { code, message }], i) => {
  return { what, message, file: `mistake-${i}.ts`, text: mistaken(code) };
});

/** The messages of the TypeScript compiler, by file name. */
let said: Map<string, string[]>;

beforeAll(async () => {
  const types = astToString(await openapiTypescript(new URL(`${system.url}/api/v1/openapi.json`)));
  const files = { 'api.ts': types, 'client.ts': CLIENT, 'program.ts': PROGRAM };
  const all = Object.entries(files).concat(mistakes.map(({ file, text }) => [file, text]));
  for (const [name, text] of all) await Bun.write(join(directory, name), text);
  said = typeCheck(all.map(([name]) => name));
});

function typeCheck(names: string[]): Map<string, string[]> {
  const program = ts.createProgram(
    names.map((name) => join(directory, name)),
    {
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.Preserve,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      types: ['bun-types'],
    },
  );
  const found = new Map(names.map((name): [string, string[]] => [name, []]));
  for (const { file, messageText } of ts.getPreEmitDiagnostics(program)) {
    const name = file?.fileName.startsWith(directory)
      ? file.fileName.slice(directory.length + 1)
      : 'elsewhere';
    found.set(name, [...(found.get(name) ?? []), ts.flattenDiagnosticMessageText(messageText, '\n')]);
  }
  return found;
}

test('types are generated for every endpoint', async () => {
  const types = await Bun.file(join(directory, 'api.ts')).text();
  for (const path of ['me', 'sources', 'categories', 'sources/{id}/transactions']) {
    expect(types).toContain(`"/api/v1/${path}": {`);
  }
});

test('the generated types and a program that uses the whole API have no type errors in strict mode', () => {
  const { 'api.ts': types, 'client.ts': client, 'program.ts': program } = Object.fromEntries(said);
  expect({ types, client, program }).toEqual({ types: [], client: [], program: [] });
  expect(said.get('elsewhere')).toBeUndefined();
});

test.each(mistakes.map(({ what, ...rest }) => [what, rest] as const))(
  '%s is a type error, and the only one',
  (_, { file, message }) => {
    const errors = said.get(file) ?? [];
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(message);
  },
);

test('the program does against the service what its types promise', async () => {
  const account = await TestAccount.create();
  const child = Bun.spawn([process.execPath, join(directory, 'program.ts')], {
    env: { ...process.env, API_URL: system.url, API_KEY: account.key },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, complaints] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect([await child.exited, complaints]).toEqual([0, '']);
  expect(JSON.parse(output)).toEqual({
    plan: 'pro',
    submission: false,
    country: null,
    category: 'turnover',
    single: [201, 1],
    several: [201, ['generated-1', 'generated-2', 'generated-3']],
    again: [200, 3],
    // The newest first.
    pages: [[45000, 3, 2], [1]],
    refused: [422, 'invalid_transaction', ['/date']],
  });
});
