/** The metrics of the event loop's lag, which the library gets from Bun. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { createRegistry } from '../../platform/metrics.ts';

setDefaultTimeout(30_000);

const registry = createRegistry('test', '1.0.0');

/** Reads and resets the gauge. */
async function p99(): Promise<number> {
  return Number(/^nodejs_eventloop_lag_p99_seconds (.+)$/m.exec(await registry.metrics())?.[1]);
}

test('one block of 0.3 s a second is the 99th percentile, until the next scrape', async () => {
  for (let n = 0; n < 2; n++) {
    for (const end = performance.now() + 300; performance.now() < end; );
    await Bun.sleep(700);
  }
  expect(await p99()).toBeGreaterThan(0.2);
  await Bun.sleep(1_000);
  expect(await p99()).toBeLessThan(0.2);
});
