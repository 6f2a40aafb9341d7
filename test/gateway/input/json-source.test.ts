/** The scan of a body finds the end of each text where JSON.parse does. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { scanBody } from '../../../gateway/input/json-source.ts';

const scanned = (json: string) => scanBody(Buffer.from(json));

const anyText = fc
  .tuple(
    fc.string({ unit: fc.constantFrom('a', '"', '\\'), maxLength: 8 }),
    fc.string({ unit: fc.constantFrom('a'), maxLength: 8 }),
    fc.string({ unit: fc.constantFrom('a', '"', '\\', ',', '[', '}'), maxLength: 12 }),
  )
  .map((parts) => parts.join(''));

test('valid JSON is balanced, wherever quotes and backslashes are in a long text', () => {
  fc.assert(
    fc.property(anyText, anyText, (description, externalRef) => {
      const { isBalanced, entryCount } = scanned(JSON.stringify([{ description, externalRef }, {}]));
      expect([isBalanced, entryCount]).toEqual([true, 2]);
    }),
    { numRuns: 2_000 },
  );
});

test('a text ends at a quote after an escaped backslash, at every length', () => {
  for (let length = 0; length < 20; length++) {
    const description = `${'a'.repeat(length)}\\`;
    expect([length, scanned(JSON.stringify([{ description }, {}])).isBalanced]).toEqual([length, true]);
    expect([length, scanned(`[{"description":"${description}"},{}]`).isBalanced]).toEqual([length, false]);
  }
});
