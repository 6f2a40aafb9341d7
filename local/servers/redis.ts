/** A private Redis on a unix socket, in memory only. It holds the windows of the two limits. */
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Service, spawnChild } from '../processes/child.ts';
import { privateDirectory } from '../processes/private-directory.ts';
import { type StartOptions, serving } from './service.ts';

// Redis 7.0 prints "The server is now ready to accept connections at …", later versions "Ready to accept connections unix".
const READY = /ready to accept connections/i;

interface RedisOptions extends StartOptions {
  /** The directory of the socket. Absent: a new one, removed at the stop. Pass one to restart at the same address. */
  directory?: string | undefined;
  /** Settings in addition to the defaults. */
  settings?: Record<string, string>;
}

export interface Redis extends Service {
  /** The absolute path of the socket. */
  url: string;
}

/** The path of redis-server, or else of valkey-server; null when neither is on the PATH. */
export function findRedis(): string | null {
  return Bun.which('redis-server') ?? Bun.which('valkey-server');
}

/** @returns undefined when neither Redis nor Valkey is on the PATH. */
export async function startRedis(options: RedisOptions = {}): Promise<Redis | undefined> {
  const program = findRedis();
  if (program === null) return undefined;
  options.signal?.throwIfAborted();

  const directory = options.directory ?? privateDirectory('redis');
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o700);
  const url = join(directory, 'redis.sock');
  const settings = {
    port: '0',
    unixsocket: url,
    unixsocketperm: '700',
    dir: directory,
    save: '',
    appendonly: 'no',
    // By default Redis wakes ten times a second, also without a command. Twice a second is enough for expired keys.
    hz: '2',
    // Eviction would reset a limit.
    'maxmemory-policy': 'noeviction',
    ...options.settings,
  };
  const child = spawnChild({
    name: 'Redis',
    command: [
      ...(options.wrapper ?? []),
      program,
      ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    ],
    env: { PATH: process.env.PATH },
    cwd: directory,
    logFile: options.logFile,
  });
  const stop = async () => {
    await child.stop([['SIGTERM', 5_000]]);
    if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
  };

  return serving(child, stop, async () => {
    await child.line((line) => READY.test(line) || undefined, options.signal);
    return { url };
  });
}
