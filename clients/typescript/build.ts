/**
 * Builds the npm package into `dist/`: ES modules that bundle their dependencies, and type declarations.
 *
 *   bun clients/typescript/build.ts
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = import.meta.dir;
const ROOT = join(PACKAGE, '../..');
const DIST = join(PACKAGE, 'dist');

rmSync(DIST, { recursive: true, force: true });
const built = await Bun.build({
  entrypoints: [join(PACKAGE, 'index.ts')],
  outdir: DIST,
  // No API of Bun or Node: the modules also run in browsers.
  target: 'browser',
  format: 'esm',
});
if (!built.success) throw new AggregateError(built.logs, 'the bundle cannot be built');

const { exitCode, stdout } = Bun.spawnSync([
  process.execPath,
  join(ROOT, 'node_modules/typescript/bin/tsc'),
  ...['--project', join(PACKAGE, 'tsconfig.build.json')],
]);
if (exitCode !== 0) throw new Error(`the declarations cannot be built: ${stdout}`);

// The compiler leaves the extensions of imports as they are.
for (const file of readdirSync(join(DIST, 'types'))) {
  const path = join(DIST, 'types', file);
  writeFileSync(path, readFileSync(path, 'utf8').replace(/(from ')(\.\/[\w.-]+)\.ts(')/g, '$1$2.js$3'));
}
