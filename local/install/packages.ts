/** Installs the packages that bun.lock names. Imports nothing from node_modules, which may not exist yet. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotStart } from '../processes/cannot-start.ts';
import { ChildDied, spawnChild } from '../processes/child.ts';
import { tryLock } from '../processes/lock.ts';

const OTHER_INSTALL_MS_MAX = 300_000;

export interface InstallOptions {
  checkout: string;
  signal: AbortSignal;
  report: (sentence: string) => void;
}

/**
 * Does nothing when every direct dependency has its version and bun.lock has not changed since the last installation.
 * @throws CannotStart
 */
export async function installPackages({ checkout, signal, report }: InstallOptions): Promise<void> {
  if (isInstalled(checkout)) return;
  const modules = join(checkout, 'node_modules');
  mkdirSync(modules, { recursive: true });
  const lock = await waitForLock(join(modules, '.start-lock'), signal);
  try {
    if (isInstalled(checkout)) return;
    report('Installing packages …');
    const install = spawnChild({
      name: 'package installation',
      command: [process.execPath, 'install', '--frozen-lockfile'],
      cwd: checkout,
      env: process.env,
    });
    await install.completed(signal);
    writeFileSync(stampFile(checkout), lockfileHash(checkout));
  } catch (error) {
    if (error instanceof ChildDied) throw new CannotStart(error.message);
    throw error;
  } finally {
    lock.release();
  }
}

/** Two starts in one new checkout must not install at the same time. */
async function waitForLock(file: string, signal: AbortSignal) {
  for (const until = Date.now() + OTHER_INSTALL_MS_MAX; Date.now() < until; await Bun.sleep(200)) {
    signal.throwIfAborted();
    const lock = tryLock(file);
    if (lock) return lock;
  }
  throw new CannotStart(
    'Another start has been installing packages for five minutes: stop it and start again.',
  );
}

function isInstalled(checkout: string): boolean {
  try {
    if (readFileSync(stampFile(checkout), 'utf8') !== lockfileHash(checkout)) return false;
    return directDependencies(checkout).every(
      ([name, version]) => readJson(join(checkout, 'node_modules', name, 'package.json')).version === version,
    );
  } catch {
    return false;
  }
}

/** Those of the service and of each client, in exact versions: bun.lock repeats every package.json. */
function directDependencies(checkout: string): [name: string, version: string][] {
  const { workspaces } = Bun.JSONC.parse(readFileSync(join(checkout, 'bun.lock'), 'utf8')) as {
    workspaces: Record<string, Record<'dependencies' | 'devDependencies', Record<string, string>>>;
  };
  return Object.values(workspaces).flatMap(({ dependencies, devDependencies }) =>
    Object.entries({ ...dependencies, ...devDependencies }),
  );
}

/** The hash of the bun.lock that this program installed last. After `bun install` by hand it installs once more: 20 ms. */
const stampFile = (checkout: string) => join(checkout, 'node_modules', '.start-installed');

const lockfileHash = (checkout: string) =>
  new Bun.CryptoHasher('sha256').update(readFileSync(join(checkout, 'bun.lock'))).digest('hex');

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
