/** Checkouts of an earlier commit of this repository, and of this version with a newer schema. */
import { join } from 'node:path';
import { copyCheckout, ROOT, temporaryDirectory } from '../fixtures/checkout.ts';
import { makeNewer } from '../fixtures/newer-schema.ts';

export interface Version {
  directory: string;
  /** The functions of that version, which start its processes. */
  startWorker: typeof import('../../local/servers/worker.ts').startWorker;
  startGateway: typeof import('../../local/servers/gateway.ts').startGateway;
}

// The checkout may belong to another user; it is only read.
const GIT = ['git', '-c', 'safe.directory=*', '-C', ROOT, 'archive'];

/**
 * The earlier version uses today's node_modules, since no package version has changed.
 * @throws Error when the history lacks the commit, since the test would then test nothing
 */
export async function checkOut(commit: string): Promise<Version> {
  const directory = temporaryDirectory();
  const unpack = ['sh', '-c', '"$@" > archive.tar && tar -xf archive.tar', 'sh'];
  const { exitCode, stderr } = Bun.spawnSync([...unpack, ...GIT, commit], { cwd: directory });
  if (exitCode !== 0) {
    throw new Error(`The repository's history lacks ${commit}, try git fetch --unshallow: ${stderr}`);
  }
  copyCheckout(directory, []);
  return versionIn(directory);
}

/** A copy of this checkout with a change: by default a newer schema. */
export async function newerVersion(
  change = (directory: string) => makeNewer(join(directory, 'ledger-worker/sql')),
): Promise<Version> {
  const directory = temporaryDirectory();
  copyCheckout(directory);
  change(directory);
  return versionIn(directory);
}

async function versionIn(directory: string): Promise<Version> {
  const { startWorker } = await import(join(directory, 'local/servers/worker.ts'));
  const { startGateway } = await import(join(directory, 'local/servers/gateway.ts'));
  return { directory, startWorker, startGateway };
}
