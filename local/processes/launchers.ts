/**
 * Watches the package runners in front of this process: `npx` -> `sh` -> `bun run` -> here.
 *
 * Measured with npm 10 and Bun 1.4: `bun run` hands SIGINT, SIGTERM and SIGHUP on. npx passes SIGTERM to its shell only,
 * which dies without a word to `bun run`, and passes SIGHUP to nobody. A SIGKILL of either is seen by nobody. What
 * every such case has in common is that one of the runners is gone. (A SIGINT for npx alone it keeps to itself and lives
 * on: it counts on the terminal, which tells everybody.)
 */
import { basename } from 'node:path';
import { isRunning, processInfo } from './process-info.ts';

const RUNNERS = new Set(['npm', 'npx', 'bun', 'bun.exe', 'bunx', 'node', 'pnpm', 'yarn']);
const CHECK_EVERY_MS = 200;

/** Calls `onGone` once, when one of the runners of the package script `script` has gone. */
export function watchRunners(script: string | undefined, onGone: () => void): void {
  const runners = script === undefined ? [] : runnersOf(script);
  if (runners.length === 0) return;
  const timer = setInterval(() => {
    if (process.ppid === runners[0] && runners.every(isRunning)) return;
    clearInterval(timer);
    onGone();
  }, CHECK_EVERY_MS);
}

/**
 * From this process's parent to the outermost runner whose command line names `script`, the shells between included. Whoever
 * is beyond started a runner and may leave: a terminal, a script that ends with `&`.
 */
function runnersOf(script: string): number[] {
  const ancestors: number[] = [];
  let outermost = 0;
  for (let pid = process.ppid; pid > 1; ) {
    const info = processInfo(pid);
    if (info === undefined) break;
    ancestors.push(pid);
    const [program = '', ...words] = info.words;
    if (RUNNERS.has(basename(program)) && words.includes(script)) outermost = ancestors.length;
    pid = info.parent;
  }
  return ancestors.slice(0, outermost);
}
