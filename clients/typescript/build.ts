/**
 * Builds the npm package: into `dist/` ES modules that bundle their dependencies, and type declarations; and its README.
 *
 *   bun clients/typescript/build.ts
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = import.meta.dir;
const ROOT = join(PACKAGE, '../..');
const DIST = join(PACKAGE, 'dist');

rmSync(DIST, { recursive: true, force: true });
await bundle({
  entrypoints: [join(PACKAGE, 'index.ts'), join(PACKAGE, 'import/index.ts')],
  root: PACKAGE,
  // No API of Bun or Node: the modules also run in browsers.
  target: 'browser',
});
await bundle({ entrypoints: [join(ROOT, 'clients/cli/main.ts')], naming: 'cli.js', target: 'node' });
await bundle({ entrypoints: [join(ROOT, 'clients/mcp/main.ts')], naming: 'mcp.js', target: 'node' });

// The package has no other pages: links to them become text.
const page = readFileSync(join(ROOT, 'docs/client-library.md'), 'utf8');
writeFileSync(join(PACKAGE, 'README.md'), page.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1'));

async function bundle(options: Omit<Bun.BuildConfig, 'outdir' | 'format'>): Promise<void> {
  const { success, logs } = await Bun.build({ ...options, outdir: DIST, format: 'esm' });
  if (!success) throw new AggregateError(logs, 'the bundle cannot be built');
}

const { exitCode, stdout } = Bun.spawnSync([
  process.execPath,
  join(ROOT, 'node_modules/typescript/bin/tsc'),
  ...['--project', join(PACKAGE, 'tsconfig.build.json')],
]);
if (exitCode !== 0) throw new Error(`the declarations cannot be built: ${stdout}`);

// The compiler leaves the extensions of imports as they are.
for (const file of readdirSync(join(DIST, 'types'), { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.d.ts')) continue;
  const path = join(DIST, 'types', file);
  writeFileSync(path, readFileSync(path, 'utf8').replace(/(from ')(\.\.?\/[\w./-]+)\.ts(')/g, '$1$2.js$3'));
}
