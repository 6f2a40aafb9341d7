/** A process and its descendants, from /proc. */
import { readdirSync, readFileSync } from 'node:fs';

/** The fields of /proc/<pid>/stat, beginning with the state, for every process. */
export type Processes = Map<number, string[]>;

export const PARENT = 1;

export function allProcesses(): Processes {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return new Map(pids.flatMap((pid) => fieldsOf(pid)));
}

/** `pid` and its descendants. */
export function treeOf(pid: number, processes: Processes): number[] {
  const children = [...processes].filter(([, fields]) => Number(fields[PARENT]) === pid);
  return [pid, ...children.flatMap(([child]) => treeOf(child, processes))];
}

function fieldsOf(pid: number): [number, string[]][] {
  try {
    // "pid (name) state parent …": the name may contain any character, so split at the last bracket.
    return [[pid, readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []]];
  } catch {
    return []; // The process has ended.
  }
}
