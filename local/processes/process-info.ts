/** What the system knows about another process: from /proc where there is one, else from ps. */
import { readFileSync } from 'node:fs';

export interface ProcessInfo {
  parent: number;
  /** As it was called, or the title that it gave itself. */
  words: string[];
}

/** undefined when there is no such process, or when it has ended and only waits to be collected. */
export function processInfo(pid: number): ProcessInfo | undefined {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

export function isRunning(pid: number): boolean {
  if (process.platform === 'linux') return fromProc(pid) !== undefined;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}

function fromProc(pid: number): ProcessInfo | undefined {
  try {
    // "pid (name) state parent …": the name may hold anything, so count from its last bracket.
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    if (state === 'Z' || state === 'X') return undefined;
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    // A title set from within is one text with spaces, without the usual zero bytes.
    const words = line.replace(/\0+$/, '').split('\0');
    return {
      parent: Number(parent),
      words: words.length > 1 ? words : words.flatMap((word) => word.split(' ')),
    };
  } catch {
    return undefined;
  }
}

function fromPs(pid: number): ProcessInfo | undefined {
  const ps = Bun.spawnSync(['ps', '-o', 'ppid=', '-o', 'command=', '-p', String(pid)]);
  const [parent, ...words] = ps.stdout.toString().trim().split(/\s+/);
  return parent ? { parent: Number(parent), words } : undefined;
}
