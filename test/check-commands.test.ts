/**
 * `bun run check` runs the quick tests, `bun run check:all` these and the slow ones. `bun run test:citus` runs the tests that need
 * Citus, and again those quick tests that use the database, on a distributed database. `bun run test:containers` and `bun run
 * test:kubernetes` run those that need an engine. A failure is printed last, with the command that repeats it.
 */
import { afterAll, expect, spyOn, test } from 'bun:test';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { scripts } from '../package.json';
import { groupsOf, runAll } from './check.ts';
import { MUTATIONS } from './mutations/mutations.ts';

const ROOT = join(import.meta.dir, '..');
const CITUS =
  'bun test --timeout 60000 --path-ignore-patterns none test/citus && TEST_DATABASE=citus bun test --timeout 60000 ';

const distributedFilters = scripts['test:citus'].slice(CITUS.length).split(' ');
const [quick = [], slow = []] = (['quick', 'slow'] as const).map((speed) =>
  [...groupsOf(speed).values()].flat(),
);
const isQuick = (file: string) => quick.includes(file);
const needsEngine = (file: string) => /test\/deploy\/(containers|cluster)\//.test(file);
const needsCitus = (file: string) => file.includes('test/citus');
/** Run by `test:citus` on a distributed database. */
const isRepeated = (file: string) =>
  isQuick(file) && distributedFilters.some((filter) => file.includes(filter));

// What Bun takes for a file of tests.
const FILES = [...new Bun.Glob('**/*{.,_}{test,spec}.{js,jsx,ts,tsx,mjs,cjs,mts,cts}').scanSync(ROOT)].filter(
  (file) => !file.includes('node_modules/'),
);

test('every test file is run once by check:all, or by the command for Citus or an engine', () => {
  const run = [...quick, ...slow, ...FILES.filter((file) => needsEngine(file) || needsCitus(file))];
  expect(run.toSorted()).toEqual(FILES.toSorted());
});

test('check runs the quick tests and the checks of the code, check:all the slow tests too', () => {
  expect(scripts.check).toEndWith(' && bun test/check.ts quick code');
  expect(scripts['check:all']).toBe(`${scripts.check} slow`);
});

test('failures are printed last, with the command that repeats each', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-check-'));
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
  const last = lines.slice(lines.findIndex((line) => line.startsWith('Failures')));
  expect(last).toContain('out of memory');
  expect(last).toContain('    sh -c "echo out of memory; exit 3"');
  const command = `${last.find((line) => line.includes('-t '))}`;
  const again = Bun.spawnSync(['sh', '-c', command], { cwd: ROOT, stderr: 'pipe' });
  rmSync(folder, { recursive: true });
  expect(again.stderr.toString()).toMatch(/ 0 pass\n(.* filtered out\n)? 1 fail\n/);
});

test('test:citus repeats on a distributed database tests of every invariant', () => {
  expect(scripts['test:citus']).toStartWith(CITUS);
  for (const filter of distributedFilters) {
    expect([filter, FILES.some((file) => isQuick(file) && file.includes(filter))]).toEqual([filter, true]);
  }
  const held = MUTATIONS.filter(({ tests }) => tests.some(isRepeated)).flatMap(({ breaks }) => breaks);
  const invariants = Array.from({ length: 10 }, (_, n) => `I${n + 1}`);
  expect(invariants.filter((id) => !held.some((each) => each === id))).toEqual([]);
});

const clone = mkdtempSync(join(tmpdir(), 'ledger-ci-'));
afterAll(() => rmSync(clone, { recursive: true }));

/** What `.ci/run` runs in a clone, with a program in the place of npx that prints its arguments. */
function runCi(): string[] {
  const own = join(clone, 'repository/.ci');
  cpSync(join(ROOT, '.ci'), own, { recursive: true });
  writeFileSync(join(clone, 'npx'), '#!/bin/sh\necho "$*"\n');
  chmodSync(join(clone, 'npx'), 0o755);
  const { stdout } = Bun.spawnSync([join(own, 'run')], {
    env: { ...process.env, PATH: `${clone}:${process.env.PATH}` },
  });
  return stdout.toString().trim().split('\n');
}

test('CI runs check:all, and where it can build Citus then test:citus too', () => {
  const all = '--yes bun@1.4.5 run check:all';
  expect(runCi()).toEqual([all]);
  const [, build = ''] = /^build=(.+)$/m.exec(readFileSync(join(ROOT, '.ci/run'), 'utf8')) ?? [];
  const program = join(clone, 'repository', build);
  mkdirSync(dirname(program), { recursive: true });
  writeFileSync(program, 'echo Citus is built\n');
  expect(runCi()).toEqual(['Citus is built', all, '--yes bun@1.4.5 run test:citus']);
});
