/**
 * `bun run check` runs the quick tests, `bun run check:all` these and the slow ones. `bun run test:citus`, which needs Citus, runs
 * those of test/citus.
 */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import bunfig from '../bunfig.toml';
import { scripts } from '../package.json';

const ROOT = join(import.meta.dir, '..');
const SLOW = 'bun test --path-ignore-patterns none ';

const ignored = bunfig.test.pathIgnorePatterns.map((pattern: string) => new Bun.Glob(pattern));
const filters = scripts['test:slow'].slice(SLOW.length).split(' ');
const isQuick = (file: string) => !ignored.some((glob: Bun.Glob) => glob.match(file));
const isSlow = (file: string) => filters.some((filter) => file.includes(filter));
const isOfCitus = (file: string) => file.includes('test/citus/');
const times = (file: string) => [isQuick, isSlow, isOfCitus].filter((isIn) => isIn(file)).length;

test('every test file is run by exactly one of the three test commands', () => {
  // What Bun takes for a file of tests.
  const files = [
    ...new Bun.Glob('**/*{.,_}{test,spec}.{js,jsx,ts,tsx,mjs,cjs,mts,cts}').scanSync(ROOT),
  ].filter((file) => !file.includes('node_modules/'));
  expect(files.filter(isQuick).length).toBeGreaterThan(40);
  expect(files.filter(isSlow).length).toBeGreaterThan(10);
  expect(files.filter(isOfCitus).length).toBeGreaterThan(0);
  expect(files.filter((file) => times(file) !== 1)).toEqual([]);
});

test('check runs the quick tests, check:all runs check and then the slow tests', () => {
  expect(scripts.check).toEndWith(' && bun test');
  expect(scripts['test:slow']).toStartWith(SLOW);
  expect(scripts['check:all']).toBe('bun run check && bun run test:slow');
  expect(readFileSync(join(ROOT, '.ci/run'), 'utf8')).toEndWith(' run check:all\n');
});
