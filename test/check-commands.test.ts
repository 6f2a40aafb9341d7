/**
 * `bun run check` runs the quick tests, `bun run check:all` these, the slow ones, and those of `bun run test:citus`: the tests that need
 * Citus, and again those quick tests that use the database, on a distributed database. Without Citus they are skipped. `bun run
 * test:containers` and `bun run test:kubernetes` run those that need an engine.
 */
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bunfig from '../bunfig.toml';
import { scripts } from '../package.json';
import { MUTATIONS } from './mutations/mutations.ts';

const ROOT = join(import.meta.dir, '..');
const SLOW = "bun test --timeout 60000 --path-ignore-patterns 'test/deploy/{containers,cluster}/**' ";
const CITUS =
  'bun test --timeout 60000 --path-ignore-patterns none test/citus && TEST_DATABASE=citus bun test --timeout 60000 ';

const ignored = bunfig.test.pathIgnorePatterns.map((pattern: string) => new Bun.Glob(pattern));
const slowFilters = scripts['test:slow'].slice(SLOW.length).split(' ');
const distributedFilters = scripts['test:citus'].slice(CITUS.length).split(' ');
const isQuick = (file: string) => !ignored.some((glob: Bun.Glob) => glob.match(file));
const needsEngine = (file: string) => /test\/deploy\/(containers|cluster)\//.test(file);
const isSlow = (file: string) => slowFilters.some((filter) => file.includes(filter)) && !needsEngine(file);
const needsCitus = (file: string) => file.includes('test/citus');
/** Run by `test:citus` on a distributed database. */
const isRepeated = (file: string) =>
  isQuick(file) && distributedFilters.some((filter) => file.includes(filter));

// What Bun takes for a file of tests.
const FILES = [...new Bun.Glob('**/*{.,_}{test,spec}.{js,jsx,ts,tsx,mjs,cjs,mts,cts}').scanSync(ROOT)].filter(
  (file) => !file.includes('node_modules/'),
);

test('every test file is run by exactly one of check, test:slow, test:citus and those with an engine, apart from the repeated ones', () => {
  const commands = [isQuick, isSlow, needsEngine, needsCitus];
  for (const isRun of commands) expect(FILES.filter(isRun).length).toBeGreaterThan(0);
  expect(FILES.filter((file) => commands.filter((isRun) => isRun(file)).length !== 1)).toEqual([]);
});

test('check runs the quick tests, check:all runs check, then the slow tests, then those that need Citus', () => {
  expect(scripts.check).toEndWith(' && bun test --timeout 60000');
  expect(scripts['test:slow']).toStartWith(SLOW);
  expect(scripts['check:all']).toBe('bun run check && bun run test:slow && bun run test:citus');
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

const bin = mkdtempSync(join(tmpdir(), 'ledger-ci-'));
afterAll(() => rmSync(bin, { recursive: true }));

test('CI runs check:all in the root of the repository, from whichever folder it is called', () => {
  const npx = join(bin, 'npx');
  writeFileSync(npx, '#!/bin/sh\necho "$PWD: $*"\n', { mode: 0o755 });
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const { stdout } = Bun.spawnSync([join(ROOT, '.ci/run')], { cwd: '/', env });
  expect(stdout.toString().trim()).toBe(`${ROOT}: --yes bun@1.4.5 run check:all`);
});
