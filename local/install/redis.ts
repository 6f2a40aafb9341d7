/** Installs a missing Redis, or reports how to install it. */
import { findRedis } from '../servers/redis.ts';
import { canInstall, installServer } from './server.ts';

export interface InstallRedisOptions {
  logFile: string;
  signal: AbortSignal;
  report: (sentence: string) => void;
}

/** Installs Redis on Debian as root. Elsewhere, or when the installation fails, reports what to install. */
export async function ensureRedis({ logFile, signal, report }: InstallRedisOptions): Promise<void> {
  if (findRedis()) return;
  let reason = 'There is no redis-server or valkey-server on the PATH';
  if (canInstall()) {
    report('Installing Redis (apt-get install redis-server) …');
    try {
      await installServer('redis-server', logFile, signal);
    } catch {
      signal.throwIfAborted();
      reason = `Redis could not be installed (see ${logFile})`;
    }
    if (findRedis()) return;
  }
  report(
    `${reason}: the limits are kept in the gateway's memory. To have them in Redis, ${advice()} and start again.`,
  );
}

function advice(): string {
  if (process.platform === 'darwin') return 'run "brew install redis"';
  if (Bun.which('apt-get')) return 'run "sudo apt-get install redis-server"';
  if (Bun.which('dnf')) return 'run "sudo dnf install valkey"';
  return 'install redis-server or valkey-server';
}
