/** The time and the memory of reading a costly file, relative to a usual file of the same size. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import {
  ImportError,
  type ImportOptions,
  readStatement,
  statementReader,
} from '../../../../clients/typescript/import/index.ts';
import { COSTLY_FILES } from './costly-files.ts';
import { COSTLY_WORKBOOKS, usualWorkbook } from './costly-workbooks.ts';

setDefaultTimeout(300_000);

const SIZE = 2 * 1024 * 1024;
/** The costliest has been measured at 7: a rules file with as many rules as there may be. */
const TIME_RATIO_MAX = 15;
/** A repetition distinguishes the cost of a file from that of a garbage collection. */
const ATTEMPTS_MAX = 4;
const MEMORY_RATIO_MAX = 3;
/** Measured at 0.2 to 0.4. */
const AGAIN_RATIO_MAX = 0.7;

const FORMATS = { ...COSTLY_FILES, xlsx: { usual: usualWorkbook, costly: COSTLY_WORKBOOKS } };

/** Returns the milliseconds. The file is read, or refused in one sentence. */
async function timeOf(bytes: Uint8Array, options?: ImportOptions): Promise<number> {
  const start = performance.now();
  try {
    await readStatement(bytes, options);
  } catch (error) {
    expect(error).toBeInstanceOf(ImportError);
    expect((error as ImportError).message).toMatch(/^[^\n]+\.$/);
  }
  return performance.now() - start;
}

describe.each(Object.entries(FORMATS))('%s:', (format, { usual, costly }) => {
  let reference = Number.POSITIVE_INFINITY;

  beforeAll(async () => {
    const bytes = usual(SIZE);
    const { entries, invalid } = await readStatement(bytes);
    expect(entries.length).toBeGreaterThan(10_000);
    expect(invalid).toEqual([]);
    for (let n = 0; n < 3; n++) reference = Math.min(reference, await timeOf(bytes));
  });

  test.each(Object.entries(costly))('takes no longer than a usual file of its size: %s', async (_, each) => {
    // A part first: a file that takes the square of its size would take hours.
    for (const size of [SIZE / 64, SIZE / 8, SIZE]) {
      const bytes = each.file(size);
      let ratio = (await timeOf(bytes, each.options)) / reference;
      for (let n = 1; n < ATTEMPTS_MAX && ratio > TIME_RATIO_MAX && ratio < 2 * TIME_RATIO_MAX; n++) {
        ratio = Math.min(ratio, (await timeOf(bytes, each.options)) / reference);
      }
      expect(ratio).toBeLessThanOrEqual(TIME_RATIO_MAX);
    }
  });

  test('no file takes more memory than a usual one', async () => {
    const peaks = await Promise.all(['usual', 'costly'].map((kind) => peaksOf(format, kind)));
    const [[[, usualPeak = 0] = []] = [], costlyPeaks = []] = peaks;
    expect(usualPeak).toBeGreaterThan(0);
    expect(costlyPeaks.length).toBe(Object.keys(costly).length);
    expect(costlyPeaks.filter(([, peak]) => peak > usualPeak * MEMORY_RATIO_MAX)).toEqual([]);
  });
});

test('after a correction, a file is read again in less time than at first', async () => {
  const bytes = COSTLY_FILES.csv?.usual(SIZE) ?? new Uint8Array();
  let ratio = Number.POSITIVE_INFINITY;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX && ratio > AGAIN_RATIO_MAX; attempt++) {
    const read = statementReader(bytes);
    const start = performance.now();
    await read();
    const first = performance.now() - start;
    const { entries } = await read({ corrections: { 2: { description: 'Corrected' } } });
    expect(entries[0]?.entry.description).toBe('Corrected');
    ratio = Math.min(ratio, (performance.now() - start - first) / first);
  }
  expect(ratio).toBeLessThanOrEqual(AGAIN_RATIO_MAX);
});

/** The peak of the memory of a process of its own, after each file, in bytes. */
async function peaksOf(format: string, kind: string): Promise<[name: string, peak: number][]> {
  const program = join(import.meta.dir, 'read-costly-files.ts');
  const child = Bun.spawn([process.execPath, program, format, kind, String(SIZE)], { stdout: 'pipe' });
  const output = await child.stdout.text();
  expect(await child.exited).toBe(0);
  return JSON.parse(output);
}
