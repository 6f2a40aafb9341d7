/** GET /openapi.json; GET /docs: the page that shows it with the guides; the guides in Markdown, and their index /llms.txt. */
import { join } from 'node:path';
import { Elysia } from 'elysia';
import { ApiError } from '../api/errors.ts';
import { DOCS_PATH, GUIDE_FILES, GUIDES_OF_PAGE, LLMS_TXT } from '../api/guides.ts';
import { OPENAPI_PATH } from '../api/openapi.ts';
import type { Limits } from '../http/limits.ts';
import { methodNotAllowed, OTHER_METHODS, withoutKey } from './admission.ts';
import { compressedFile, fileResponse, type StaticFile, textFile } from './static-file.ts';

const HIDDEN = { detail: { hide: true } } as const;

const SCRIPT_PATH = `${DOCS_PATH}/scalar.js`;
const BUILT = join(import.meta.dir, '../docs-page/dist/scalar.js');

/** Zod, in Scalar's script, would otherwise try `new Function`, which the content security policy forbids. */
const BEFORE = 'globalThis.__zod_globalConfig = { jitless: true };';

/** Wide screens: the guides need the room more than the fields beside them. Narrow ones: the first columns of tables keep words whole. */
const STYLE = `
  @media (min-width: 1001px) { .introduction-section .section-column:first-child { flex-grow: 2.2 } }
  .introduction-section :is(th, td:first-child, td:first-child code) { overflow-wrap: normal; word-break: normal }`;

/** Options of @scalar/api-reference: nothing is loaded from or sent to another host, and the key is not stored. */
const OPTIONS = {
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  // Each operation has samples of its own.
  hiddenClients: true,
  persistAuth: false,
  modelsSectionLabel: 'Schemas',
  orderSchemaPropertiesBy: 'preserve',
  // There is one way to authenticate.
  localization: { translations: { apiClient: { authSelector: { selectedType: '{type}' } } } },
  customCss: STYLE,
};

/** A literal for a script: a text cannot end the script. */
const literal = (text: string) => JSON.stringify(text).replaceAll('<', '\\u003c');

/** In the quick start, the page shows the address that it was loaded from, which the gateway lacks behind a proxy. */
const START = `
    fetch('${OPENAPI_PATH}').then((response) => response.json()).then((content) => {
      content.info.description = ${literal(GUIDES_OF_PAGE)}.replace(/(export LEDGER_URL=)[\\w.:/]+/, '$1' + location.origin);
      Scalar.createApiReference('#docs', { ...${JSON.stringify(OPTIONS)}, content });
    });`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Bookkeeping Ledger API</title>
  <link rel="icon" href="data:,">
</head>
<body>
  <div id="docs"></div>
  <script>${BEFORE}</script>
  <script src="${SCRIPT_PATH}"></script>
  <script>${START}</script>
</body>
</html>
`;

const hashOf = (script: string) => `'sha256-${Bun.CryptoHasher.hash('sha256', script, 'base64')}'`;

// Users type their API key into this page. Browsers must not load other scripts, send it elsewhere or frame it. Without
// require-trusted-types-for: CodeMirror, in Scalar's script, sets innerHTML to texts.
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `script-src 'self' ${hashOf(BEFORE)} ${hashOf(START)}`,
  // Scalar adds style elements, and markup with style attributes.
  "style-src 'unsafe-inline'",
  // Icons in its style sheet.
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

// No `max-age`: after an update a browser must not run the old script in the new page.
const cachedAs = (type: string) => ({ 'content-type': type, 'cache-control': 'no-cache' });

const PAGE_HEADERS = {
  ...cachedAs('text/html; charset=utf-8'),
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

const MARKDOWN = cachedAs('text/markdown; charset=utf-8');

/** @throws ApiError not_found if the page was never built in this checkout */
function readScript(built: string): StaticFile {
  try {
    return compressedFile(built, cachedAs('text/javascript; charset=utf-8'));
  } catch {
    throw new ApiError('not_found', 'The page is not built: run `bun gateway/docs-page/build.ts`.');
  }
}

/**
 * @param describe returns the description as JSON
 * @param built path of the script that the build step has written, without `.gz`
 */
export function docs(describe: () => Promise<string>, limits: Limits, built = BUILT) {
  // Each file is made at its first request.
  const files: Record<string, () => StaticFile | Promise<StaticFile>> = {
    [OPENAPI_PATH]: async () => textFile(await describe(), cachedAs('application/json; charset=utf-8')),
    [DOCS_PATH]: () => textFile(PAGE, PAGE_HEADERS),
    [SCRIPT_PATH]: () => readScript(built),
    '/llms.txt': () => textFile(LLMS_TXT, cachedAs('text/plain; charset=utf-8')),
    ...Object.fromEntries(GUIDE_FILES.map(([path, text]) => [path, () => textFile(text, MARKDOWN)])),
  };
  const made = new Map<string, StaticFile>();
  const paths = Object.entries(files);
  const app = new Elysia();
  for (const [path] of paths) app.all(path, methodNotAllowed('GET, HEAD'), OTHER_METHODS);
  app.use(withoutKey(limits));
  for (const [path, make] of paths)
    app.get(
      path,
      async ({ request, set }) => {
        const file = made.get(path) ?? (await make());
        made.set(path, file);
        return fileResponse(request, file, set.headers.vary);
      },
      HIDDEN,
    );
  return app;
}
