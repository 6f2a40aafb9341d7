/** Every mutation applies to the present code. `bun run mutations` runs them. */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isThere, ROOT } from '../fixtures/checkout.ts';
import { MUTATIONS, mutate, parse } from './mutations.ts';

test.each(MUTATIONS.map((mutation) => [mutation.name, mutation] as const))('%s', (_, { edits, tests }) => {
  for (const edit of edits) {
    const original = readFileSync(join(ROOT, edit.file), 'utf8');
    expect(mutate(original, edit)).not.toBe(original);
  }
  expect(tests.length).toBeGreaterThan(0);
  for (const file of tests) expect([file, isThere(file)]).toEqual([file, true]);
});

test('a file is read whole: tests, names, promises and edits', () => {
  const text = `Title

caught by a.test.ts, b.test.ts: part of a name

a rule (of two) is broken (I1, S12)
@@ x.ts
 a
-b
+c
@@ y.sql
-d
`;
  const edits = [
    { file: 'x.ts', before: 'a\nb\n', after: 'a\nc\n' },
    { file: 'y.sql', before: 'd\n', after: '' },
  ];
  const tests = ['a.test.ts', 'b.test.ts'];
  expect(parse(text)).toEqual([
    { name: 'a rule (of two) is broken', breaks: ['I1', 'S12'], edits, tests, only: 'part of a name' },
  ]);
  expect(() => parse('Title\n\na name without edits')).toThrow('a name without edits');
  expect(() => parse('Title\n\na name\n@@ x.ts\nline')).toThrow('x.ts');
});
