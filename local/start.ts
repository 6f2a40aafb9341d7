/**
 * `bun run start`: packages -> Postgres, Redis -> ledger worker -> gateway -> demo account -> ready. A signal, or the end
 * of any of these processes, stops everything.
 *
 * Imports nothing from node_modules: on a new checkout this process installs them.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { banner, writeReadyFile } from './banner.ts';
import type { Demo } from './demo-account.ts';
import { installProgram } from './install-program.ts';
import { HELP, type Options, readOptions, UsageError } from './options.ts';
import { installPackages } from './packages.ts';
import { CannotStart } from './processes/cannot-start.ts';
import { ChildDied, spawnChild } from './processes/child.ts';
import { watchLaunchers } from './processes/launchers.ts';
import { type Lock, lockDataDirectory } from './processes/lock.ts';
import { findRedis } from './servers/redis.ts';
import { startSystem } from './system.ts';

const CHECKOUT = join(import.meta.dir, '..');
const DEFAULT_PORT = 3000;
const DEFAULT_ADMIN_PORT = 50052;
const NO_REDIS =
  "There is no redis-server or valkey-server on the PATH: the limits are kept in the gateway's memory. To have them in Redis, install either and start again.";

const print = (sentence: string) => console.log(sentence);
const printError = (sentence: string) => console.error(sentence);

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), CHECKOUT);
  if (options === 'help') {
    print(HELP);
    return 0;
  }
  const signal = stopRequested();
  bypassProxyForLoopback();
  const lock = lockDataDirectory(options.dataDir);
  try {
    return await run(options, lock, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    print('Stopped before it was ready.');
    return 0;
  }
}

async function run({ port, dataDir, readyFile }: Options, lock: Lock, signal: AbortSignal): Promise<number> {
  if (readyFile) rmSync(readyFile, { force: true });
  await installPackages({ checkout: CHECKOUT, signal, report: print });
  const databaseUrl = process.env.DATABASE_URL || undefined;
  const redisUrl = process.env.REDIS_URL || undefined;
  if (!redisUrl && !findRedis()) await installProgram('redis-server', dataDir, signal);
  if (!redisUrl && !findRedis()) print(NO_REDIS);
  const system = await startSystem({
    dataDir,
    lock,
    ports: port === undefined ? [DEFAULT_PORT, 0] : [port],
    adminPorts: [DEFAULT_ADMIN_PORT, 0],
    databaseUrl,
    redisUrl,
    signal,
  }).catch((error) => {
    if (error instanceof ChildDied && error.child === 'ledger worker' && !databaseUrl)
      error.message += `\nTo begin with an empty database, remove the folder ${join(dataDir, 'postgres')} and start again. Its entries are lost.`;
    throw error;
  });
  const end = Promise.race([system.died, aborted(signal)]);
  try {
    const demo = openDemo(system.adminAddress, join(dataDir, 'demo.json'), signal);
    demo.catch(() => {}); // its failure counts only if it comes first
    const ready = await Promise.race([demo, end]);
    if (ready !== undefined && 'apiKey' in ready) {
      if (readyFile) writeReadyFile(readyFile, system, ready);
      print(banner(system, ready, dataDir));
    }
    const death = await end;
    if (death) printError(death.message);
    print('Stopping …');
    return death ? 1 : 0;
  } finally {
    if (readyFile) rmSync(readyFile, { force: true });
    await system.stop();
  }
}

/** Runs demo-account.ts, which creates the account or finds it again. @throws ChildDied */
async function openDemo(adminAddress: string, file: string, signal: AbortSignal): Promise<Demo> {
  const child = spawnChild({
    name: 'demo account',
    command: [process.execPath, join(import.meta.dir, 'demo-account.ts'), adminAddress, file],
    env: process.env,
  });
  const isDemo = (line: string): Demo | undefined => (line.startsWith('{') ? JSON.parse(line) : undefined);
  try {
    return await child.line(isDemo, signal);
  } finally {
    await child.stop();
  }
}

/** Aborts at the first signal, or when a launcher of this process, such as npx or `bun run`, has ended. */
function stopRequested(): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stop);
  watchLaunchers(process.env.npm_lifecycle_event, stop);
  // The reader of the output may have ended before this process stops.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return controller.signal;
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

/** Otherwise gRPC and fetch, here and in the children, would send requests to 127.0.0.1 through a configured proxy. */
function bypassProxyForLoopback() {
  const direct = [process.env.no_proxy ?? process.env.NO_PROXY, '127.0.0.1', 'localhost']
    .filter(Boolean)
    .join(',');
  process.env.no_proxy = direct;
  process.env.NO_PROXY = direct;
}

main().then(
  (code) => process.exit(code),
  (error) => {
    const expected =
      error instanceof UsageError || error instanceof CannotStart || error instanceof ChildDied;
    printError(expected ? error.message : error);
    process.exit(error instanceof UsageError ? 2 : 1);
  },
);
