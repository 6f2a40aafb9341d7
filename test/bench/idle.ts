/** The CPU time of a service without requests, from /proc, so on Linux only. */
import { readdirSync, readFileSync } from 'node:fs';
import { allProcesses, treeOf } from './process-tree.ts';
import type { Target } from './target.ts';

const REST_MS = 30_000;
const MEASURED_MS = 20_000;
const MS_PER_SECOND_MAX = 5;

/** Leaves a service that has served requests alone. */
export async function printIdle({ pids }: Target): Promise<void> {
  await Bun.sleep(REST_MS);
  const [begun, before] = [performance.now(), threadsOf(pids)];
  await Bun.sleep(MEASURED_MS);
  const [after, seconds] = [threadsOf(pids), (performance.now() - begun) / 1_000];
  const idle = new Map<string, number>();
  for (const [thread, { name, ns }] of after) {
    const ms = (ns - (before.get(thread)?.ns ?? 0)) / 1e6 / seconds;
    idle.set(name, (idle.get(name) ?? 0) + ms);
  }
  const inAll = [...idle.values()].reduce((sum, ms) => sum + ms, 0);
  const parts = [...idle].map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
  const verdict = inAll <= MS_PER_SECOND_MAX ? 'reached' : 'MISSED';
  console.log(
    `without requests: ${inAll.toFixed(2)} ms of CPU a second (${parts.join(', ')}); at most ${MS_PER_SECOND_MAX}: ${verdict}`,
  );
  if (verdict === 'MISSED') process.exitCode = 1;
}

/** The CPU time of each thread that lives. /proc/<pid>/stat counts in steps of 10 ms, which is too coarse here. */
function threadsOf(pids: ReadonlyMap<string, number>): Map<string, { name: string; ns: number }> {
  const processes = allProcesses();
  const threads = [...pids].flatMap(([name, pid]) =>
    treeOf(pid, processes).flatMap((each) =>
      namesIn(`/proc/${each}/task`).map((thread) => {
        const ns = nanosecondsOf(`/proc/${each}/task/${thread}/schedstat`);
        return [`${each}/${thread}`, { name, ns }] as const;
      }),
    ),
  );
  return new Map(threads);
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return []; // The process has ended.
  }
}

function nanosecondsOf(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0]);
  } catch {
    return 0; // The thread has ended.
  }
}
