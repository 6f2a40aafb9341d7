/** Memory of the gateway and the worker under the heaviest load, from /proc, so on Linux only. */
import { readFileSync } from 'node:fs';
import { heaviestLoad } from './heaviest-load.ts';
import type { Target } from './target.ts';

const MINUTE_MS = 60_000;

/** MiB, by docs/operations.md with the default configuration. */
const MEMORY_BOUNDS = { gateway: 256 + 8 * 64, 'ledger worker': 256 + 4 * 64 };

/**
 * Prints the resident memory of the gateway and the worker, and the highest since their start, after each minute of the heaviest
 * load.
 * @throws Error when a process exceeded its bound
 */
export async function memoryByMinute(target: Target, minutes: number): Promise<void> {
  const end = new AbortController();
  const load = heaviestLoad(target, end.signal);
  const mebibytes = (name: string, field: string) => {
    const status = readFileSync(`/proc/${target.pids.get(name)}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  };
  for (let minute = 1; minute <= minutes; minute++) {
    await Bun.sleep(MINUTE_MS);
    const figures = Object.keys(MEMORY_BOUNDS).map((name) => {
      const [now, highest] = ['VmRSS', 'VmHWM'].map((field) => mebibytes(name, field).toFixed(0));
      return `${name} ${now} MiB, highest ${highest}`;
    });
    console.log(`minute ${minute}: ${figures.join('; ')}`);
  }
  end.abort();
  console.log(JSON.stringify(await load));
  for (const [name, bound] of Object.entries(MEMORY_BOUNDS)) {
    const highest = mebibytes(name, 'VmHWM');
    if (!(highest <= bound))
      throw new Error(`the ${name} took ${highest.toFixed(0)} MiB, more than ${bound}`);
  }
}
