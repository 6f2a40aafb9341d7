/** The metrics of the event loop's lag, which the library gets from Bun. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { createRegistry } from '../../platform/metrics.ts';

setDefaultTimeout(30_000);

const registry = createRegistry('test', '1.0.0');

/** Reads and resets the gauge. */
async function p99(): Promise<number> {
  return Number(/^nodejs_eventloop_lag_p99_seconds (.+)$/m.exec(await registry.metrics())?.[1]);
}

// Samples are taken once a second: one falls into a longer block, whenever it begins.
const BLOCK_MS = 1_300;

test('a block of 1.3 s is the 99th percentile, until the next scrape', async () => {
  await Bun.sleep(1_000);
  for (const end = performance.now() + BLOCK_MS; performance.now() < end; );
  await Bun.sleep(100);
  expect(await p99()).toBeGreaterThan(0.25);
  await Bun.sleep(1_500);
  expect(await p99()).toBeLessThan(0.2);
});
