/** Sends a request of a history with fetch, and records its outcome. */
import type { Request } from './history.ts';

const TIMEOUT_MS = 30_000;

export interface SendOptions {
  baseUrl: string;
  key: string;
  cursor: string | undefined;
  /** When the client abandons the request. */
  timeoutMs: number | undefined;
}

/** @throws Error if a successful response is not the JSON that the API describes */
export async function send(request: Request, options: SendOptions): Promise<void> {
  const { baseUrl, key, timeoutMs = TIMEOUT_MS } = options;
  const headers: Record<string, string> = { authorization: `Bearer ${key}` };
  const init: RequestInit = { headers, signal: AbortSignal.timeout(timeoutMs) };
  if (request.kind === 'write') {
    headers['content-type'] = 'application/json';
    if (request.idempotencyKey !== undefined) headers['idempotency-key'] = request.idempotencyKey;
    Object.assign(init, { method: 'POST', body: JSON.stringify(request.entries) });
  }
  let status: number;
  let body: unknown;
  try {
    const response = await fetch(`${baseUrl}/api/v1/${pathOf(request, options.cursor)}`, init);
    status = response.status;
    body = await response.json();
  } catch {
    // The connection broke, or the body is no JSON: the outcome is unknown.
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
