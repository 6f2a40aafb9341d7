/** The time and the memory of reading a costly file, relative to a usual file of the same size. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import {
  type ImportOptions,
  importFileReader,
  readImportFile,
} from '../../../../clients/typescript/import/index.ts';
import { COSTLY_FILES } from './costly-files.ts';
import { ATTEMPTS_MAX, type Cost, cpuTimeOf, FORMATS, SIZE, TIME_RATIO_MAX } from './read-costly-files.ts';

setDefaultTimeout(300_000);

const MEMORY_RATIO_MAX = 3;
/** Measured at 0.2 to 0.4. */
const AGAIN_RATIO_MAX = 0.7;

/** Of a bank account. */
const MAPS: Partial<Record<string, ImportOptions['map']>> = {
  xlsx: { date: '1', amount: '2', description: '3' },
};

describe.each(Object.entries(FORMATS))('%s:', (format, { usual, costly }) => {
  test('the usual file is read whole', async () => {
    const map = MAPS[format];
    const { entries, invalid } = await readImportFile(usual(SIZE), { map });
    expect(entries.length).toBeGreaterThan(1_000);
    expect(invalid).toEqual([]);
  });

  test('no file takes much more time or memory than a usual one', async () => {
    // A process of its own, whose memory is that of these files, and which ends even if a file takes hours.
    const program = join(import.meta.dir, 'read-costly-files.ts');
    const child = Bun.spawn([process.execPath, program, format], { stdout: 'pipe', timeout: 240_000 });
    const output = await child.stdout.text();
    expect(await child.exited).toBe(0);
    const costs: Cost[] = JSON.parse(output);
    expect(costs.map(({ name }) => name)).toEqual(Object.keys(costly));
    expect(costs.filter(({ time, memory }) => time > TIME_RATIO_MAX || memory > MEMORY_RATIO_MAX)).toEqual(
      [],
    );
  });
});

test('after a correction, a file is read again in less time than at first', async () => {
  const bytes = COSTLY_FILES.csv?.usual(SIZE) ?? new Uint8Array();
  let ratio = Number.POSITIVE_INFINITY;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX && ratio > AGAIN_RATIO_MAX; attempt++) {
    const read = importFileReader(bytes);
    const first = await cpuTimeOf(() => read());
    const again = await cpuTimeOf(() => read({ corrections: { 2: { description: 'Corrected' } } }));
    ratio = Math.min(ratio, again / first);
  }
  expect(ratio).toBeLessThanOrEqual(AGAIN_RATIO_MAX);
});
