/** Sends a request of a history, and records its outcome. */
import type { Exchange, RequestOptions } from './exchange.ts';
import type { Request } from './history.ts';

/**
 * Sends one request with the key of the account, as soon as its limit allows.
 * @throws Error without a response
 */
export type SendRequest = (
  path: string,
  options: RequestOptions,
) => Promise<Pick<Exchange, 'status' | 'body'>>;

export interface SendOptions {
  sendRequest: SendRequest;
  cursor: string | undefined;
  /** When the client abandons the request. */
  timeoutMs: number | undefined;
}

/** @throws Error if a successful response is not the JSON that the API describes */
export async function send(request: Request, options: SendOptions): Promise<void> {
  const { sendRequest, cursor, timeoutMs } = options;
  const init: RequestOptions = {};
  if (timeoutMs !== undefined) init.signal = AbortSignal.timeout(timeoutMs);
  if (request.kind === 'write') {
    init.method = 'POST';
    init.body = JSON.stringify(request.entries);
    init.headers = { 'content-type': 'application/json' };
    if (request.idempotencyKey !== undefined) init.headers['idempotency-key'] = request.idempotencyKey;
  }
  let status: number;
  let body: unknown;
  try {
    ({ status, body } = await sendRequest(`/api/v1/${pathOf(request, cursor)}`, init));
  } catch {
    // A broken connection or an abandoned request: the outcome is unknown.
    return;
  }
  if (status === 200 || status === 201) Object.assign(request, { response: described(request, body) });
  else if (status < 500) request.refused = (body as { error?: { code?: string } }).error?.code ?? `${status}`;
}

function pathOf(request: Request, cursor: string | undefined): string {
  if (request.kind === 'sources') return 'sources';
  const path = `sources/${request.sourceId}/transactions`;
  if (request.kind === 'write') return path;
  const { from, to, limit } = request;
  const query = new URLSearchParams({ limit: String(limit) });
  for (const [name, value] of Object.entries({ from, to, cursor }))
    if (value !== undefined) query.set(name, value);
  return `${path}?${query}`;
}

const LISTS = { write: ['transactions', 'existing'], page: ['transactions'], sources: ['sources'] } as const;

function described({ kind, name }: Request, body: unknown): unknown {
  for (const list of LISTS[kind]) {
    if (!Array.isArray((body as Record<string, unknown> | null)?.[list])) {
      throw new Error(`the response to ${name} has no list "${list}"`);
    }
  }
  return body;
}
