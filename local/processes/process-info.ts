/** Parent and command line of another process: from /proc on Linux, else from ps. */
import { readFileSync } from 'node:fs';

interface ProcessInfo {
  parent: number;
  /** The command line, or the title that the process has set. */
  argv: string[];
}

/** undefined when there is no such process, or when it is a zombie. */
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
    // "pid (name) state parent …": the name may contain any character, so split at the last bracket.
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    if (state === 'Z' || state === 'X') return undefined;
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    // A title that the process has set is separated by spaces, not by zero bytes.
    const text = line.replace(/\0+$/, '');
    return { parent: Number(parent), argv: text.split(text.includes('\0') ? '\0' : ' ') };
  } catch {
    return undefined;
  }
}

function fromPs(pid: number): ProcessInfo | undefined {
  const ps = Bun.spawnSync(['ps', '-o', 'ppid=', '-o', 'command=', '-p', String(pid)]);
  const [parent, ...argv] = ps.stdout.toString().trim().split(/\s+/);
  return parent ? { parent: Number(parent), argv } : undefined;
}
