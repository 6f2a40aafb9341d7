/**
 * `bun run check` runs the quick tests, `bun run check:all` these, the slow ones, and those of `bun run test:citus`: the tests that need
 * Citus, and again those quick tests that use the database, on a distributed database. `bun run test:containers` and `bun run
 * test:kubernetes` run those that need an engine. A failure is printed last, with the command that repeats it.
 */
import { expect, spyOn, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scripts } from '../package.json';
import { groupsOf, repeatedOnCitus, runAll } from './check.ts';
import { ROOT, read, runToEnd, temporaryDirectory } from './fixtures/checkout.ts';
import { MUTATIONS } from './mutations/mutations.ts';

const PARTS = ['quick', 'slow', 'citus'] as const;
const needsEngine = (file: string) => /test\/deploy\/(containers|cluster|debian)\//.test(file);

// What Bun takes for a file of tests.
const FILES = [...new Bun.Glob('**/*{.,_}{test,spec}.{js,jsx,ts,tsx,mjs,cjs,mts,cts}').scanSync(ROOT)].filter(
  (file) => !file.includes('node_modules/'),
);

test('every test file is run once by check:all, or by the command for an engine', () => {
  const run = PARTS.flatMap((part) => [...groupsOf(part).values()].flat());
  expect([...run, ...FILES.filter(needsEngine)].toSorted()).toEqual(FILES.toSorted());
});

test('check runs the quick tests and the checks of the code, check:all the slow ones and those on Citus too', () => {
  expect(scripts.check).toEndWith(' && bun test/check.ts quick code');
  expect(scripts['check:all']).toBe(`${scripts.check} slow citus`);
  expect(read('.ci/run')).toEndWith('exec npx --yes bun@1.4.5 run check:all\n');
});

test('failures are printed last, with the command that repeats each', async () => {
  const folder = temporaryDirectory();
  const file = join(folder, 'some.test.ts');
  const body =
    "test('passes', () => {}); test.skip('waits', () => {}); test('1 + 1 (of two)', () => expect(1).toBe(2));";
  writeFileSync(
    file,
    `import { describe, expect, test } from 'bun:test';\ndescribe('a group:', () => { ${body} });`,
  );
  const printed = spyOn(console, 'log').mockImplementation(() => {});
  let lines: string[];
  try {
    const failing = { name: 'some tests', command: [process.execPath, 'test', file] };
    const crash = { name: 'a crash', command: ['sh', '-c', 'echo out of memory; exit 3'] };
    expect(await runAll([failing, crash, { name: 'the rest', command: ['true'] }])).toBe(1);
    lines = printed.mock.calls.join('\n').split('\n');
  } finally {
    printed.mockRestore();
  }
  expect(lines.filter((line) => line.endsWith('a group: > waits'))).toHaveLength(1);
  expect(lines).toContainEqual(expect.stringMatching(/^the rest: passed after \d+ s$/));
  expect(lines).toContainEqual(expect.stringMatching(/^a crash: FAILED after \d+ s$/));
  const last = lines.slice(lines.findIndex((line) => line.startsWith('Failures')));
  expect(last).toContain('out of memory');
  expect(last).toContain('    sh -c "echo out of memory; exit 3"');
  const command = `${last.find((line) => line.includes('-t '))}`;
  const again = await runToEnd(['sh', '-c', command]);
  expect(again.err).toMatch(/ 0 pass\n(.* filtered out\n)? 1 fail\n/);
});

test('on a distributed database, tests of every invariant of the database run again', () => {
  const repeated = repeatedOnCitus();
  const held = MUTATIONS.filter(({ tests }) => tests.some((file) => repeated.includes(file)));
  // I10 is a matter of Redis.
  const invariants = Array.from({ length: 9 }, (_, n) => `I${n + 1}`);
  expect(invariants.filter((id) => !held.some(({ breaks }) => breaks.includes(id)))).toEqual([]);
});
