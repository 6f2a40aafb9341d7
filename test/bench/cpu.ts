/** CPU time of processes from /proc, so on Linux only. */
import { allProcesses, treeOf } from './process-tree.ts';

export const LOAD_GENERATOR = 'load generator';

/** CPU seconds, user and system, by the name of a component. Undefined where they cannot be measured. */
export type CpuSeconds = Record<string, number> | undefined;

// USER_HZ: fixed at 100 for programs on every architecture that Bun runs on.
const TICKS_PER_SECOND = 100;
// The fields utime, stime, cutime and cstime: the process's own time and that of its reaped children.
const TIMES = [11, 15] as const;

/** CPU time since the start of each process, including its present and former children. */
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
