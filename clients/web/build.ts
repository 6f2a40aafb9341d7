/**
 * Builds the import page to clients/web/dist: `bun clients/web/build.ts`. Every file but index.html has a hash of the content
 * in its name, and is there only compressed, as gzip. Does nothing when no source is newer than the last build; --force builds anyway.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packageFolders, thirdPartyLicences } from '../typescript/third-party.ts';

const WEB = import.meta.dir;
const SOURCES = [WEB, join(WEB, '../typescript'), join(WEB, '../../bun.lock')];
const DIST = join(WEB, 'dist');
const PUBLIC_PATH = '/import/';
const INDEX = 'index.html';

async function build(): Promise<void> {
  const folder = join(WEB, `dist.${process.pid}`);
  mkdirSync(folder);
  try {
    // In one go: the page and the reader beside it share much code, in files of its own.
    const page = await bundle(folder, ['main.tsx', 'style.css', 'import/reader-worker.ts']);
    const licences = thirdPartyLicences(packageFolders(page.inputs));
    const licencesName = `third-party-${Bun.hash(licences).toString(36)}.txt`;
    await Bun.write(join(folder, licencesName), licences);
    const html = (await Bun.file(join(WEB, 'index.html')).text())
      .replace('main.tsx', PUBLIC_PATH + page.named(/^main-.*\.js$/))
      .replace('reader-worker.ts', PUBLIC_PATH + page.named(/^reader-worker-.*\.js$/))
      .replace('style.css', PUBLIC_PATH + page.named(/^style-.*\.css$/))
      .replace('third-party.txt', PUBLIC_PATH + licencesName);
    await Bun.write(join(folder, INDEX), html);
    for (const name of readdirSync(folder)) if (name !== INDEX) await compress(join(folder, name));
    publish(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The page that names the files comes after them, so that a gateway which starts meanwhile finds them all. */
function publish(folder: string): void {
  const names = readdirSync(folder).filter((name) => name !== INDEX);
  mkdirSync(DIST, { recursive: true });
  for (const name of [...names, INDEX]) renameSync(join(folder, name), join(DIST, name));
  for (const name of readdirSync(DIST)) {
    if (name !== INDEX && !names.includes(name)) rmSync(join(DIST, name), { force: true });
  }
}

/** @returns what finds the name of a file that was built, and the files that went into it */
async function bundle(
  folder: string,
  sources: readonly string[],
): Promise<{ named: (pattern: RegExp) => string | undefined; inputs: string[] }> {
  const { outputs, metafile } = await Bun.build({
    entrypoints: sources.map((source) => join(WEB, source)),
    outdir: folder,
    target: 'browser',
    minify: true,
    // Only packages write to it.
    drop: ['console'],
    splitting: true,
    publicPath: PUBLIC_PATH,
    naming: { entry: '[name]-[hash].[ext]', chunk: '[name]-[hash].[ext]', asset: '[name]-[hash].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"' },
    tsconfig: join(WEB, 'tsconfig.json'),
    metafile: true,
    plugins: [ONE_XML_PARSER, SHORT_ERRORS, NO_CHECKS],
  });
  return {
    named: (pattern) => outputs.map(({ path }) => basename(path)).find((name) => pattern.test(name)),
    inputs: Object.keys(metafile?.inputs ?? {}),
  };
}

/** read-excel-file contains a copy of the parser that the page has anyway. */
const ONE_XML_PARSER: Bun.BunPlugin = {
  name: 'one XML parser',
  setup: (build) => {
    build.onLoad({ filter: /\/read-excel-file\/modules\/saxen\/parser\.js$/ }, () => ({
      contents: "export { Parser as default } from 'saxen';",
      loader: 'js',
    }));
  },
};

/** read-excel-file compiles its errors for browsers without classes. Our reader of workbooks tells none from another. */
const SHORT_ERRORS: Bun.BunPlugin = {
  name: 'short errors',
  setup: (build) => {
    build.onLoad({ filter: /\/read-excel-file\/modules\/.*Error\.js$/ }, () => ({
      contents: 'export default class extends Error {}; export const createUnzipError = (error) => error;',
      loader: 'js',
    }));
  },
};

/** read-excel-file checks that the file is a ZIP archive, which our reader has written, and can log how long its stages take. */
const NO_CHECKS: Bun.BunPlugin = {
  name: 'no checks of the archive',
  setup: (build) => {
    build.onLoad(
      { filter: /\/read-excel-file\/modules\/.*\/(?:validateLeadingBytes|checkpoint)\.js$/ },
      () => ({
        contents: 'export default () => {}; export const resetCheckpoint = () => {};',
        loader: 'js',
      }),
    );
  },
};

async function compress(file: string): Promise<void> {
  const bytes = new Uint8Array(await Bun.file(file).arrayBuffer());
  await Bun.write(`${file}.gz`, Bun.gzipSync(bytes, { library: 'libdeflate', level: 12 }));
  rmSync(file);
}

function isBuilt(): boolean {
  const index = join(DIST, INDEX);
  if (!existsSync(index)) return false;
  const built = statSync(index).mtimeMs;
  const isOlder = (path: string): boolean => {
    const status = statSync(path);
    if (!status.isDirectory()) return status.mtimeMs < built;
    const names = readdirSync(path).filter((name) => !name.startsWith('dist'));
    // A file that was removed changes only the time of its folder. The build itself changes the time of this folder.
    return (path === WEB || status.mtimeMs < built) && names.every((name) => isOlder(join(path, name)));
  };
  return SOURCES.every(isOlder);
}

if (process.argv.includes('--force') || !isBuilt()) await build();
