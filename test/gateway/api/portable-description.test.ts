/** The description as generated clients take it: patterns of every dialect, codes that may grow, keys as the service reads them. */
import { expect, test } from 'bun:test';
import { ERRORS } from '../../../gateway/api/errors.ts';
import { description } from '../../../gateway/generate.ts';
import { PLANS, SOURCE_TYPES } from '../../../proto/domain.ts';
import { type Json, TestAccount } from '../../fixtures/client.ts';
import { failure } from '../../fixtures/endpoints.ts';
import { dereference, faults, nodesOf } from './openapi-document.ts';

const raw = JSON.parse(await description());
const document = dereference(raw);
const { Account, Error: ErrorSchema, Source } = document.components.schemas;

const patterns = [...nodesOf(raw)].flatMap(([pointer, node]) =>
  typeof node.pattern === 'string' ? [[pointer, node.pattern] as const] : [],
);

/** The dialects of JavaScript, and whether each finds the pattern in the text. */
const matches = (pattern: string, text: string) =>
  ['', 'u', 'v'].map((flags) => new RegExp(pattern, flags).test(text));

// Characters of ASCII, classes, groups, alternatives, repetition and anchors; `\` before punctuation only. What
// dialects read differently is left out: lookaround, backreferences, other escapes, sets within classes.
const PORTABLE =
  /^(?:[^\\()[\]{}?]|\((?!\?)|[)?]|\\[^\w<> ]|\{\d+(?:,\d*)?\}|\[\^?(?:(?!&&|--|~~)(?:[^[\]\\]|\\[^\w<> ]))+\])*$/;

test.each(patterns)('%s is of the subset that all dialects share: %s', (_, pattern) => {
  expect(pattern).toMatch(/^[ -~]*$/);
  expect(pattern).toMatch(PORTABLE);
  for (const other of ['^[^\\u0000]*$', '^(?!0000)', '\\d+', '[a&&b]']) expect(other).not.toMatch(PORTABLE);
});

test('the description has the rule by which the service refuses keys', async () => {
  const { parameters } = document.paths['/api/v1/sources/{id}/transactions'].post;
  const { schema } = parameters.find(({ name }: Json) => name === 'Idempotency-Key');
  const account = await TestAccount.create();
  const valid = ['a', 'a,b', '!#+,-./:[]^~', 'x'.repeat(255), '"a, b"', '"\\" \\\\"', `"${'x'.repeat(253)}"`];
  const invalid = ['', 'a b', 'a, b', '"a', '""', '"\\"', '"a"b', '\u007f', 'é', '\u0080', 'a\tb'];
  for (const key of [...valid, ...invalid, 'x'.repeat(256), `"${'x'.repeat(254)}"`]) {
    const isValid = valid.includes(key);
    expect([key, faults(schema, key).length === 0]).toEqual([key, isValid]);
    const expected = isValid || key.length > schema.maxLength;
    expect([key, matches(schema.pattern, key)]).toEqual([key, [expected, expected, expected]]);
    // Read before the body, of which nothing is stored.
    const response = await account.post('[]', { headers: { 'idempotency-key': key } });
    expect([key, ...failure(response)]).toEqual(
      isValid ? [key, 422, 'empty_body'] : [key, 400, 'invalid_idempotency_key'],
    );
  }
});

const withCode = (code: unknown) => ({ error: { code, message: 'In words.' } });

test('a code that is added later is valid, and nothing else than a string is', () => {
  for (const code of ['added_later', ...Object.keys(ERRORS)])
    expect(faults(ErrorSchema, withCode(code))).toEqual([]);
  for (const code of [undefined, null, 7, {}]) expect(faults(ErrorSchema, withCode(code))).not.toEqual([]);
});

const { parameters } = document.paths['/api/v1/categories'].get;

// docs/api/versions.md
test.each<[string, Json, string[]]>([
  ['error codes', ErrorSchema.properties.error.properties.code, Object.keys(ERRORS)],
  ['plans', Account.properties.plan, Object.keys(PLANS)],
  ['source types', Source.properties.type, SOURCE_TYPES],
  ['source types', { ...parameters[0], ...parameters[0].schema }, SOURCE_TYPES],
])(
  'the %s of today are named, and one that is added later is valid',
  (_, { description, ...schema }, known) => {
    expect([...description.matchAll(/`([\w-]+)`/g)].map(([, name]) => name)).toEqual(known);
    expect(schema['x-extensible-enum']).toEqual(known);
    for (const name of [...known, 'added-later']) expect(faults(schema, name)).toEqual([]);
  },
);

test('each integer has the format of its size; constants, unions and bodies without a name, and enums without a type are avoided', () => {
  const nodes = [...nodesOf(raw)];
  const integers = nodes.filter(([, { type }]) => type === 'integer');
  expect(integers.length).toBeGreaterThan(10);
  for (const [path, { format, maximum = 0 }] of integers)
    expect([path, format]).toEqual([path, maximum < 2 ** 31 ? 'int32' : 'int64']);
  // Each of these stops a generator, or a client of it: test/gateway/api/generated/.
  const isRefused = ([path, { anyOf, ...node }]: [string, Json]) =>
    'const' in node ||
    (node.enum && node.type !== 'string') ||
    anyOf?.every(({ type }: Json) => type !== 'null') ||
    (path.endsWith('/application/json') && node.schema.$ref === undefined);
  expect(nodes.filter(isRefused)).toEqual([]);
});
