/** Builds the files that the gateway serves: the import page, and the page /api/v1/docs. Unchanged sources are not built again. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { spawnChild } from '../processes/child.ts';
import { CHECKOUT } from './service.ts';

const DOCS_BUILD = join(CHECKOUT, 'gateway/docs-page/build.ts');
const DOCS_BUILT = join(CHECKOUT, 'gateway/docs-page/dist/scalar.js.gz');

/** @throws ChildDied */
export function buildWebPages(signal: AbortSignal): Promise<void> {
  return build('the import page', join(CHECKOUT, 'clients/web/build.ts'), signal);
}

/** @throws ChildDied */
export async function buildDocsPage(signal: AbortSignal | undefined): Promise<void> {
  if (changedAt(DOCS_BUILT) > Math.max(changedAt(DOCS_BUILD), changedAt(join(CHECKOUT, 'bun.lock')))) return;
  await build('the docs page', DOCS_BUILD, signal);
}

/** Runs a build in a process of its own: local/ imports neither clients/ nor gateway/. */
async function build(what: string, file: string, signal: AbortSignal | undefined): Promise<void> {
  const command = [process.execPath, file];
  await spawnChild({ name: `build of ${what}`, command, cwd: CHECKOUT, env: process.env }).completed(signal);
}

const changedAt = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
