/** The description as generated clients take it: patterns of every dialect, codes that may grow, keys as the service reads them. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { ERRORS } from '../../../gateway/api/errors.ts';
import { type Json, TestAccount } from '../../fixtures/client.ts';
import { failure } from '../../fixtures/endpoints.ts';
import { dereference, faults, fetchDescription, nodesOf } from './openapi-document.ts';

// Some hundred requests each, on a machine that may be busy.
setDefaultTimeout(60_000);

const raw = await fetchDescription();
const document = dereference(raw);
const TRANSACTIONS = '/api/v1/sources/{id}/transactions';

describe('patterns', () => {
  const patterns = [...nodesOf(raw)].flatMap(([pointer, node]) =>
    typeof node.pattern === 'string' ? [[pointer, node.pattern] as const] : [],
  );

  // Characters of ASCII, classes, groups, alternatives, repetition and anchors; `\` before punctuation only. What
  // dialects read differently is left out: lookaround, backreferences, other escapes, sets within classes.
  const PORTABLE =
    /^(?:[^\\()[\]{}?]|\((?!\?)|[)?]|\\[^\w<> ]|\{\d+(?:,\d*)?\}|\[\^?(?:(?!&&|--|~~)(?:[^[\]\\]|\\[^\w<> ]))+\])*$/;

  test.each(patterns)('%s is of the subset that all dialects share: %s', (_, pattern) => {
    expect(pattern).toMatch(/^[ -~]*$/);
    expect(pattern).toMatch(PORTABLE);
    for (const flags of ['', 'u', 'v']) expect(() => new RegExp(pattern, flags)).not.toThrow();
  });

  test('what is not of that subset is found, and there are some patterns', () => {
    expect(patterns.length).toBeGreaterThan(1);
    for (const pattern of ['^[^\\u0000]*$', '^(?!0000)', '\\d+', '[a&&b]'])
      expect(pattern).not.toMatch(PORTABLE);
  });
});

describe('texts', () => {
  const house = '🏠';
  const texts: Record<string, string[]> = {
    category: ['periodAmount'],
    description: ['', 'Rent 🏠', house.repeat(500), 'é\u0001\n\u2028\ufffd'],
    externalRef: ['x', 'Rent 🏠', house.repeat(180), '\u0001'],
  };
  const { properties } = document.components.schemas.TransactionInput;

  test.each(Object.entries(texts))(
    'a valid %s passes the published schema, and the service takes it',
    async (name, values) => {
      const account = await TestAccount.create();
      const { pattern = '', ...schema } = properties[name];
      for (const value of values) {
        expect(faults(schema, value)).toEqual([]);
        for (const flags of ['', 'u', 'v']) expect(value).toMatch(new RegExp(pattern, flags));
        const sent = { date: '2026-04-06', type: 'income', amountPence: 1, [name]: value };
        expect((await account.post(sent)).status).toBe(201);
      }
    },
  );

  test.each(Object.keys(texts))('what a %s may not contain is described in its text', (name) => {
    expect(properties[name].description).toContain('U+0000');
    expect(properties[name].description).toContain('surrogate');
  });
});

describe('Idempotency-Key', () => {
  const { parameters } = document.paths[TRANSACTIONS].post;
  const { schema } = parameters.find(({ name }: Json) => name === 'Idempotency-Key');

  // Any byte that a header can hold, mostly those at the edges of the rule. Spaces around a value are not part of it.
  const character = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(...' !"#+,-./0:[\\]^~az', '\t', '\u007f', '\u0080', '\u00e9', '\u00ff'),
    },
    { weight: 5, arbitrary: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) },
  );
  const inner = fc.string({ unit: character, maxLength: 8 });
  const value = fc
    .oneof(
      inner,
      inner.map((text) => `"${text}"`),
      fc.string({ unit: fc.constantFrom('a', '\\', '"', ' '), maxLength: 6 }).map((text) => `"${text}"`),
      fc
        .tuple(fc.constantFrom('a', ',', '"a'), fc.integer({ min: 252, max: 258 }))
        .map(([text, to]) => text.padEnd(to, 'x')),
      fc.integer({ min: 251, max: 255 }).map((length) => `"${'x'.repeat(length)}"`),
    )
    .map((text) => text.replace(/^[ \t]+|[ \t]+$/g, ''));

  test('the description has the rule by which the service refuses keys', async () => {
    const account = await TestAccount.create();
    const seen = { taken: 0, refused: 0 };
    const property = fc.asyncProperty(value, async (key) => {
      // Read before the body, of which nothing is stored.
      const response = await account.post('[]', { headers: { 'idempotency-key': key } });
      const isDescribed = faults(schema, key).length === 0;
      seen[isDescribed ? 'taken' : 'refused']++;
      expect(failure(response)).toEqual(isDescribed ? [422, 'empty_body'] : [400, 'invalid_idempotency_key']);
      // Dialects read it alike.
      for (const flags of ['', 'u', 'v']) {
        const isMatched = new RegExp(schema.pattern, flags).test(key) && key.length <= schema.maxLength;
        expect([flags, isMatched]).toEqual([flags, isDescribed]);
      }
    });
    await fc.assert(property, { numRuns: 400 });
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(50);
  });
});

describe('error codes', () => {
  const { error } = document.components.schemas.Error.properties;
  const withCode = (code: unknown) => ({ error: { code, message: 'In words.' } });

  test('a code that is added later is valid, and nothing else than a string is', () => {
    expect(faults(document.components.schemas.Error, withCode('added_later'))).toEqual([]);
    for (const code of [undefined, null, 7, {}]) {
      expect(faults(document.components.schemas.Error, withCode(code))).not.toEqual([]);
    }
  });

  test('every code of today is listed', () => {
    const [known, any] = error.properties.code.anyOf;
    expect([...known.enum].sort()).toEqual(Object.keys(ERRORS).sort());
    expect(any).toEqual({ type: 'string' });
    for (const code of known.enum)
      expect(faults(document.components.schemas.Error, withCode(code))).toEqual([]);
  });

  test('the description of the field and of the API tell clients to accept unknown codes', () => {
    for (const text of [error.properties.code.description, raw.info.description]) {
      expect(text).toContain('clients must accept unknown codes');
    }
  });
});
