/** Sends the requests of clients over keep-alive connections and records them in the history. */
import type { Json } from '../fixtures/client.ts';
import type { Route } from './balancer.ts';
import {
  failed,
  type History,
  type Operation,
  type Page,
  type PageQuery,
  type Request,
  succeeded,
  type Write,
} from './history.ts';

// Longer than the deadline of a gateway, also on a slow machine.
const TIMEOUT_MS = 60_000;

export interface Key {
  keyId: string;
  key: string;
  accountId: string;
}

interface SendOptions {
  route?: Route | undefined;
  /** When the client abandons the request. */
  abandonAfterMs?: number | undefined;
}

export type Transport = ReturnType<typeof createTransport>;

/** Sends by `defaultRoute` and records every request in `history`. Its functions never throw. */
export function createTransport(history: History, defaultRoute: Route) {
  const start = ({ accountId, keyId }: Key, name: string) => ({
    accountId,
    keyId,
    name,
    gateway: '',
    begun: performance.now(),
    ended: Number.POSITIVE_INFINITY,
    outcome: 'pending' as const,
  });

  async function send<Sent extends Request>(
    request: Sent,
    { key }: Key,
    path: string,
    { route = defaultRoute, abandonAfterMs }: SendOptions = {},
    init: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ): Promise<Sent> {
    history.requests.push(request);
    const headers = { ...init.headers, authorization: `Bearer ${key}` };
    const body = await firstResponse(route(), request, path, { ...init, headers }, abandonAfterMs);
    request.ended = performance.now();
    if (succeeded(request)) request.response = body;
    else if (!failed(request)) request.refused = body?.error?.code;
    // No gateway has it, or none may execute it.
    else if (request.outcome === 'unavailable') request.refused = 'unavailable';
    else if (request.kind === 'write' && request.invalid) request.refused = 'invalid';
    return request;
  }

  return {
    write(operation: Operation, key: Key, options?: SendOptions) {
      const { entries, single, sourceId, idempotencyKey } = operation;
      const headers = {
        'content-type': 'application/json',
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      };
      const init = { method: 'POST', headers, body: JSON.stringify(single ? entries[0] : entries) };
      const request: Write = { kind: 'write', ...start(key, operation.name), ...operation };
      return send(request, key, `/sources/${sourceId}/transactions`, options, init);
    },
    page(query: PageQuery, key: Key, options: SendOptions & { cursor?: string | undefined } = {}) {
      const { sourceId, after: _, ...filter } = query;
      const parameters = {
        ...filter,
        limit: `${query.limit}`,
        ...(options.cursor && { cursor: options.cursor }),
      };
      const path = `/sources/${sourceId}/transactions?${new URLSearchParams(parameters)}`;
      return send<Page>({ kind: 'page', ...start(key, 'page'), ...query }, key, path, options);
    },
    sources: (key: Key) => send<Request>({ kind: 'sources', ...start(key, 'sources') }, key, '/sources'),
    me: (key: Key) => send<Request>({ kind: 'me', ...start(key, 'me') }, key, '/me'),
  };
}

/**
 * Sends to the first gateway that accepts the connection, and sets the outcome. Any other failure is final. (Bun's fetch
 * itself resends a GET, but never a POST, when a keep-alive connection turns out to be closed.)
 */
async function firstResponse(
  gateways: ReturnType<Route>,
  request: Request,
  path: string,
  init: RequestInit,
  abandonAfterMs: number | undefined,
): Promise<Json> {
  for (const gateway of gateways) {
    request.gateway = gateway.name;
    try {
      const signal = AbortSignal.timeout(abandonAfterMs ?? TIMEOUT_MS);
      const response = await fetch(`${gateway.current.url}/api/v1${path}`, { ...init, signal });
      const body = await response.json();
      request.outcome = response.status;
      return body;
    } catch (error) {
      const { code, name } = error as { code?: string; name: string };
      if (code === 'ECONNREFUSED' || code === 'ConnectionRefused') continue;
      request.outcome = 'broken';
      if (name === 'TimeoutError') request.outcome = abandonAfterMs === undefined ? 'hung' : 'abandoned';
      return undefined;
    }
  }
  request.outcome = 'unavailable';
  return undefined;
}
