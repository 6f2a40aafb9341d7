/** An HTTP proxy in front of the real service, which cuts connections and slows clients down as a test wants. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { system } from '../fixtures/system.ts';

export interface SeenRequest {
  method: string;
  path: string;
  authorization: string;
  userAgent: string | undefined;
  acceptEncoding: string | undefined;
  contentType: string | undefined;
  idempotencyKey: string | undefined;
  body: string;
}

/**
 * `pass` hands request and response on. `drop response` lets the service do its work, and then closes the connection, `reset response`
 * resets it, `truncate response` closes it in the middle of the body; `replace response` sends another body in the place of its own.
 * `drop request` cuts it before. An object is the response: the service is not asked, unless `isPassed`.
 */
export type Action =
  | 'pass'
  | 'drop response'
  | 'reset response'
  | 'truncate response'
  | 'replace response'
  | 'drop request'
  | {
      status: number;
      headers?: Record<string, string>;
      body: string | Uint8Array;
      isPassed?: boolean;
      /** Whether 103 Early Hints precede it. */
      hasHints?: boolean;
      /** Whether it comes byte by byte. */
      isSlow?: boolean;
    };

export interface Proxy {
  url: string;
  requests: SeenRequest[];
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * @param act is called with each request and its ordinal, from 1
 * @param target the URL of the service
 */
export async function startProxy(
  act: (request: SeenRequest, ordinal: number) => Action | Promise<Action> = () => 'pass',
  target = () => system.url,
): Promise<Proxy> {
  const requests: SeenRequest[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const request = await seen(incoming);
    requests.push(request);
    const action = await act(request, requests.length);
    if (action === 'drop request') return incoming.socket.destroy();
    const respond = async ({ status, headers, body, hasHints, isSlow }: Exclude<Action, string>) => {
      if (hasHints) outgoing.writeEarlyHints({ link: '</style.css>; rel=preload' });
      outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
      if (!isSlow) return outgoing.end(body);
      for (const byte of Buffer.from(body)) {
        if (incoming.socket.destroyed) return;
        outgoing.write(Buffer.of(byte));
        await Bun.sleep(20);
      }
      return outgoing.end();
    };
    if (typeof action === 'object' && !action.isPassed) return respond(action);
    const { method, path, authorization, idempotencyKey, body } = request;
    const response = await fetch(target() + path, {
      method,
      headers: {
        authorization,
        'content-type': 'application/json',
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== '' && { body }),
    }).catch(() => undefined);
    const bytes = await response?.arrayBuffer().catch(() => undefined);
    // A service that is killed drops the response too.
    if (!response || !bytes || action === 'drop response') return incoming.socket.destroy();
    if (action === 'reset response') return incoming.socket.resetAndDestroy();
    if (typeof action === 'object') return respond(action);
    // `fetch` has put the body together and decompressed it.
    for (const name of ['transfer-encoding', 'content-encoding', 'content-length', 'connection'])
      response.headers.delete(name);
    if (action === 'truncate response') {
      outgoing.writeHead(response.status, { 'content-length': String(bytes.byteLength) });
      return outgoing.write(Buffer.from(bytes.slice(0, 20)), () => incoming.socket.destroy());
    }
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    return outgoing.end(action === 'replace response' ? '<html>' : Buffer.from(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function seen(incoming: IncomingMessage): Promise<SeenRequest> {
  const { method = '', url: path = '', headers } = incoming;
  const { authorization = '', 'content-type': contentType, 'idempotency-key': key } = headers;
  const { 'user-agent': userAgent, 'accept-encoding': encoding } = headers;
  const acceptEncoding = encoding === undefined ? undefined : `${encoding}`;
  const idempotencyKey = Array.isArray(key) ? key.join() : key;
  const body = await text(incoming);
  return { method, path, authorization, userAgent, acceptEncoding, contentType, idempotencyKey, body };
}

/** The response of the service to a key that has used its minute, with a short wait. */
export const RATE_LIMITED = {
  status: 429,
  headers: { 'retry-after': '1', 'x-ratelimit-remaining': '0' },
  body: JSON.stringify({ error: { code: 'rate_limited', message: 'The key has used its 120 requests.' } }),
};
