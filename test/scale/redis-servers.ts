/** Redis servers and sentinels as child processes on ports of 127.0.0.1. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Redis from 'ioredis';
import { type Service, spawnChild } from '../../local/processes/child.ts';
import { temporaryDirectory } from '../fixtures/checkout.ts';
import { freePort } from '../fixtures/free-port.ts';

export const PASSWORD = 'correct horse';

export interface Server extends Service {
  port: number;
  directory: string;
}

type Settings = Record<string, string | number>;

/** @param lines for the configuration file, after the settings */
async function startServer(
  settings: Settings,
  flags: string[] = [],
  lines: string[] = [],
  port = freePort(),
): Promise<Server> {
  const directory = temporaryDirectory();
  const configuration = join(directory, 'redis.conf');
  const own = { bind: '127.0.0.1', port, dir: directory, ...settings };
  writeFileSync(
    configuration,
    [...Object.entries(own).map(([name, value]) => `${name} "${value}"`), ...lines, ''].join('\n'),
  );
  const child = spawnChild({
    name: `Redis on port ${port}`,
    command: ['redis-server', configuration, ...flags],
    env: { PATH: process.env.PATH },
    cwd: directory,
  });
  const stop = async () => {
    await child.stop([
      ['SIGCONT', 0],
      ['SIGKILL', 5_000],
    ]);
  };
  const { name, pid, died } = child;
  try {
    await child.line((line) => /Ready to accept connections|Sentinel ID is/i.test(line) || undefined);
  } catch (error) {
    await stop();
    throw error;
  }
  return { name, pid, died, port, directory, stop };
}

/** A server with a password and without persistence. */
export function startDataServer(settings: Settings = {}): Promise<Server> {
  return startServer({
    save: '',
    appendonly: 'no',
    requirepass: PASSWORD,
    masterauth: PASSWORD,
    'repl-diskless-sync-delay': 0,
    ...settings,
  });
}

export function startClusterServer(settings: Settings = {}): Promise<Server> {
  return startDataServer({
    'cluster-enabled': 'yes',
    'cluster-port': freePort(),
    'cluster-node-timeout': 1000,
    // The other masters still serve when one is unavailable.
    'cluster-require-full-coverage': 'no',
    ...settings,
  });
}

/** A sentinel that monitors `master` under `name`, with a quorum of two. @param port of an earlier one, in its place */
export function startSentinel(name: string, master: Server, port?: number): Promise<Server> {
  return startServer(
    {},
    ['--sentinel'],
    [
      `sentinel monitor ${name} 127.0.0.1 ${master.port} 2`,
      `sentinel auth-pass ${name} "${PASSWORD}"`,
      `sentinel down-after-milliseconds ${name} 1000`,
      `sentinel failover-timeout ${name} 2000`,
    ],
    port,
  );
}

/** Sends one command. */
export async function command(server: Server, ...[name, ...args]: [string, ...(string | number)[]]) {
  const client = new Redis({ port: server.port, password: PASSWORD, replyMapping: 'legacy' });
  // The command itself rejects.
  client.on('error', () => {});
  try {
    return await client.call(name, ...args);
  } finally {
    client.disconnect();
  }
}
