/**
 * More files that are made of their meaning. `MEANING_SEEDS=1..10 MEANING_FILES=2000 bun test --path-ignore-patterns none FILE` reads
 * 20,000 files; `main.ts` prints a table.
 */
import { expect, test } from 'bun:test';
import { seedsOf } from '../histories/seeds.ts';
import { failuresOf, runFiles, shown } from './property.ts';

const seeds = seedsOf(process.env.MEANING_SEEDS ?? '1..8');
const files = Number(process.env.MEANING_FILES ?? 300);

test.each(seeds)('files of seed %i: each is read right, or asks and is then read right', async (seed) => {
  const run = await runFiles([seed], files);
  if (failuresOf(run).length > 0) console.log(await shown(run));
  expect(failuresOf(run)).toEqual([]);
});
