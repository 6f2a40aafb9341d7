/**
 * CORS (Fetch standard): pages of which other origins a browser lets call the API.
 *
 * Own code, because @elysiajs/cors 1.4 answers every OPTIONS of every origin with 204, tells methods and headers to
 * origins that are not listed, and knows no part of the service that it does not apply to.
 */
import { makeValidator } from 'envalid';
import { isHost } from './host.ts';

const METHODS = 'GET, HEAD, POST';
const REQUEST_HEADERS = 'Authorization, Content-Type, Idempotency-Key, X-Request-Id, traceparent, tracestate';
// Beside those that a page may always read.
const RESPONSE_HEADERS =
  'Allow, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-RateLimit-Remaining, X-Request-Id';
// For how long a browser need not ask again.
const PREFLIGHT_S = 600;

// As an absolute address, or without a Host header as a path.
const API = /^(?:https?:\/\/[^/]*)?\/api\/v1(?:[/?]|$)/;

/** @param origins as browsers send them; none: CORS is off */
export function createCors(origins: readonly string[]) {
  const listed = new Set(origins);
  /**
   * Adds to `headers` what the answer to a request of the API says of CORS: an error too is one that the page may read.
   * @returns the answer to a preflight of a listed origin; undefined for what is to be answered as always
   */
  return (
    { method, url, headers: sent }: Request,
    headers: Record<string, unknown>,
  ): Response | undefined => {
    if (listed.size === 0 || !API.test(url)) return undefined;
    headers.vary = 'Origin';
    const origin = sent.get('origin');
    if (origin === null || !listed.has(origin)) return undefined;
    headers['access-control-allow-origin'] = origin;
    if (method !== 'OPTIONS' || !sent.has('access-control-request-method')) {
      headers['access-control-expose-headers'] = RESPONSE_HEADERS;
      return undefined;
    }
    headers['access-control-allow-methods'] = METHODS;
    headers['access-control-allow-headers'] = REQUEST_HEADERS;
    headers['access-control-max-age'] = String(PREFLIGHT_S);
    return new Response(null, { status: 204 });
  };
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
