/**
 * `bun run check` runs the quick tests, `bun run check:all` these and the slow ones. `bun run test:citus` runs the tests that need
 * Citus, and again those quick tests that use the database, on a distributed database. `bun run test:containers` and `bun run
 * test:kubernetes` run those that need an engine.
 */
import { afterAll, expect, test } from 'bun:test';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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

test('check runs the quick tests, check:all runs check and then the slow tests', () => {
  expect(scripts.check).toEndWith(' && bun test --timeout 60000');
  expect(scripts['test:slow']).toStartWith(SLOW);
  expect(scripts['check:all']).toBe('bun run check && bun run test:slow');
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
