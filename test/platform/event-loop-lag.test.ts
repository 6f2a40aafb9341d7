/** The metrics of the event loop's lag, which the library gets from Bun. */
import { test } from 'bun:test';
import { createRegistry } from '../../platform/metrics.ts';
import { until } from '../fixtures/until.ts';

const LAG_MS_MAX = 50_000;
// Samples are taken once a second: one falls into a longer block, whenever it begins, and one into a longer sleep.
const BLOCK_MS = 1_300;

const registry = createRegistry('test', '1.0.0');

/** Reads and resets the gauge. */
async function p99(): Promise<number> {
  return Number(/^nodejs_eventloop_lag_p99_seconds (.+)$/m.exec(await registry.metrics())?.[1]);
}

// Repeated until it holds: a busy machine delays samples, and is itself a lag.
test('a block of 1.3 s is the 99th percentile, until the next scrape', async () => {
  const isMeasured = async () => {
    for (const end = performance.now() + BLOCK_MS; performance.now() < end; );
    await Bun.sleep(100);
    return (await p99()) > 0.25;
  };
  await until('a block is measured', isMeasured, LAG_MS_MAX);
  const isReset = async () => {
    await Bun.sleep(BLOCK_MS);
    const lag = await p99();
    return lag > 0 && lag < 0.25;
  };
  await until('only later samples count', isReset, LAG_MS_MAX);
});
