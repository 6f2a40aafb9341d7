/** The import page, which the gateway serves. */
import { join } from 'node:path';
import { spawnChild } from '../processes/child.ts';

const CHECKOUT = join(import.meta.dir, '../..');

/** Builds it if its sources have changed. A process of its own: local/ imports nothing of clients/. @throws ChildDied */
export async function buildWebPages(signal: AbortSignal): Promise<void> {
  await spawnChild({
    name: 'build of the import page',
    command: [process.execPath, join(CHECKOUT, 'clients/web/build.ts')],
    cwd: CHECKOUT,
    env: process.env,
  }).completed(signal);
}
