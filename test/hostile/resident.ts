/** Reads the resident memory of a process from /proc on Linux, else from ps. */
import { readFileSync } from 'node:fs';

/** Resident memory of a process, in MiB. */
export function residentMibOf(pid: number): number {
  const kib =
    process.platform === 'linux'
      ? /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      : Bun.spawnSync(['ps', '-o', 'rss=', '-p', String(pid)]).stdout.toString();
  return Math.round(Number(kib) / 1024);
}
