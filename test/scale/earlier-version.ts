/** The service as it was at an earlier commit, out of this repository's own history. */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHECKOUT = join(import.meta.dir, '../..');

export interface EarlierVersion {
  /** Its own: they start its processes. */
  startWorker: typeof import('../../local/worker.ts').startWorker;
  startGateway: typeof import('../../local/gateway.ts').startGateway;
  remove(): void;
}

// Whoever owns the checkout: it is only read.
const GIT = ['git', '-c', 'safe.directory=*', '-C', CHECKOUT];

/** Whether the checkout was made without its history. */
export function isShallow(): boolean {
  const { stdout } = Bun.spawnSync([...GIT, 'rev-parse', '--is-shallow-repository']);
  return stdout.toString().trim() === 'true';
}

/**
 * Its packages are those of now: no version that it asks for has changed since.
 * @throws Error that says what is missing: without the history nothing would be tested
 */
export async function checkOut(commit: string): Promise<EarlierVersion> {
  const directory = mkdtempSync(join(tmpdir(), 'ledger-earlier-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  const unpack = ['sh', '-c', '"$@" > archive.tar && tar -xf archive.tar', 'sh'];
  const { exitCode, stderr } = Bun.spawnSync([...unpack, ...GIT, 'archive', commit], { cwd: directory });
  if (exitCode !== 0) {
    remove();
    throw new Error(`The repository's history lacks ${commit}, try git fetch --unshallow: ${stderr}`);
  }
  symlinkSync(join(CHECKOUT, 'node_modules'), join(directory, 'node_modules'));
  const { startWorker } = await import(join(directory, 'local/worker.ts'));
  const { startGateway } = await import(join(directory, 'local/gateway.ts'));
  return { startWorker, startGateway, remove };
}
