/** Memory of the processes under the heaviest load. Only Linux tells it of other processes. */
import { readFileSync } from 'node:fs';
import { allProcesses, treeOf } from './process-tree.ts';
import type { Side } from './side.ts';
import { spread } from './statistics.ts';

const SAMPLE_EVERY_MS = 250;

/** MB of resident memory of a component; what its processes share counts once. */
export interface Memory {
  start: number;
  peak: number;
  /** Medians of the second and of the last third of the time: alike, it is flat. */
  middle: number;
  end: number;
}

/** Runs `side` once, and watches the processes meanwhile. Empty where memory cannot be measured. */
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

function residentMegabytes(pids: readonly number[]): number {
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
    return ''; // It has ended meanwhile.
  }
}
