/** The CPU time of processes and their descendants, from /proc, so on Linux only. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Target } from './target.ts';

/** The fields of /proc/<pid>/stat, beginning with the state, for every process. */
type Processes = Map<number, string[]>;

const PARENT = 1;
// utime, stime, cutime and cstime: the time of the process and of its reaped children.
const TIMES = [11, 15] as const;
// USER_HZ: fixed at 100 for programs on every architecture that Bun runs on.
const TICKS_PER_SECOND = 100;

const REST_MS = 30_000;
// The kernel counts in steps of 10 ms.
const MEASURED_MS = 20_000;
const MS_PER_SECOND_MAX = 5;

/** Seconds, user and system, since the start of each process. @returns nothing on another system than Linux */
export function cpuSeconds(pids: ReadonlyMap<string, number>): Map<string, number> {
  if (process.platform !== 'linux') return new Map();
  const processes = allProcesses();
  const ticksOf = (pid: number) => (processes.get(pid) ?? []).slice(...TIMES).map(Number);
  return new Map(
    [...pids].map(([name, pid]) => [name, sum(treeOf(pid, processes).flatMap(ticksOf)) / TICKS_PER_SECOND]),
  );
}

export async function printIdle({ pids }: Target): Promise<void> {
  await Bun.sleep(REST_MS);
  const [begun, before] = [performance.now(), cpuSeconds(pids)];
  await Bun.sleep(MEASURED_MS);
  const [after, seconds] = [cpuSeconds(pids), (performance.now() - begun) / 1_000];
  const idle = [...after].map(
    ([name, at]) => [name, ((at - (before.get(name) ?? 0)) * 1_000) / seconds] as const,
  );
  const inAll = sum(idle.map(([, ms]) => ms));
  const parts = idle.map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
  const verdict = inAll <= MS_PER_SECOND_MAX ? 'reached' : 'MISSED';
  console.log(
    `without requests: ${inAll.toFixed(2)} ms of CPU a second (${parts.join(', ')}); at most ${MS_PER_SECOND_MAX}: ${verdict}`,
  );
  if (verdict === 'MISSED') process.exitCode = 1;
}

export const sum = (values: readonly number[]) => values.reduce((all, each) => all + each, 0);

function allProcesses(): Processes {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return new Map(pids.map((pid) => [pid, fieldsOf(pid)]));
}

/** Of a process that has ended: none. */
function fieldsOf(pid: number): string[] {
  try {
    // "pid (name) state parent …": the name may contain any character, so split at the last bracket.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  } catch {
    return [];
  }
}

function treeOf(pid: number, processes: Processes): number[] {
  const children = [...processes].filter(([, fields]) => Number(fields[PARENT]) === pid);
  return [pid, ...children.flatMap(([child]) => treeOf(child, processes))];
}
