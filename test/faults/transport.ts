/** Sends the requests of clients over keep-alive connections and records them in the history. */
import type { Gateway } from '../../local/servers/gateway.ts';
import type { Route } from './balancer.ts';
import type { ClusterProcess } from './cluster-process.ts';
import type { History, Me, Operation, Outcome, Page, Request, Sources, Write } from './history.ts';

// Longer than the gateway's REQUEST_TIMEOUT_MS, by default 10 s.
const TIMEOUT_MS = 13_000;

export interface Key {
  keyId: string;
  key: string;
  accountId: string;
}

export type PageQuery = Pick<Page, 'sourceId' | 'from' | 'to' | 'limit' | 'after'>;

export interface SendOptions {
  route?: Route | undefined;
  /** When the client abandons the request. */
  abandonAfterMs?: number | undefined;
}

export interface Transport {
  write(operation: Operation, key: Key, options?: SendOptions): Promise<Write>;
  page(query: PageQuery, key: Key, options?: SendOptions & { cursor?: string | undefined }): Promise<Page>;
  sources(key: Key): Promise<Sources>;
  me(key: Key): Promise<Me>;
}

/** Sends by `defaultRoute` and records every request in `history`. Its functions never throw. */
export function createTransport(history: History, defaultRoute: Route): Transport {
  const start = ({ accountId, keyId }: Key) => ({
    accountId,
    keyId,
    gateway: '',
    begun: performance.now(),
    ended: Number.POSITIVE_INFINITY,
    outcome: 'pending' as Outcome,
  });

  async function send<Kind extends Request>(
    request: Kind,
    { key }: Key,
    path: string,
    { route = defaultRoute, abandonAfterMs, ...init }: RequestInit & SendOptions = {},
  ): Promise<Kind> {
    history.requests.push(request);
    const headers = { ...init.headers, authorization: `Bearer ${key}` };
    const { outcome, body } = await firstResponse(
      route(),
      request,
      path,
      { ...init, headers },
      abandonAfterMs,
    );
    request.ended = performance.now();
    request.outcome = outcome;
    if (outcome === 200 || outcome === 201) Object.assign(request, { response: body });
    else {
      const { error } = (body ?? {}) as { error?: { code: string } };
      if (error) request.code = error.code;
    }
    return request;
  }

  return {
    write(operation, key, options) {
      const { entries, single, sourceId, idempotencyKey } = operation;
      const headers = {
        'content-type': 'application/json',
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      };
      const body = JSON.stringify(single ? entries[0] : entries);
      const request: Write = { kind: 'write', operation, ...start(key) };
      return send(request, key, `/sources/${sourceId}/transactions`, {
        method: 'POST',
        headers,
        body,
        ...options,
      });
    },
    page({ sourceId, from, to, limit, after }, key, { cursor, ...options } = {}) {
      const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
      const query = new URLSearchParams({
        ...range,
        limit: String(limit),
        ...(cursor !== undefined && { cursor }),
      });
      const request: Page = {
        kind: 'page',
        sourceId,
        ...range,
        limit,
        ...(after && { after }),
        ...start(key),
      };
      return send(request, key, `/sources/${sourceId}/transactions?${query}`, options);
    },
    sources: (key) => send({ kind: 'sources', ...start(key) } as Sources, key, '/sources'),
    me: (key) => send({ kind: 'me', ...start(key) } as Me, key, '/me'),
  };
}

/**
 * Sends to the first gateway that accepts the connection. Any other failure is final. (Bun's fetch itself resends a GET,
 * but never a POST, when a keep-alive connection turns out to be closed.)
 */
async function firstResponse(
  gateways: ClusterProcess<Gateway>[],
  request: Request,
  path: string,
  init: RequestInit,
  abandonAfterMs: number | undefined,
): Promise<{ outcome: Outcome; body?: unknown }> {
  for (const gateway of gateways) {
    request.gateway = gateway.name;
    try {
      const signal = AbortSignal.timeout(abandonAfterMs ?? TIMEOUT_MS);
      const response = await fetch(`${gateway.current.url}/api/v1${path}`, { ...init, signal });
      return { outcome: response.status, body: await response.json() };
    } catch (error) {
      const { code, name } = error as { code?: string; name: string };
      if (code === 'ECONNREFUSED' || code === 'ConnectionRefused') continue;
      if (name !== 'TimeoutError') return { outcome: 'broken' };
      return { outcome: abandonAfterMs === undefined ? 'hung' : 'abandoned' };
    }
  }
  return { outcome: 'unavailable' };
}
