/** CORS (Fetch standard): which other origins may call the API from a browser. */
import { cors } from '@elysiajs/cors';
import { Elysia } from 'elysia';

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
// A browser caches a preflight response for this time.
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
