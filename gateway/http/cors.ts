/** CORS (Fetch standard): which other origins may call the API from a browser. */
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
// In addition to the CORS-safelisted ones.
const RESPONSE_HEADERS = [
  'Allow',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-RateLimit-Remaining',
  'X-Request-Id',
];
const PREFLIGHT_S = 600;

// Bun gives a path instead of a URL when a request has no Host header.
const API = /^(?:https?:\/\/[^/]*)?\/api\/v1(?:[/?]|$)/;

/** @param origins as browsers send them; none: CORS is off */
export function corsFor(origins: readonly string[]): Elysia {
  if (origins.length === 0) return new Elysia();
  const listed = new Set<string | null>(origins);
  return cors({
    // A function, because the plugin matches the items of a list loosely.
    origin: ({ headers, url }) => listed.has(headers.get('origin')) && API.test(url),
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: REQUEST_HEADERS,
    exposeHeaders: RESPONSE_HEADERS,
    credentials: false,
    maxAge: PREFLIGHT_S,
  }) as unknown as Elysia;
}

/** Validates a list of origins as browsers send them, separated by commas. */
export const origins = makeValidator<string[]>((text) => {
  const list = text.split(',').map((each) => each.trim());
  const wrong = list.findIndex((each) => !isOrigin(each));
  if (wrong !== -1) {
    throw new TypeError(
      `expected origins as browsers send them, such as https://books.example, with commas between them; number ${wrong + 1} is not an origin`,
    );
  }
  return list;
});

/** `scheme://host` or `scheme://host:port` in lower case, without the default port of http and https. */
function isOrigin(text: string): boolean {
  const [, scheme, host = ''] = /^([a-z][a-z\d+.-]*):\/\/([^A-Z]+)$/.exec(text) ?? [];
  if (scheme === undefined || !isHost(host)) return false;
  return !/^https?$/.test(scheme) || URL.parse(text)?.origin === text;
}
