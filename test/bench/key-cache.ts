/** As in a service that has run for a while, the gateways have cached whose each key is. */
import { closedLoop } from './closed-loop.ts';
import { httpLine } from './http-load.ts';
import type { Bench } from './work.ts';
import { meRequest } from './workloads/read.ts';

const LINES = 16;
// Less than the five minutes for which the gateways keep it, by what a workload may take.
const KNOWN_MS = 3.5 * 60_000;

/** @returns what lets every key be seen once, whenever it is time again */
export function acquainted({ stack, service, accounts }: Bench): () => Promise<void> {
  let until = 0;
  return async () => {
    if (performance.now() < until) return;
    until = performance.now() + KNOWN_MS;
    // What is still cached would not be kept for longer.
    await stack.flushRedis();
    const lines = await Promise.all(Array.from({ length: LINES }, () => httpLine(service.url)));
    const { failures } = await closedLoop(lines, accounts.flat().map(meRequest), Number.POSITIVE_INFINITY);
    for (const line of lines) line.close();
    for (const said of Object.keys(failures)) throw new Error(`GET /me was answered ${said}`);
  };
}
