/** The metrics of the event loop's lag: an idle process samples its timers seldom, one that works as often as ever. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { createRegistry } from '../../platform/metrics.ts';

setDefaultTimeout(30_000);

const registry = createRegistry('test', '1.0.0');

/** Reads and resets the gauges. */
async function lags(): Promise<(statistic: string) => number> {
  const text = await registry.metrics();
  return (statistic) =>
    Number(new RegExp(`^nodejs_eventloop_lag_${statistic}_seconds (.+)$`, 'm').exec(text)?.[1]);
}

test('one block of 0.3 s a second is the 99th percentile, also after a time of idleness', async () => {
  await Bun.sleep(11_000);
  await lags();
  for (let n = 0; n < 5; n++) {
    block(300);
    await Bun.sleep(700);
  }
  const lag = await lags();
  expect(lag('p99')).toBeGreaterThan(0.2);
  // With one sample a second, both would be the longest.
  expect(lag('p90')).toBeLessThan(0.2);
});

test('between two scrapes without a sample the values stay', async () => {
  for (let n = 0; n < 10; n++) expect((await lags())('p99')).toBeGreaterThan(0);
});

function block(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}
