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

/** Prints the CPU time of a service without requests. */
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
  const inAll = sum([...idle.values()]);
  const parts = [...idle].map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
  const verdict = inAll <= MS_PER_SECOND_MAX ? 'reached' : 'MISSED';
  console.log(
    `without requests: ${inAll.toFixed(2)} ms of CPU a second (${parts.join(', ')}); at most ${MS_PER_SECOND_MAX}: ${verdict}`,
  );
  if (verdict === 'MISSED') process.exitCode = 1;
}

export const sum = (values: readonly number[]) => values.reduce((all, each) => all + each, 0);

/** The CPU time of each thread that lives. /proc/<pid>/stat counts in steps of 10 ms, which is too coarse here. */
function threadsOf(pids: ReadonlyMap<string, number>): Map<string, { name: string; ns: number }> {
  const processes = allProcesses();
  const threads = [...pids].flatMap(([name, pid]) =>
    treeOf(pid, processes).flatMap((each) =>
      ifAlive(() => readdirSync(`/proc/${each}/task`), []).map((thread) => {
        const file = `/proc/${each}/task/${thread}/schedstat`;
        const ns = ifAlive(() => Number(readFileSync(file, 'utf8').split(' ')[0]), 0);
        return [`${each}/${thread}`, { name, ns }] as const;
      }),
    ),
  );
  return new Map(threads);
}

function allProcesses(): Processes {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  // "pid (name) state parent …": the name may contain any character, so split at the last bracket.
  const stat = (pid: number) =>
    ifAlive(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), '')
      .split(') ')
      .at(-1);
  return new Map(pids.map((pid) => [pid, stat(pid)?.split(' ') ?? []]));
}

/** `pid` and its descendants. */
function treeOf(pid: number, processes: Processes): number[] {
  const children = [...processes].filter(([, fields]) => Number(fields[PARENT]) === pid);
  return [pid, ...children.flatMap(([child]) => treeOf(child, processes))];
}

/** A process or a thread may end before it is read. */
function ifAlive<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
