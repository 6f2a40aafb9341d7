/** Typed requests to the API: openapi-fetch over the generated types, with errors as LedgerError. */
import createClient from 'openapi-fetch';
import type { paths } from './api.generated.ts';
import { directFetch, type EncryptionOptions, exposureOf } from './encryption.ts';
import { errorOf, foreignResponse, LedgerError, optionsOf, redirectError } from './errors.ts';

export interface Connection extends EncryptionOptions {
  /** The URL of the service, for example `https://ledger.example`. */
  url: string;
  apiKey: string;
  /** Replaces the global `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** The timeout of one attempt. */
const ATTEMPT_MS_MAX = 60_000;

/** @internal */
export type Api = ReturnType<typeof createApi>;

/** @internal */
export function createApi({ url, apiKey, insecure, fetch = directFetch }: Connection) {
  requireConnection(url, apiKey, { insecure });
  const baseUrl = url.replace(/\/+$/, '');
  const client = createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${apiKey}` },
    fetch: (request) => fetch(request),
    // A redirect would send the key and the entries to another service.
    redirect: 'manual',
  });
  return Object.assign(client, { baseUrl });
}

/** A result of openapi-fetch. */
interface Result<Data> {
  data?: Data | undefined;
  error?: unknown;
  response: Response;
}

/**
 * Runs one attempt.
 * @param baseUrl of the service, for messages
 * @param request is given a signal that ends the attempt after 60 s
 * @throws LedgerError
 * @internal
 */
export async function execute<Data>(
  { baseUrl }: Pick<Api, 'baseUrl'>,
  request: (signal: AbortSignal) => Promise<Result<Data>>,
): Promise<{ data: Data; status: number }> {
  let result: Result<Data>;
  try {
    result = await request(AbortSignal.timeout(ATTEMPT_MS_MAX));
  } catch (cause) {
    if (cause instanceof SyntaxError) throw foreignResponse(baseUrl, 'not JSON', { cause });
    throw new LedgerError('unreachable', `${baseUrl} cannot be reached: ${reasonOf(cause)}`, { cause });
  }
  const { data, error, response } = result;
  // A browser shows neither the status of a redirect nor where it leads.
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    throw redirectError(response);
  }
  if (!response.ok || error !== undefined) throw errorOf(baseUrl, response, error);
  if (typeof data !== 'object' || data === null) {
    throw foreignResponse(baseUrl, `status ${response.status}`, optionsOf(response));
  }
  return { data, status: response.status };
}

/** Errors of `fetch` about a malformed header or URL would show the key or the password. */
function requireConnection(url: string, apiKey: string, options: EncryptionOptions): void {
  const { username, password } = URL.parse(url) ?? {};
  if (!URL.canParse(url)) throw new TypeError('url must be an absolute URL');
  if (username || password) throw new TypeError('url must not contain a user name or a password');
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError('apiKey must be one word of ASCII characters');
  const exposure = exposureOf(url, options, 'insecure: true');
  if (exposure !== undefined) throw new TypeError(exposure);
}

/** Node hides the reason in `cause`. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { message?: string; code?: string } };
  const text = cause?.message || cause?.code || (error as Error).message || String(error);
  const reason = /SSL routines|ssl3_/i.test(text) ? 'the port does not speak TLS' : text;
  return /[.?!]$/.test(reason) ? reason : `${reason}.`;
}
