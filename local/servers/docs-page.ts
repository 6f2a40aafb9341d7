/** Builds the page /api/v1/docs: the gateway serves the result. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { spawnChild } from '../processes/child.ts';

const CHECKOUT = join(import.meta.dir, '../..');
const BUILD = join(CHECKOUT, 'gateway/docs-page/build.ts');
const BUILT = join(CHECKOUT, 'gateway/docs-page/dist/scalar.js.gz');

/** Takes 1 s, and nothing when it is newer than its build step and the installed packages. @throws ChildDied */
export async function buildDocsPage(signal: AbortSignal | undefined): Promise<void> {
  if (changedAt(BUILT) > Math.max(changedAt(BUILD), changedAt(join(CHECKOUT, 'bun.lock')))) return;
  const command = [process.execPath, BUILD];
  await spawnChild({ name: 'build of the docs page', command, cwd: CHECKOUT, env: process.env }).completed(
    signal,
  );
}

const changedAt = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
