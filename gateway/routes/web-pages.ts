/** The pages for people: / has links, /import is the page that `bun clients/web/build.ts` builds. They need no key and are not rate limited. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Elysia } from 'elysia';
import { ApiError } from '../api/errors.ts';
import { methodNotAllowed, OTHER_METHODS, type Unauthenticated, withoutKey } from './hooks.ts';
import {
  compressedFile,
  fileResponse,
  hashSource,
  pageHeaders,
  type StaticFile,
  textFile,
} from './static-file.ts';

const PATH = '/import';
const INDEX = 'index.html';

// The page handles an API key: it loads from this service only, and scripts cannot write markup.
const SECURITY_HEADERS = {
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

export type WebPages = ReadonlyMap<string, StaticFile>;

/** The files of `directory` by name; undefined when the pages are not built. */
export function readWebPages(directory: string): WebPages | undefined {
  if (!existsSync(join(directory, INDEX))) return undefined;
  const compressed = readdirSync(directory).filter((name) => name.endsWith('.gz'));
  const names = [INDEX, ...compressed.map((name) => name.slice(0, -'.gz'.length))];
  return new Map(names.map((name) => [name, readPage(directory, name)]));
}

function readPage(directory: string, name: string): StaticFile {
  const headers = {
    ...SECURITY_HEADERS,
    'content-type': CONTENT_TYPES[extname(name)] ?? '',
    // The names of all other files have a hash of their content.
    'cache-control': name === INDEX ? 'no-cache' : 'public, max-age=31536000, immutable',
  };
  const path = join(directory, name);
  // The page itself has half a kilobyte, and people look at it with curl.
  return name === INDEX ? textFile(readFileSync(path, 'utf8'), headers) : compressedFile(path, headers);
}

/** GET /, for people who know only the address of the service. */
function homePage(): StaticFile {
  const text = readFileSync(join(import.meta.dir, 'home.html'), 'utf8');
  const [, style = ''] = /<style>([^<]*)</.exec(text) ?? [];
  return textFile(text, {
    ...pageHeaders(`style-src ${hashSource(style)}`, 'img-src data:'),
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
  });
}

/** @param pages undefined: each path below /import responds with 404, and the command that builds them */
export const webPages = (pages: WebPages | undefined, admission: Unauthenticated) => {
  const home = homePage();
  const respond = (name: string, request: Request, vary: unknown): Response => {
    if (!pages) {
      const message =
        'The import page is not built: run "bun clients/web/build.ts" and start the gateway again.';
      throw new ApiError('not_found', message);
    }
    const page = pages.get(name);
    if (!page) throw new ApiError('not_found', `No such path: ${PATH} is the import page.`);
    return fileResponse(request, page, vary);
  };
  return new Elysia()
    .all('/', methodNotAllowed('GET, HEAD'), OTHER_METHODS)
    .all(PATH, methodNotAllowed('GET, HEAD'), OTHER_METHODS)
    .all(`${PATH}/*`, methodNotAllowed('GET, HEAD'), OTHER_METHODS)
    .use(withoutKey(admission))
    .get('/', ({ request, set }) => fileResponse(request, home, set.headers.vary))
    .get(PATH, ({ request, set }) => respond(INDEX, request, set.headers.vary))
    .get(`${PATH}/*`, ({ request, params, set }) => respond(params['*'] || INDEX, request, set.headers.vary));
};
