/** Memory of the processes under the heaviest load, from /proc, so on Linux only. */
import { readFileSync } from 'node:fs';
import { heaviestLoad } from './heaviest-load.ts';
import { allProcesses, treeOf } from './process-tree.ts';
import type { Side } from './side.ts';
import { spread } from './statistics.ts';
import type { Bench } from './work.ts';

const SAMPLE_EVERY_MS = 250;

/** Resident memory of a component in MB; memory that its processes share counts once. */
export interface Memory {
  start: number;
  peak: number;
  /** Medians of the second and the last third of the time. Equal values mean no growth. */
  middle: number;
  end: number;
}

/** Runs `side` once and samples the memory of the processes. Empty where memory cannot be measured. */
export async function memoryUnder(
  side: Side,
  { clients, seconds }: { clients: number; seconds: number },
  pids: ReadonlyMap<string, number>,
): Promise<Record<string, Memory>> {
  if (process.platform !== 'linux') return {};
  const series = new Map([...pids.keys()].map((name) => [name, [] as number[]]));
  const sample = () => {
    const processes = allProcesses();
    for (const [name, pid] of pids) series.get(name)?.push(residentMegabytes(treeOf(pid, processes)));
  };
  await side.begin(clients);
  side.load(seconds);
  sample();
  const sampler = setInterval(sample, SAMPLE_EVERY_MS);
  await side.run(seconds);
  clearInterval(sampler);
  side.end();
  return Object.fromEntries([...series].map(([name, values]) => [name, summary(values)]));
}

function summary(values: readonly number[]): Memory {
  const third = Math.ceil(values.length / 3);
  const median = (from: number, to?: number) => spread(values.slice(from, to)).median;
  return {
    start: values[0] ?? Number.NaN,
    peak: Math.max(...values),
    middle: median(third, 2 * third),
    end: median(-third),
  };
}

/** Memory that the processes share counts once. */
export function residentMegabytes(pids: readonly number[]): number {
  const statuses = pids.map(statusOf);
  const kilobytes = (name: string) =>
    statuses.map((status) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0));
  const own = kilobytes('RssAnon').reduce((sum, each) => sum + each, 0);
  return (own + Math.max(...kilobytes('RssFile')) + Math.max(...kilobytes('RssShmem'))) / 1024;
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return ''; // The process has ended.
  }
}

const MINUTE_MS = 60_000;

/** MiB, by docs/operations.md with the default configuration. */
export const MEMORY_BOUNDS = { gateway: 256 + 8 * 64, 'ledger worker': 256 + 4 * 64 };

/**
 * Prints the resident memory of the gateway and the worker, and the highest since their start, after each minute of the heaviest
 * load.
 * @throws Error when a process exceeded its bound
 */
export async function memoryByMinute({ stack, ...bench }: Bench, minutes: number): Promise<void> {
  const end = new AbortController();
  const load = heaviestLoad({ stack, ...bench }, end.signal);
  const mebibytes = (name: string, field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(statusOf(stack.pids.get(name) ?? 0))?.[1]) / 1024;
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
