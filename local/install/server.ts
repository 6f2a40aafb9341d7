/** Installs a program, such as a server, from its Debian package. */
import { join } from 'node:path';
import { type StopStep, spawnChild } from '../processes/child.ts';

const INSTALL_MS_MAX = 120_000;
// A half-installed package is worse than a slow stop.
const STOP_STEPS: StopStep[] = [['SIGTERM', 60_000]];

/** True for root on Debian and its derivatives. */
export function canInstall(): boolean {
  return Bun.which('apt-get') !== null && process.getuid?.() === 0;
}

/** @param name of the package, its program and its service. @throws ChildDied, or the signal's reason */
export async function installServer(name: string, logFile: string, signal: AbortSignal): Promise<void> {
  await spawnChild({
    name: `installation of ${name}`,
    command: ['sh', join(import.meta.dir, 'server.sh'), name, logFile],
    env: process.env,
  }).completed(AbortSignal.any([signal, AbortSignal.timeout(INSTALL_MS_MAX)]), STOP_STEPS);
}
