/** The files that need no key, by their paths: the home page, the import page, the description and its page, the guides. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Elysia } from 'elysia';
import { ApiError } from '../api/errors.ts';
import { DOCS_PATH, GUIDE_FILES, GUIDES_OF_PAGE, LLMS_TXT, OPENAPI_PATH } from '../api/guides.ts';
import openapi from '../api/openapi.json';
import { BODY_UNREAD, methodNotAllowed, type Unauthenticated, withoutKey } from './hooks.ts';
import {
  compressedFile,
  fileResponse,
  hashSource,
  pageHeaders,
  type StaticFile,
  textFile,
} from './static-file.ts';

/** By path. A path that ends in an asterisk has several files: the function gets the rest of the path. */
export type Files = Record<string, (rest: string) => StaticFile>;

/** Serves the files. Each is made at its first request. */
export function pages(files: Files, admission: Unauthenticated) {
  const made = new Map<string, StaticFile>();
  const paths = Object.entries(files);
  const app = new Elysia();
  for (const [path] of paths) app.all(path, methodNotAllowed('GET, HEAD'), BODY_UNREAD);
  app.use(withoutKey(admission));
  for (const [path, make] of paths)
    app.get(path, ({ request, params, set }) => {
      const rest = (params as { '*'?: string } | undefined)?.['*'] ?? '';
      const file = made.get(path + rest) ?? make(rest);
      made.set(path + rest, file);
      return fileResponse(request, file, set.headers.vary);
    });
  return app;
}

// No `max-age`: after an update a browser must not run the old script in the new page.
const cachedAs = (type: string) => ({ 'content-type': type, 'cache-control': 'no-cache' });
const HTML = cachedAs('text/html; charset=utf-8');
const MARKDOWN = cachedAs('text/markdown; charset=utf-8');

const BUILT = join(import.meta.dir, '../docs-page/dist/scalar.js');

export const isDocsPageBuilt = () => existsSync(`${BUILT}.gz`);

/** The description, the page that shows it with the guides, the guides in Markdown, and their index. @param built the script of the page, without `.gz` */
export const docsFiles = (built = BUILT): Files => ({
  [OPENAPI_PATH]: () => textFile(JSON.stringify(openapi), cachedAs('application/json; charset=utf-8')),
  [DOCS_PATH]: docsPage,
  [`${DOCS_PATH}/scalar.js`]: () => docsScript(built),
  '/llms.txt': () => textFile(LLMS_TXT, cachedAs('text/plain; charset=utf-8')),
  ...Object.fromEntries(GUIDE_FILES.map(([path, text]) => [path, () => textFile(text, MARKDOWN)])),
});

/** A literal for a script: a text cannot end the script. */
const literal = (text: string) => JSON.stringify(text).replaceAll('<', '\\u003c');

function docsPage(): StaticFile {
  const html = readFileSync(join(import.meta.dir, 'docs.html'), 'utf8');
  const page = html.replace("'GUIDES'", () => literal(GUIDES_OF_PAGE));
  const hashes = [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => hashSource(script));
  // Users type their API key into this page. Browsers must not load other scripts, send it elsewhere or frame it. Without
  // require-trusted-types-for: CodeMirror, in Scalar's script, sets innerHTML to texts.
  const headers = pageHeaders(
    `script-src 'self' ${hashes.join(' ')}`,
    // Scalar adds style elements, and markup with style attributes.
    "style-src 'unsafe-inline'",
    // Icons in its style sheet.
    'img-src data:',
    "connect-src 'self'",
  );
  return textFile(page, { ...HTML, ...headers });
}

/** @throws ApiError not_found if the page was never built in this checkout */
function docsScript(built: string): StaticFile {
  try {
    return compressedFile(built, cachedAs('text/javascript; charset=utf-8'));
  } catch {
    throw new ApiError('not_found', 'The page is not built: run `bun gateway/docs-page/build.ts`.');
  }
}

const IMPORT_PATH = '/import';
const INDEX = 'index.html';

/**
 * The home page, and the import page, which `bun clients/web/build.ts` builds.
 * @param built the files of the import page by name; undefined: each path below /import is 404, with the command that builds them
 */
export function webFiles(built: ReadonlyMap<string, StaticFile> | undefined): Files {
  const importFile = (name: string) => {
    const file = built?.get(name || INDEX);
    if (file) return file;
    const message = built
      ? `No such path: ${IMPORT_PATH} is the import page.`
      : 'The import page is not built: run "bun clients/web/build.ts" and start the gateway again.';
    throw new ApiError('not_found', message);
  };
  return { '/': homePage, [IMPORT_PATH]: importFile, [`${IMPORT_PATH}/*`]: importFile };
}

/** For people who know only the address of the service. */
function homePage(): StaticFile {
  const text = readFileSync(join(import.meta.dir, 'home.html'), 'utf8');
  const [, style = ''] = /<style>([^<]*)</.exec(text) ?? [];
  return textFile(text, { ...pageHeaders(`style-src ${hashSource(style)}`, 'img-src data:'), ...HTML });
}

// The page handles an API key: it loads from this service only, and scripts cannot write markup.
const IMPORT_HEADERS = {
  ...pageHeaders(
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "worker-src 'self'",
    "require-trusted-types-for 'script'",
  ),
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** The files of `directory` by name; undefined when the page is not built. */
export function readImportPage(directory: string): ReadonlyMap<string, StaticFile> | undefined {
  if (!existsSync(join(directory, INDEX))) return undefined;
  const compressed = readdirSync(directory).filter((name) => name.endsWith('.gz'));
  const names = [INDEX, ...compressed.map((name) => name.slice(0, -'.gz'.length))];
  return new Map(names.map((name) => [name, readFile(directory, name)]));
}

function readFile(directory: string, name: string): StaticFile {
  const headers = {
    ...IMPORT_HEADERS,
    'content-type': CONTENT_TYPES[extname(name)] ?? '',
    // The names of all other files have a hash of their content.
    'cache-control': name === INDEX ? 'no-cache' : 'public, max-age=31536000, immutable',
  };
  const path = join(directory, name);
  // The page itself has half a kilobyte, and people look at it with curl.
  return name === INDEX ? textFile(readFileSync(path, 'utf8'), headers) : compressedFile(path, headers);
}
