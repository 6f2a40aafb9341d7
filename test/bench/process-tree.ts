/** A process with all its children, as Linux tells of them. */
import { readdirSync, readFileSync } from 'node:fs';

/** The fields of /proc/<pid>/stat from the state on, of every process there is. */
export type Processes = Map<number, string[]>;

const PARENT = 1;

export function allProcesses(): Processes {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return new Map(pids.flatMap((pid) => fieldsOf(pid)));
}

/** `pid`, and whatever it has started, and so on. */
export function treeOf(pid: number, processes: Processes): number[] {
  const children = [...processes].filter(([, fields]) => Number(fields[PARENT]) === pid);
  return [pid, ...children.flatMap(([child]) => treeOf(child, processes))];
}

function fieldsOf(pid: number): [number, string[]][] {
  try {
    // "pid (name) state parent …": the name may hold anything, so count from its last bracket.
    return [[pid, readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []]];
  } catch {
    return []; // It has ended meanwhile.
  }
}
