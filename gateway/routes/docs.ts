/** GET /openapi.json; GET /docs: the page that shows it with the guides; the guides in Markdown, and their index /llms.txt. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Elysia } from 'elysia';
import { ApiError } from '../api/errors.ts';
import { DOCS_PATH, GUIDE_FILES, GUIDES_OF_PAGE, LLMS_TXT, OPENAPI_PATH } from '../api/guides.ts';
import openapi from '../api/openapi.json';
import { methodNotAllowed, OTHER_METHODS, type Unauthenticated, withoutKey } from './hooks.ts';
import {
  compressedFile,
  fileResponse,
  hashSource,
  pageHeaders,
  type StaticFile,
  textFile,
} from './static-file.ts';

const SCRIPT_PATH = `${DOCS_PATH}/scalar.js`;
const BUILT = join(import.meta.dir, '../docs-page/dist/scalar.js');

/** A literal for a script: a text cannot end the script. */
const literal = (text: string) => JSON.stringify(text).replaceAll('<', '\\u003c');

// No `max-age`: after an update a browser must not run the old script in the new page.
const cachedAs = (type: string) => ({ 'content-type': type, 'cache-control': 'no-cache' });

const MARKDOWN = cachedAs('text/markdown; charset=utf-8');

/** The page, docs.html, with the guides. */
function readPage(): StaticFile {
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
  return textFile(page, { ...cachedAs('text/html; charset=utf-8'), ...headers });
}

/** @throws ApiError not_found if the page was never built in this checkout */
function readScript(built: string): StaticFile {
  try {
    return compressedFile(built, cachedAs('text/javascript; charset=utf-8'));
  } catch {
    throw new ApiError('not_found', 'The page is not built: run `bun gateway/docs-page/build.ts`.');
  }
}

/**
 * @param built path of the script that the build step has written, without `.gz`
 */
export function docs(admission: Unauthenticated, built = BUILT) {
  // Each file is made at its first request.
  const files: Record<string, () => StaticFile> = {
    [OPENAPI_PATH]: () => textFile(JSON.stringify(openapi), cachedAs('application/json; charset=utf-8')),
    [DOCS_PATH]: readPage,
    [SCRIPT_PATH]: () => readScript(built),
    '/llms.txt': () => textFile(LLMS_TXT, cachedAs('text/plain; charset=utf-8')),
    ...Object.fromEntries(GUIDE_FILES.map(([path, text]) => [path, () => textFile(text, MARKDOWN)])),
  };
  const made = new Map<string, StaticFile>();
  const paths = Object.entries(files);
  const app = new Elysia();
  for (const [path] of paths) app.all(path, methodNotAllowed('GET, HEAD'), OTHER_METHODS);
  app.use(withoutKey(admission));
  for (const [path, make] of paths)
    app.get(path, ({ request, set }) => {
      const file = made.get(path) ?? make();
      made.set(path, file);
      return fileResponse(request, file, set.headers.vary);
    });
  return app;
}
