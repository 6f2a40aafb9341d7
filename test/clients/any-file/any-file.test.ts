/**
 * Draws files from their meaning, and compares the entries of the reader with it. `main.ts` prints a table of many files;
 * `any-file.slow.test.ts` reads more.
 */
import { expect, test } from 'bun:test';
import { runs } from '../../fixtures/runs.ts';
import { drawFile } from './draw.ts';
import { linesOf } from './lines.ts';
import { failuresOf, runFiles, shown } from './property.ts';
import { type Reading, readTruthfully } from './reading.ts';
import { emptyRun, smallestOf } from './run.ts';
import { reasonOf, UNDECIDABLE } from './undecidable.ts';
import { featuresOf, violationOf } from './violations.ts';
import { write } from './written.ts';

const FILES = runs(150);
const drawnFiles = Array.from({ length: 1500 }, (_, index) => drawFile(`test/${index}`));

test('a seed draws the same file each time', () => {
  const bytes = (seed: string) => write(drawFile(seed)).bytes;
  for (const seed of ['1/1', '2/7', '3/4']) expect(bytes(seed)).toEqual(bytes(seed));
});

test('each kind of direction, row, state, unit and format is drawn', () => {
  const kinds = Map.groupBy(drawnFiles.flatMap(featuresOf), (feature) => feature.replace(/:.*/, ''));
  const counts = [...kinds].map(([kind, features]) => [kind, new Set(features).size]);
  expect(Object.fromEntries(counts)).toEqual({
    balance: 2,
    beside: 11,
    card: 1,
    direction: 21,
    format: 4,
    rows: 14,
    several: 4,
    state: 7,
    unit: 6,
  });
});

test('no file is drawn that the rules cannot decide', () => {
  expect(drawnFiles.map(reasonOf).filter((reason) => reason !== undefined)).toEqual([]);
  expect(Object.keys(UNDECIDABLE)).toHaveLength(13);
});

test('each row of a file has a number, and each amount of the truth is in it', () => {
  for (const drawn of drawnFiles.slice(0, 200)) {
    const { lines, rows } = write(drawn);
    expect(rows).toHaveLength(lines.length);
    expect(new Set(rows).size).toBe(lines.length);
    expect(linesOf(drawn)).toHaveLength(lines.length);
  }
});

test('a wrong entry without a question is found, and the file is made smaller', async () => {
  const drawn =
    drawnFiles.find(({ features }) => features.includes('direction: signed bank')) ?? drawFile('1/1');
  const reading: Reading = { ...(await readTruthfully(drawn)), outcome: 'wrong', questions: [], answers: 0 };
  expect(violationOf(drawn, reading)).toBe('wrong without a word');
  const run = emptyRun();
  run.total.files++;
  run.total.violations['wrong without a word']++;
  expect(failuresOf(run)).toEqual(['1 files: wrong without a word']);
  const [smallest] = await smallestOf([{ file: 'test', kind: 'not readable', drawn, reading }]);
  expect(smallest?.drawn.items.length).toBeLessThanOrEqual(drawn.items.length);
});

test('no file is read wrongly without a word or after true answers', async () => {
  const run = await runFiles([1, 2], FILES);
  if (failuresOf(run).length > 0) console.log(await shown(run));
  expect(failuresOf(run)).toEqual([]);
});
