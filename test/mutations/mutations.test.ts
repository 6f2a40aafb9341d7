/** Every mutation applies to the present code. `bun run mutations` runs them. */
import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, mutate } from './mutate.ts';
import { MUTATIONS } from './mutations.ts';

const CHECKOUT = join(import.meta.dir, '../..');

test.each(MUTATIONS.map((mutation) => [mutation.name, mutation] as const))('%s', (_, mutation) => {
  for (const change of [mutation, ...(mutation.also ?? [])]) {
    const original = readFileSync(join(CHECKOUT, change.file), 'utf8');
    expect(mutate(original, change)).not.toBe(original);
  }
  expect(mutation.tests.length).toBeGreaterThan(0);
  for (const file of mutation.tests) expect([file, existsSync(join(CHECKOUT, file))]).toEqual([file, true]);
});

test('a text that is missing or occurs twice is an error', () => {
  const change: Change = { file: 'x.ts', edits: [['a', 'b']] };
  expect(mutate('cat', change)).toBe('cbt');
  expect(() => mutate('dog', change)).toThrow('x.ts');
  expect(() => mutate('banana', change)).toThrow('exactly once');
});
