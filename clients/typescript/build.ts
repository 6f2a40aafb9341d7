/**
 * Builds the npm package: into `dist/` ES modules that bundle their dependencies, and type declarations, and both again for CommonJS; its
 * README, and the licences.
 *
 *   bun clients/typescript/build.ts
 */
import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders, thirdPartyLicences } from './third-party.ts';

const PACKAGE = import.meta.dir;
const ROOT = join(PACKAGE, '../..');
const DIST = join(PACKAGE, 'dist');

rmSync(DIST, { recursive: true, force: true });
const modules: Bun.BuildConfig = {
  entrypoints: [join(PACKAGE, 'index.ts'), join(PACKAGE, 'import/index.ts')],
  root: PACKAGE,
  // The modules also run in browsers, so they use no API of Bun or Node.
  target: 'browser',
};
const library = await bundle(modules);
const COMMON_JS = join(DIST, 'cjs');
await bundle({ ...modules, format: 'cjs', outdir: COMMON_JS });
const command = await bundle({
  entrypoints: [join(ROOT, 'clients/cli/main.ts')],
  naming: 'cli.js',
  target: 'node',
});
const assistants = await bundle({
  entrypoints: [join(ROOT, 'clients/mcp/main.ts')],
  naming: 'mcp.js',
  target: 'node',
});

copyFileSync(join(ROOT, 'clients/LICENSE'), join(PACKAGE, 'LICENSE'));
const bundled = packageFolders([...library, ...command, ...assistants]);
writeFileSync(join(PACKAGE, 'THIRD_PARTY_LICENSES.txt'), thirdPartyLicences(bundled));

// The package contains no other pages: links to them become text.
const page = readFileSync(join(ROOT, 'docs/client-library.md'), 'utf8');
writeFileSync(join(PACKAGE, 'README.md'), page.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1'));

/** @returns the files of the package */
async function bundle(options: Bun.BuildConfig): Promise<string[]> {
  const { success, logs, metafile } = await Bun.build({
    outdir: DIST,
    format: 'esm',
    ...options,
    metafile: true,
  });
  if (!success) throw new AggregateError(logs, 'the bundle cannot be built');
  return Object.keys(metafile?.inputs ?? {});
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

// Each format has declarations of its own: a compiler takes them for the format of the nearest package.json.
cpSync(join(DIST, 'types'), join(COMMON_JS, 'types'), { recursive: true });
writeFileSync(join(COMMON_JS, 'package.json'), '{ "type": "commonjs" }\n');
