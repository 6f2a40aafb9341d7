/** GET /openapi.json, and GET /docs: the page that shows the description, with everything that it loads. */
import { join } from 'node:path';
import { Elysia } from 'elysia';
import { ApiError } from '../api/errors.ts';
import { DOCS_PATH, OPENAPI_PATH } from '../api/openapi.ts';
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
/** In the quick start, the page shows the address that it was loaded from, which the gateway lacks behind a proxy. */
const START = `
    fetch('${OPENAPI_PATH}').then((response) => response.text()).then((text) => {
      const content = text.replace(/(export LEDGER_URL=)[\\w.:/]+/, '$1' + location.origin);
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

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

// No `max-age`: after an update a browser must not run the old script in the new page.
const cachedAs = (type: string) => ({ 'content-type': type, 'cache-control': 'no-cache' });

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
  // Each text is made at its first request.
  let description: Promise<StaticFile> | undefined;
  let script: StaticFile | undefined;
  return new Elysia()
    .all(OPENAPI_PATH, methodNotAllowed('GET, HEAD'), OTHER_METHODS)
    .all(DOCS_PATH, methodNotAllowed('GET, HEAD'), OTHER_METHODS)
    .use(withoutKey(limits))
    .get(
      OPENAPI_PATH,
      async ({ request, set }) => {
        description ??= describe().then((json) =>
          textFile(json, cachedAs('application/json; charset=utf-8')),
        );
        return fileResponse(request, await description, set.headers.vary);
      },
      HIDDEN,
    )
    .get(DOCS_PATH, new Response(PAGE, { headers: PAGE_HEADERS }), HIDDEN)
    .get(
      SCRIPT_PATH,
      ({ request, set }) => {
        script ??= readScript(built);
        return fileResponse(request, script, set.headers.vary);
      },
      HIDDEN,
    );
}
