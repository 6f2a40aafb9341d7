/** `bun read-costly-files.ts FORMAT`: reads a usual file and each costly file of its size, and prints the `Cost`s as JSON. */
import {
  ImportError,
  type ImportOptions,
  readImportFile,
} from '../../../../clients/typescript/import/index.ts';
import { COSTLY_FILES, OPTIONS } from './costly-files.ts';
import { COSTLY_WORKBOOKS, usualWorkbook } from './costly-workbooks.ts';

export const FORMATS = { ...COSTLY_FILES, xlsx: { usual: usualWorkbook, costly: COSTLY_WORKBOOKS } };
export const SIZE = 384 * 1024;
/** The costliest has been measured at 9: entries of nothing. */
export const TIME_RATIO_MAX = 15;
/** A repetition distinguishes the cost of a file from that of a garbage collection. */
export const ATTEMPTS_MAX = 4;

/** Of a file, relative to a usual one. */
export interface Cost {
  name: string;
  time: number;
  /** Of the peak of the process so far. */
  memory: number;
}

async function costsOf(format: keyof typeof FORMATS): Promise<Cost[]> {
  const { usual, costly } = FORMATS[format] as (typeof COSTLY_FILES)[string];
  const bytes = usual(SIZE);
  const first = await timeOf(bytes);
  const peak = process.resourceUsage().maxRSS;
  const reference = Math.min(first, await timeOf(bytes), await timeOf(bytes));
  const costs: Cost[] = [];
  for (const [name, file] of Object.entries(costly)) {
    const options = OPTIONS[name];
    let time = 0;
    // Otherwise the peak would be that of the garbage of all files.
    Bun.gc(true);
    // A part first: a file that takes the square of its size would take hours.
    for (const size of [SIZE / 64, SIZE / 8, SIZE]) {
      const part = file(size);
      time = (await timeOf(part, options)) / reference;
      for (let n = 1; n < ATTEMPTS_MAX && time > TIME_RATIO_MAX && time < 2 * TIME_RATIO_MAX; n++) {
        time = Math.min(time, (await timeOf(part, options)) / reference);
      }
      if (time > TIME_RATIO_MAX) break;
    }
    costs.push({ name, time, memory: process.resourceUsage().maxRSS / peak });
  }
  return costs;
}

/** The CPU time in which the file is read, or refused in one sentence. */
const timeOf = (bytes: Uint8Array, options?: ImportOptions) =>
  cpuTimeOf(async () => {
    try {
      await readImportFile(bytes, options);
    } catch (error) {
      if (!(error instanceof ImportError) || !/^[^\n]+\.$/.test(error.message)) throw error;
    }
  });

/** Returns the CPU time of this process, in microseconds: other processes change it little. */
export async function cpuTimeOf(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

if (import.meta.main) console.log(JSON.stringify(await costsOf(process.argv[2] as keyof typeof FORMATS)));
