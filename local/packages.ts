/** Installs the packages that bun.lock names. Imports nothing from node_modules, which may not exist yet. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CannotStart } from './processes/cannot-start.ts';
import { ChildDied, spawnChild } from './processes/child.ts';
import { type Lock, tryLock } from './processes/lock.ts';

const OTHER_INSTALL_MS_MAX = 300_000;

interface InstallOptions {
  checkout: string;
  signal: AbortSignal;
  report: (sentence: string) => void;
}

/** Takes 0.1 s, and no network, when all of them are installed. @throws CannotStart */
export async function installPackages({ checkout, signal, report }: InstallOptions): Promise<void> {
  const modules = join(checkout, 'node_modules');
  if (!existsSync(modules)) report('Installing packages …');
  mkdirSync(modules, { recursive: true });
  const lock = await waitForLock(join(modules, '.start-lock'), signal);
  try {
    const command = [process.execPath, 'install', '--frozen-lockfile'];
    const options = { name: 'package installation', command, cwd: checkout, env: process.env };
    await spawnChild(options).completed(signal);
  } catch (error) {
    if (error instanceof ChildDied) throw new CannotStart(error.message);
    throw error;
  } finally {
    lock.release();
  }
}

/** Two starts in one new checkout must not install at the same time. */
async function waitForLock(file: string, signal: AbortSignal): Promise<Lock> {
  for (const until = Date.now() + OTHER_INSTALL_MS_MAX; Date.now() < until; await Bun.sleep(200)) {
    signal.throwIfAborted();
    const lock = tryLock(file);
    if (lock) return lock;
  }
  throw new CannotStart(
    'Another start has been installing packages for five minutes: stop it and start again.',
  );
}
