/** CPU time of processes, as the operating system counts it. Only Linux tells it of other processes. */
import { allProcesses, treeOf } from './process-tree.ts';

export const LOAD_GENERATOR = 'load generator';

/** CPU seconds, user and system, by the name of a component. Undefined where they cannot be measured. */
export type CpuSeconds = Record<string, number> | undefined;

// USER_HZ: fixed at 100 for programs on every architecture that Bun runs on.
const TICKS_PER_SECOND = 100;
// Of a process's fields: its own time as user and system, and that of the children it has collected.
const TIMES = [11, 15] as const;

/** Since each process began. Children that a component has now or had before count with it. */
export function cpuSeconds(pids: ReadonlyMap<string, number>): CpuSeconds {
  if (process.platform !== 'linux') return undefined;
  const processes = allProcesses();
  const ticksOf = (pid: number) =>
    (processes.get(pid) ?? []).slice(...TIMES).reduce((sum, field) => sum + Number(field), 0);
  const seconds: Record<string, number> = {};
  for (const [name, pid] of pids) {
    const ticks = treeOf(pid, processes).reduce((sum, each) => sum + ticksOf(each), 0);
    seconds[name] = ticks / TICKS_PER_SECOND;
  }
  const own = process.cpuUsage();
  seconds[LOAD_GENERATOR] = (own.user + own.system) / 1e6;
  return seconds;
}

export function cpuBetween(before: CpuSeconds, after: CpuSeconds): CpuSeconds {
  if (before === undefined || after === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]),
  );
}
