/** GET /docs: Swagger UI, served from the installed package: the page loads nothing from other sites. */
import { Elysia } from 'elysia';
import { DOCS_PATH, OPENAPI_PATH } from '../api/openapi.ts';
import { methodNotAllowed, OTHER_METHODS } from './admission.ts';

const HIDDEN = { detail: { hide: true } } as const;

const START = `
    SwaggerUIBundle({ url: '${OPENAPI_PATH}', dom_id: '#docs', deepLinking: true, validatorUrl: null });
  `;

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Bookkeeping Ledger API</title>
  <link rel="stylesheet" href="${DOCS_PATH}/swagger-ui.css">
  <link rel="icon" href="data:,">
</head>
<body>
  <div id="docs"></div>
  <script src="${DOCS_PATH}/swagger-ui-bundle.js"></script>
  <script>${START}</script>
</body>
</html>
`;

// Users type their API key into this page. Browsers must not load other scripts or frame it.
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  `script-src 'self' 'sha256-${Bun.CryptoHasher.hash('sha256', START, 'base64')}'`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const NO_SNIFFING = { 'x-content-type-options': 'nosniff' };

const asset = (name: string) => () =>
  new Response(Bun.file(Bun.fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))), {
    headers: { ...NO_SNIFFING, 'cache-control': 'public, max-age=3600' },
  });

export const docs = () =>
  new Elysia()
    .all(OPENAPI_PATH, methodNotAllowed('GET, HEAD'), OTHER_METHODS)
    .all(DOCS_PATH, methodNotAllowed('GET, HEAD'), OTHER_METHODS)
    .get(
      DOCS_PATH,
      new Response(PAGE, {
        headers: {
          ...NO_SNIFFING,
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': CONTENT_SECURITY_POLICY,
        },
      }),
      HIDDEN,
    )
    .get(`${DOCS_PATH}/swagger-ui.css`, asset('swagger-ui.css'), HIDDEN)
    .get(`${DOCS_PATH}/swagger-ui-bundle.js`, asset('swagger-ui-bundle.js'), HIDDEN);
