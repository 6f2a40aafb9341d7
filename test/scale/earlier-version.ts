/** Checkouts of an earlier commit of this repository, and of this version with a newer schema. */
import { readFileSync } from 'node:fs';
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
const GIT = ['git', '-c', 'safe.directory=*', '-C', ROOT];

// From its schema on, a worker understands older gateways, and older workers understand newer schemas.
const SCHEMA_OF_1_0 = 'fd5bdc68d3a8ffe9a2f62a1803bc30600846a408';

/**
 * The first commit whose versions understand later ones, with its own packages. In a shallow clone it is this commit.
 * @throws Error when the history lacks the commit, since the test would then test nothing
 */
export async function earliestVersion(): Promise<Version> {
  const isShallow = run([...GIT, 'rev-parse', '--is-shallow-repository']) === 'true';
  const directory = temporaryDirectory();
  const archive = [...GIT, 'archive', isShallow ? 'HEAD' : SCHEMA_OF_1_0];
  run(['sh', '-c', '"$@" > archive.tar && tar -xf archive.tar', 'sh', ...archive], directory);
  const [own, todays] = [directory, ROOT].map((each) => readFileSync(join(each, 'bun.lock'), 'utf8'));
  if (own === todays) copyCheckout(directory, []);
  else run([process.execPath, 'install', '--frozen-lockfile'], directory);
  return versionIn(directory);
}

function run(command: string[], cwd = ROOT): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd });
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stderr}`);
  return stdout.toString().trim();
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
