/** CORS (Fetch standard): pages of which other origins a browser lets call the API. */
import { cors } from '@elysiajs/cors';
import { Elysia } from 'elysia';
import { makeValidator } from 'envalid';
import { isHost } from './host.ts';

const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'X-Request-Id',
  'traceparent',
  'tracestate',
];
// Beside those that a page may always read.
const RESPONSE_HEADERS = [
  'Allow',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-RateLimit-Remaining',
  'X-Request-Id',
];
// For how long a browser keeps the answer to a preflight.
const PREFLIGHT_S = 600;

// As an absolute address, or without a Host header as a path.
const API = /^(?:https?:\/\/[^/]*)?\/api\/v1(?:[/?]|$)/;

/** @param origins as browsers send them; none: CORS is off */
export function corsFor(origins: readonly string[]): Elysia {
  if (origins.length === 0) return new Elysia();
  const listed = new Set<string | null>(origins);
  return cors({
    // A function: what the plugin does with a list takes more than the exact origins for listed.
    origin: ({ headers, url }) => listed.has(headers.get('origin')) && API.test(url),
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: REQUEST_HEADERS,
    exposeHeaders: RESPONSE_HEADERS,
    credentials: false,
    maxAge: PREFLIGHT_S,
  }) as unknown as Elysia;
}

/** Origins as browsers send them, with commas between them. */
export const origins = makeValidator<string[]>((text) => {
  const list = text.split(',').map((each) => each.trim());
  const wrong = list.findIndex((each) => !isOrigin(each));
  if (wrong !== -1) {
    throw new TypeError(
      `expected origins as browsers send them, such as https://books.example, with commas between them; number ${wrong + 1} is none`,
    );
  }
  return list;
});

/** `scheme://host` or `scheme://host:port` in lower case. Of http and https without the port that is theirs anyway. */
function isOrigin(text: string): boolean {
  const [, scheme, host = ''] = /^([a-z][a-z\d+.-]*):\/\/([^A-Z]+)$/.exec(text) ?? [];
  if (scheme === undefined || !isHost(host)) return false;
  return !/^https?$/.test(scheme) || URL.parse(text)?.origin === text;
}
