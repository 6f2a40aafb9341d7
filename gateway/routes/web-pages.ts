/** GET /import: the import page of clients/web, as `bun clients/web/build.ts` has built it. Needs no key and is not rate limited. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Elysia } from 'elysia';
import { ApiError } from '../api/errors.ts';
import { methodNotAllowed, OTHER_METHODS } from './admission.ts';

const PATH = '/import';
const INDEX = 'index.html';
const HIDDEN = { detail: { hide: true } } as const;

// The page handles an API key: it loads from this service only, and scripts cannot write markup.
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const SECURITY_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** In the order of preference. */
const ENCODINGS = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const;
type Encoding = (typeof ENCODINGS)[number]['name'] | 'identity';

interface Page {
  headers: Record<string, string>;
  etag: string;
  bodies: Partial<Record<Encoding, Uint8Array<ArrayBuffer>>>;
}

/** The files of `directory` by name; undefined when the pages are not built. */
export function readWebPages(directory: string): ReadonlyMap<string, Page> | undefined {
  if (!existsSync(join(directory, INDEX))) return undefined;
  const names = readdirSync(directory).filter((name) => extname(name) in CONTENT_TYPES);
  return new Map(names.map((name) => [name, readPage(directory, name)]));
}

function readPage(directory: string, name: string): Page {
  const identity = new Uint8Array(readFileSync(join(directory, name)));
  const bodies: Page['bodies'] = { identity };
  for (const { name: encoding, extension } of ENCODINGS) {
    const file = join(directory, name + extension);
    if (existsSync(file)) bodies[encoding] = new Uint8Array(readFileSync(file));
  }
  return {
    headers: {
      ...SECURITY_HEADERS,
      'content-type': CONTENT_TYPES[extname(name)] ?? '',
      // The names of all other files have a hash of their content.
      'cache-control': name === INDEX ? 'no-cache' : 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    },
    etag: Bun.CryptoHasher.hash('sha256', identity, 'hex').slice(0, 32),
    bodies,
  };
}

/** @param pages undefined: every path is 404 with the command that builds them */
export const webPages = (pages: ReadonlyMap<string, Page> | undefined) => {
  const respond = (name: string, request: Request): Response => {
    if (!pages) {
      const message =
        'The import page is not built: run "bun clients/web/build.ts" and start the gateway again.';
      throw new ApiError('not_found', message);
    }
    const page = pages.get(name);
    if (!page) throw new ApiError('not_found', `No such path: ${PATH} is the import page.`);
    return pageResponse(page, request.headers);
  };
  return new Elysia()
    .all(PATH, methodNotAllowed('GET, HEAD'), OTHER_METHODS)
    .all(`${PATH}/*`, methodNotAllowed('GET, HEAD'), OTHER_METHODS)
    .get(PATH, ({ request }) => respond(INDEX, request), HIDDEN)
    .get(`${PATH}/*`, ({ request, params }) => respond(params['*'] || INDEX, request), HIDDEN);
};

function pageResponse(page: Page, request: Headers): Response {
  const encoding = chooseEncoding(page, request.get('accept-encoding') ?? '');
  // Strong: one for each encoding, because their bytes differ.
  const etag = encoding === 'identity' ? `"${page.etag}"` : `"${page.etag}-${encoding}"`;
  const headers = {
    ...page.headers,
    etag,
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
  };
  const known = (request.get('if-none-match') ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known.includes(etag) || known.includes('*')) return new Response(null, { status: 304, headers });
  return new Response(page.bodies[encoding] ?? null, { headers });
}

function chooseEncoding({ bodies }: Page, accepted: string): Encoding {
  const weights = new Map(
    accepted.split(',').map((part) => {
      const [name = '', ...parameters] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      const q = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, q === undefined ? 1 : Number(q.slice(2))];
    }),
  );
  const isAccepted = (name: string) => (weights.get(name) ?? weights.get('*') ?? 0) > 0;
  const encoding = ENCODINGS.find(({ name }) => bodies[name] && isAccepted(name));
  return encoding?.name ?? 'identity';
}
