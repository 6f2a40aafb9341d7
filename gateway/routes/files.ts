/** The files that need no key, by their paths: the home page, the import page, the description and its page, the guides. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Elysia } from 'elysia';
import { ApiError } from '../api/errors.ts';
import { DOCS_PATH, GUIDE_FILES, GUIDES_OF_PAGE, LLMS_TXT, OPENAPI_PATH } from '../api/guides.ts';
import openapi from '../api/openapi.json';
import { acceptsGzip, varyByEncoding } from '../http/content-coding.ts';
import { methodNotAllowed, UNPARSED_BODY, type Unauthenticated, withoutKey } from './hooks.ts';

/** By path. A path that ends in an asterisk has several files: the function gets the rest of the path. */
export type Files = Record<string, (rest: string) => StaticFile>;

/** Makes each file at its first request. */
export function files(byPath: Files, admission: Unauthenticated) {
  const made = new Map<string, StaticFile>();
  const paths = Object.entries(byPath);
  const app = new Elysia();
  for (const [path] of paths) app.all(path, methodNotAllowed('GET, HEAD'), UNPARSED_BODY);
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

/** @param built the script of the page, without `.gz` */
export const docsFiles = (built = BUILT): Files => ({
  [OPENAPI_PATH]: () => textFile(JSON.stringify(openapi), cachedAs('application/json; charset=utf-8')),
  [DOCS_PATH]: docsPage,
  [`${DOCS_PATH}/scalar.js`]: () => docsScript(built),
  '/llms.txt': () => textFile(LLMS_TXT, cachedAs('text/plain; charset=utf-8')),
  ...Object.fromEntries(GUIDE_FILES.map(([path, text]) => [path, () => textFile(text, MARKDOWN)])),
});

/** For a script, which a text cannot end. */
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

/** A response that is the same for every client, with an ETag. A file of a build step exists only compressed. */
interface StaticFile {
  headers: Record<string, string>;
  tag: string;
  gzip?: Blob;
  identity?: Blob;
  /** The file with `gzip`, if not in memory. */
  path?: string;
}

type Headers = StaticFile['headers'];

/** The file that a build step has written as `path`.gz. @throws Error when it is missing */
function compressedFile(path: string, headers: Headers): StaticFile {
  const name = `${path}.gz`;
  // Bun sends a file with sendfile: the kernel holds pages of its cache, not copies, for clients that are slow to read.
  return { headers, tag: tagOf(readFileSync(name)), gzip: Bun.file(name), path: name };
}

function textFile(text: string, headers: Headers): StaticFile {
  // Responses share the memory of a Blob.
  return { headers, tag: tagOf(text), gzip: new Blob([Bun.gzipSync(text)]), identity: new Blob([text]) };
}

/**
 * The headers of a page for browsers, which load nothing by default, send no form and frame no page.
 * @param sources the rest of its Content-Security-Policy
 */
function pageHeaders(...sources: string[]): Headers {
  return {
    'content-security-policy': `default-src 'none'; ${sources.join('; ')}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  };
}

const hashSource = (text: string) => `'sha256-${Bun.CryptoHasher.hash('sha256', text, 'base64')}'`;

const tagOf = (content: string | Uint8Array) => Bun.hash(content).toString(36);

/**
 * @throws ApiError invalid_request if the file exists only compressed, and the client does not accept that; not_found if a build
 *   has removed it since the start
 */
function fileResponse({ headers }: Request, file: StaticFile, vary: unknown): Response {
  const accepted = headers.get('accept-encoding');
  const encoding = encodingFor(file, accepted);
  // Each encoding is a representation with a tag of its own (RFC 9110).
  const etag = `"${file.tag}-${encoding}"`;
  const all = { ...file.headers, etag, vary: varyByEncoding(vary) };
  if (isKnown(headers.get('if-none-match') ?? '', etag)) {
    return new Response(null, { status: 304, headers: all });
  }
  if (file.path !== undefined && !existsSync(file.path)) {
    throw new ApiError(
      'not_found',
      'The file has been built again since the gateway was started: restart it.',
    );
  }
  return new Response(file[encoding], {
    headers: { ...all, ...(encoding === 'gzip' && { 'content-encoding': 'gzip' }) },
  });
}

/** A client that does not send the header accepts any encoding (RFC 9110, section 12.5.3), but not every one decodes it. */
function encodingFor({ gzip, identity }: StaticFile, accepted: string | null): 'gzip' | 'identity' {
  if (gzip && acceptsGzip(accepted)) return 'gzip';
  if (identity) return 'identity';
  if (accepted === null) return 'gzip';
  throw new ApiError('invalid_request', 'This file exists only compressed: send `Accept-Encoding: gzip`.');
}

function isKnown(ifNoneMatch: string, etag: string): boolean {
  const known = ifNoneMatch.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}
