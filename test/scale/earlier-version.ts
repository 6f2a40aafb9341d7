/** Checkouts of an earlier commit of this repository, and of this version with a newer schema. */
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeNewer } from '../fixtures/newer-schema.ts';

const CHECKOUT = join(import.meta.dir, '../..');

export interface Version {
  directory: string;
  /** The functions of that version, which start its processes. */
  startWorker: typeof import('../../local/servers/worker.ts').startWorker;
  startGateway: typeof import('../../local/servers/gateway.ts').startGateway;
  remove(): void;
}

// The checkout may belong to another user; it is only read.
const GIT = ['git', '-c', 'safe.directory=*', '-C', CHECKOUT];

/**
 * The earlier version uses today's node_modules, since no package version has changed.
 * @throws Error when the history lacks the commit, since the test would then test nothing
 */
export async function checkOut(commit: string): Promise<Version> {
  const { directory, remove } = newDirectory();
  const unpack = ['sh', '-c', '"$@" > archive.tar && tar -xf archive.tar', 'sh'];
  const { exitCode, stderr } = Bun.spawnSync([...unpack, ...GIT, 'archive', commit], { cwd: directory });
  if (exitCode !== 0) {
    remove();
    throw new Error(`The repository's history lacks ${commit}, try git fetch --unshallow: ${stderr}`);
  }
  return { ...(await launchersIn(directory)), directory, remove };
}

/** A copy of this checkout with a newer schema. */
export async function newerVersion(): Promise<Version> {
  const { directory, remove } = newDirectory();
  const list = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const files = Bun.spawnSync([...GIT, ...list])
    .stdout.toString()
    .trim()
    .split('\n');
  for (const file of files.filter((each) => existsSync(join(CHECKOUT, each)))) {
    cpSync(join(CHECKOUT, file), join(directory, file));
  }
  makeNewer(join(directory, 'ledger-worker/sql'));
  return { ...(await launchersIn(directory)), directory, remove };
}

function newDirectory() {
  const directory = mkdtempSync(join(tmpdir(), 'ledger-version-'));
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

async function launchersIn(directory: string): Promise<Pick<Version, 'startWorker' | 'startGateway'>> {
  symlinkSync(join(CHECKOUT, 'node_modules'), join(directory, 'node_modules'));
  const { startWorker } = await import(join(directory, 'local/servers/worker.ts'));
  const { startGateway } = await import(join(directory, 'local/servers/gateway.ts'));
  return { startWorker, startGateway };
}
