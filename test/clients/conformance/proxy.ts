/** A service that breaks one rule: a proxy in front of the real one, which changes requests or responses. */
import type { Clock } from '../../../clients/conformance/index.ts';
import { type Json, TestAccount } from '../../fixtures/client.ts';
import { admin, system } from '../../fixtures/system.ts';

export interface Passed {
  method: string;
  path: string;
  headers: Headers;
  body: Uint8Array<ArrayBuffer>;
}

/** As it goes to the client; with `Content-Encoding: gzip`, compressed. */
export interface Reply {
  status: number;
  headers: Headers;
  body: Json;
}

/**
 * Replaces a response. `send` passes a request on to the real service.
 * @returns the reply to the client
 */
export type Fault = (request: Passed, send: (request: Passed) => Promise<Reply>) => Promise<Reply>;

async function send({ method, path, headers, body }: Passed): Promise<Reply> {
  const passed = new Headers(headers);
  passed.delete('accept-encoding');
  const response = await fetch(system.url + path, {
    method,
    headers: passed,
    redirect: 'manual',
    ...(body.length > 0 && { body }),
  });
  const text = await response.text();
  const kept = new Headers(response.headers);
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding', 'connection'])
    kept.delete(name);
  const isJson = kept.get('content-type')?.includes('application/json') && text !== '';
  return { status: response.status, headers: kept, body: isJson ? JSON.parse(text) : text };
}

const MINUTE_MS = 61_000;

/** Two accounts behind a fault, and a clock that waits for nothing: both have new keys after it, so that each has a new minute. */
export async function startFaulty(fault: Fault = (request, send) => send(request)) {
  const accounts = await Promise.all([TestAccount.create(), TestAccount.create()]);
  const keys = accounts.map(({ key, accountId }) => ({ outer: key, inner: key, accountId }));
  let passedMs = 0;
  const clock: Clock = {
    now: () => Date.now() + passedMs,
    async sleep(ms) {
      for (const key of keys) key.inner = (await admin.createKey({ accountId: key.accountId })).key;
      passedMs += Math.max(ms, MINUTE_MS);
    },
  };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    // A fault may be silence.
    idleTimeout: 0,
    maxRequestBodySize: 64 * 1024 * 1024,
    async fetch(incoming) {
      const { pathname, search } = new URL(incoming.url);
      const headers = new Headers(incoming.headers);
      for (const name of ['host', 'content-length', 'connection']) headers.delete(name);
      const key = keys.find(({ outer }) => headers.get('authorization') === `Bearer ${outer}`);
      if (key) headers.set('authorization', `Bearer ${key.inner}`);
      const body = new Uint8Array(await incoming.arrayBuffer());
      const reply = await fault({ method: incoming.method, path: pathname + search, headers, body }, send);
      const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
      const isCompressed = reply.headers.get('content-encoding') === 'gzip';
      return new Response(text === '' ? null : isCompressed ? Bun.gzipSync(text) : text, reply);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    accounts,
    clock,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
