/** Requests to the API: one attempt each, bounded in time and bytes, with failures as LedgerError. */
import { directFetch, type EncryptionOptions, exposureOf, isKey, urlFaultOf } from './encryption.ts';
import { errorOf, foreignResponse, LedgerError, proxyError, redirectError, responseFacts } from './errors.ts';
import { version } from './package.json';
import { faultOf, type Resource, type SchemaName } from './responses.ts';

export interface Connection extends EncryptionOptions {
  /** The URL of the service, for example `https://ledger.example`. */
  url: string;
  apiKey: string;
  /** Replaces the global `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** How long one attempt at a request may take, with its response; 60 s by default. */
  attemptTimeoutMs?: number | undefined;
  /** The largest response that is read, decompressed; 16 MiB by default. The largest of the service have less than 2 MiB. */
  responseBytesMax?: number | undefined;
}

/** A browser has its own, and would ask the service before it sends another. */
const USER_AGENT =
  'document' in globalThis || 'importScripts' in globalThis
    ? {}
    : { 'User-Agent': `bookkeeping-ledger/${version}` };

/** @internal */
export interface Api {
  baseUrl: string;
  /** @throws what `fetch` throws */
  fetch: (path: string, request: RequestInit) => Promise<Response>;
  responseBytesMax: number;
}

/** A write of entries: the body and its idempotency key. */
interface WriteRequest {
  body: object;
  idempotencyKey: string;
}

/** @internal */
export function createApi({
  url,
  apiKey,
  insecure,
  fetch = directFetch,
  attemptTimeoutMs = 60_000,
  responseBytesMax = 16 * 1024 * 1024,
}: Connection): Api {
  requireConnection(url, apiKey, { insecure });
  const baseUrl = url.replace(/\/+$/, '');
  return {
    baseUrl,
    responseBytesMax,
    fetch: (path, { headers, ...request }) =>
      fetch(
        new Request(baseUrl + path, {
          ...request,
          headers: { Authorization: `Bearer ${apiKey}`, ...USER_AGENT, ...headers },
          // A redirect would send the key and the entries to another service.
          redirect: 'manual',
          signal: AbortSignal.timeout(attemptTimeoutMs),
        }),
      ),
  };
}

/**
 * Runs one attempt: GET, or POST with a write.
 * @param name of the response's schema
 * @param path after the address of the service
 * @throws LedgerError
 * @internal
 */
export async function execute<Name extends SchemaName>(
  api: Api,
  name: Name,
  path: string,
  write?: WriteRequest,
): Promise<Resource<Name>> {
  const { baseUrl, responseBytesMax } = api;
  let response: Response;
  let text: string | undefined;
  try {
    response = await api.fetch(path, write ? post(write) : {});
    // A browser shows neither the status of a redirect nor where it leads.
    const isRedirect =
      response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);
    if (isRedirect) throw redirectError(response);
    text = await bodyText(response, responseBytesMax);
  } catch (cause) {
    if (cause instanceof LedgerError) throw cause;
    throw (
      proxyError(baseUrl, cause) ??
      new LedgerError('unreachable', `${baseUrl} cannot be reached: ${networkReason(cause)}`, { cause })
    );
  }
  const options = responseFacts(response);
  if (text === undefined) throw foreignResponse(baseUrl, `more than ${responseBytesMax} bytes`, options);
  const data = parsedBody(text);
  if (!response.ok) throw errorOf(baseUrl, response, data);
  if (data === NOT_JSON) throw foreignResponse(baseUrl, 'not JSON', options);
  const fault = faultOf(data, name);
  if (fault !== undefined) {
    const place = fault === '' ? '' : `, ${fault} is missing or wrong`;
    throw foreignResponse(baseUrl, `status ${response.status}${place}`, options);
  }
  return data as Resource<Name>;
}

const post = ({ body, idempotencyKey }: WriteRequest): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
  body: JSON.stringify(body),
});

/** Reads the body of a response as text. @returns undefined if it has more bytes than `bytesMax` */
async function bodyText({ body }: Response, bytesMax: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let [text, bytes] = ['', 0];
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > bytesMax) {
      reader?.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

const NOT_JSON = Symbol();

function parsedBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return NOT_JSON;
  }
}

/** @throws TypeError */
function requireConnection(url: string, apiKey: string, options: EncryptionOptions): void {
  const fault = urlFaultOf(url);
  if (fault === 'malformed') throw new TypeError('url must be an absolute URL of http or https');
  if (fault) throw new TypeError('url must not contain a user name or a password');
  if (!isKey(apiKey)) throw new TypeError('apiKey must be one word of ASCII characters');
  const exposure = exposureOf(url, options, 'insecure: true');
  if (exposure !== undefined) throw new TypeError(exposure);
}

/** Node hides the reason in `cause`. */
function networkReason(error: unknown): string {
  const { cause } = error as { cause?: { message?: string; code?: string } };
  const text = cause?.message || cause?.code || (error as Error).message || String(error);
  const reason = /SSL routines|ssl3_/i.test(text) ? 'the port does not speak TLS' : text;
  return /[.?!]$/.test(reason) ? reason : `${reason}.`;
}
