/** GET /: links for people who know only the address of the service. Needs no key and is not rate limited. */
import { Elysia } from 'elysia';
import { DOCS_PATH } from '../api/openapi.ts';
import type { Limits } from '../http/limits.ts';
import { methodNotAllowed, OTHER_METHODS, withoutKey } from './admission.ts';
import { fileResponse, textFile } from './static-file.ts';

const PATH = '/';
const HIDDEN = { detail: { hide: true } } as const;

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 36rem; margin: 3rem auto; padding: 0 1rem }
  li { margin: 0.5rem 0 }`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Bookkeeping Ledger</title>
  <link rel="icon" href="data:,">
  <style>${STYLE}</style>
</head>
<body>
  <main>
    <h1>Bookkeeping Ledger</h1>
    <p>Income and expense entries of landlords and self-employed people.</p>
    <ul>
      <li><a href="/import">Import</a>: send bank exports and spreadsheets, and look at the books.</li>
      <li><a href="${DOCS_PATH}">Documentation</a> of the API: quick start, guides and reference.</li>
      <li><a href="${DOCS_PATH}#description/libraries-and-samples">Libraries</a> and programs: the command <code>ledger</code>, and the
        packages <code>bookkeeping-ledger</code> for TypeScript and Python.</li>
      <li><a href="/readyz">Health</a>: whether this service is ready.</li>
    </ul>
  </main>
</body>
</html>
`;

const HOME = textFile(PAGE, {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${Bun.CryptoHasher.hash('sha256', STYLE, 'base64')}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
});

export const home = (limits: Limits) =>
  new Elysia()
    .all(PATH, methodNotAllowed('GET, HEAD'), OTHER_METHODS)
    .use(withoutKey(limits))
    .get(PATH, ({ request, set }) => fileResponse(request, HOME, set.headers.vary), HIDDEN);
