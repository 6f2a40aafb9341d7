/** Fills the gateway's cache of keys, as in a service that has run for a while. */
import { closedLoop } from './closed-loop.ts';
import { httpConnection } from './http-load.ts';
import { meRequest } from './requests.ts';
import type { Bench } from './work.ts';

const CONNECTIONS = 16;
// Gateways cache a key for five minutes. This leaves time for the longest workload.
const CACHED_MS = 3.5 * 60_000;

/** Returns a function that sends a request with every key, if the cache is about to expire. */
export function keyCacheFiller({ stack, service, accounts }: Bench): () => Promise<void> {
  let until = 0;
  return async () => {
    if (performance.now() < until) return;
    until = performance.now() + CACHED_MS;
    // A request does not extend the time of a cached key.
    await stack.flushRedis();
    const connections = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => httpConnection(service.url)),
    );
    const requests = accounts.flat().map(meRequest);
    const { failures } = await closedLoop(connections, requests, Number.POSITIVE_INFINITY);
    for (const connection of connections) connection.close();
    for (const result of Object.keys(failures)) throw new Error(`GET /me returned ${result}`);
  };
}
