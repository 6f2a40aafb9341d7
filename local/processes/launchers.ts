/**
 * Watches the launchers of this process, for example `npx` -> `sh` -> `bun run` -> this process.
 *
 * Not every signal to a launcher arrives here. Measured with npm 10 and Bun 1.4: `bun run` passes SIGINT, SIGTERM and
 * SIGHUP on. npx passes SIGTERM only to its shell, which ends and leaves `bun run` running; it passes SIGHUP to no
 * process. A SIGKILL cannot be passed on. In all these cases one of the launchers has ended, so this watches for their
 * end. (npx ignores a SIGINT sent to it alone: it relies on the terminal, which signals the whole group.)
 */
import { basename } from 'node:path';
import { isRunning, processInfo } from './process-info.ts';

const LAUNCHERS = new Set(['npm', 'npx', 'bun', 'bun.exe', 'bunx', 'node', 'pnpm', 'yarn']);
const CHECK_EVERY_MS = 200;

/** Calls `onEnd` once, when one of the launchers of the package script `script` has ended. */
export function watchLaunchers(script: string | undefined, onEnd: () => void): void {
  const launchers = script === undefined ? [] : launchersOf(script);
  if (launchers.length === 0) return;
  const timer = setInterval(() => {
    if (process.ppid === launchers[0] && launchers.every(isRunning)) return;
    clearInterval(timer);
    onEnd();
  }, CHECK_EVERY_MS);
}

/**
 * The process ids from this process's parent to the outermost launcher whose command line names `script`, including the
 * shells between them. Ancestors beyond that may end, for example a terminal or a script that ends with `&`.
 */
function launchersOf(script: string): number[] {
  const ancestors: number[] = [];
  let outermost = 0;
  for (let pid = process.ppid; pid > 1; ) {
    const info = processInfo(pid);
    if (info === undefined) break;
    ancestors.push(pid);
    const [program = '', ...args] = info.argv;
    if (LAUNCHERS.has(basename(program)) && args.includes(script)) outermost = ancestors.length;
    pid = info.parent;
  }
  return ancestors.slice(0, outermost);
}
