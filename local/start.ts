/**
 * `bun run start`: packages -> Postgres, Redis -> ledger worker -> gateway -> demo account -> ready; then, at a signal or a
 * death, everything down again.
 *
 * No import from node_modules here: on a new checkout this very process installs them.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { announcement, writeReadyFile } from './banner.ts';
import type { Demo } from './demo-account.ts';
import { installPackages } from './install/packages.ts';
import { ensureRedis } from './install/redis.ts';
import { HELP, type Options, readOptions, UsageError } from './options.ts';
import { CannotStart } from './processes/cannot-start.ts';
import { ChildDied, spawnChild } from './processes/child.ts';
import { watchRunners } from './processes/launchers.ts';
import { type Lock, lockDataDirectory } from './processes/lock.ts';
import { startSystem } from './system.ts';

const CHECKOUT = join(import.meta.dir, '..');
const USUAL_PORT = 3000;
const USUAL_ADMIN_PORT = 50052;
const DEMO_MS_MAX = 30_000;

const say = (sentence: string) => console.log(sentence);
const complain = (sentence: string) => console.error(sentence);

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), CHECKOUT);
  if (options === 'help') {
    say(HELP);
    return 0;
  }
  const signal = stopRequested();
  reachLoopbackDirectly();
  const lock = lockDataDirectory(options.dataDir);
  try {
    return await run(options, lock, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    say('Stopped before it was ready.');
    return 0;
  }
}

async function run({ port, dataDir, readyFile }: Options, lock: Lock, signal: AbortSignal): Promise<number> {
  if (readyFile) rmSync(readyFile, { force: true });
  await installPackages({ checkout: CHECKOUT, signal, report: say });
  const system = await startSystem({
    dataDir,
    lock,
    ports: port === undefined ? [USUAL_PORT, 0] : [port],
    adminPorts: [USUAL_ADMIN_PORT, 0],
    databaseUrl: process.env.DATABASE_URL || undefined,
    redisUrl: process.env.REDIS_URL || undefined,
    beforeRedis: (signal) =>
      ensureRedis({ logFile: join(dataDir, 'logs/redis-install.log'), signal, report: say }),
    signal,
  });
  const end = Promise.race([system.died, aborted(signal)]);
  try {
    const demo = openDemo(system.adminAddress, join(dataDir, 'demo.json'), signal);
    demo.catch(() => {}); // its failure counts only if it comes first
    const ready = await Promise.race([demo, end]);
    if (ready !== undefined && 'apiKey' in ready) {
      if (readyFile) writeReadyFile(readyFile, system, ready);
      say(announcement(system, ready, dataDir));
    }
    const death = await end;
    if (death) complain(death.message);
    say('Stopping …');
    return death ? 1 : 0;
  } finally {
    if (readyFile) rmSync(readyFile, { force: true });
    await system.stop();
  }
}

/** The demo account, by the program that makes it or finds it again. @throws ChildDied */
async function openDemo(adminAddress: string, file: string, signal: AbortSignal): Promise<Demo> {
  const child = spawnChild({
    name: 'demo account',
    command: [process.execPath, join(import.meta.dir, 'demo-account.ts'), adminAddress, file],
    env: process.env,
  });
  const isDemo = (line: string): Demo | undefined => (line.startsWith('{') ? JSON.parse(line) : undefined);
  try {
    return await child.line(isDemo, { timeoutMs: DEMO_MS_MAX, signal });
  } finally {
    await child.stop();
  }
}

/** Aborts at the first signal, or when npx or `bun run` in front of this process is gone. Every stop is bounded. */
function stopRequested(): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stop);
  watchRunners(process.env.npm_lifecycle_event, stop);
  // Whoever read the output may be gone by the time of the stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return controller.signal;
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

/** A proxy that is set for the outside world must not be asked for 127.0.0.1, by gRPC and fetch here and in the children. */
function reachLoopbackDirectly() {
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
    complain(expected ? error.message : error);
    process.exit(error instanceof UsageError ? 2 : 1);
  },
);
