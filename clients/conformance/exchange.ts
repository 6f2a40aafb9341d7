/** One request and its response, as sent and received. */
import type { Clock } from './minute.ts';

// Rules read any member, even of a response with an undescribed shape.
export type Json = ReturnType<typeof JSON.parse>;

export interface SentRequest {
  method: string;
  /** With the query. */
  path: string;
  /** Without Authorization. */
  headers: Record<string, string>;
  /** Empty without one. */
  body: string;
}

export interface Exchange {
  /** The rule that sent it. */
  rule: string;
  /** Whose key it carried; undefined: it carried no valid key. */
  account: 'first' | 'second' | undefined;
  request: SentRequest;
  status: number;
  headers: Headers;
  /** Parsed if it is declared as JSON, otherwise its text. */
  body: Json;
  /** Milliseconds since 1970. */
  sentAt: number;
  receivedAt: number;
}

/** A body is sent without a Content-Type, unless `headers` has one. */
export interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

/** A request without a response. */
export class NoResponse extends Error {
  constructor(
    readonly request: SentRequest,
    cause: unknown,
  ) {
    super(`${(cause as Error)?.message ?? cause}`, { cause });
  }
}

/** Where requests are sent. */
export interface Target {
  /** Without `/api/v1`. */
  url: string;
  key: string | undefined;
  /** When a request without a response has failed. */
  timeoutMs: number;
  clock: Clock;
}

/** @throws NoResponse */
export async function exchange(
  { rule, account }: Pick<Exchange, 'rule' | 'account'>,
  { url, key, timeoutMs, clock }: Target,
  path: string,
  { method = 'GET', headers = {}, body }: RequestOptions = {},
): Promise<Exchange> {
  const { authorization: _, ...visible } = headers;
  const request = { method, path, headers: visible, body: shownBody(body) };
  const sentAt = clock.now();
  try {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      // Bun would send requests without encryption through a proxy, which could read the key.
      ...(url.startsWith('http:') && { proxy: false }),
      headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
      // Bytes, because fetch declares a string as text/plain.
      ...(body !== undefined && { body: typeof body === 'string' ? new TextEncoder().encode(body) : body }),
    });
    const text = await response.text();
    const receivedAt = clock.now();
    return {
      rule,
      account,
      request,
      sentAt,
      receivedAt,
      status: response.status,
      headers: response.headers,
      body: parsedJson(text, response.headers),
    };
  } catch (error) {
    throw new NoResponse(request, error);
  }
}

const SHOWN_MAX = 4_000;

function shownBody(body: RequestOptions['body']): string {
  if (body === undefined) return '';
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}… (${text.length} characters)` : text;
}

export function parsedJson(text: string, headers: Headers): Json {
  if (!headers.get('content-type')?.includes('json') || text === '') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
