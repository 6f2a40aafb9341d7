/** The comparison of a gateway's clock with the database's. `test/faults/days/clocks.test.ts` sets the clocks of real processes. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { aheadMs, createClockComparison } from '../../../gateway/ledger/health.ts';
import { startWorker } from '../../../local/servers/worker.ts';
import { createLog } from '../../../platform/log.ts';
import { createLedgerClient } from '../../../proto/client.ts';
import type { DatabaseTime } from '../../../proto/contract.ts';
import { startProxy } from '../../faults/proxy.ts';
import { system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const cleanUps: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

// The database read its clock between two moments, and the worker responded within a round trip of 10 ms.
test.each([
  ['before both moments', 90, -10],
  ['at the first', 100, 0],
  ['at the second', 140, 0],
  ['within the round trip after the second', 150, 0],
  ['after that', 151, 1],
])('a clock that shows a time %s is ahead by what no delay explains', (_, now, ahead) => {
  expect(aheadMs(now, { earliestMs: 100, latestMs: 140 }, 10)).toBe(ahead);
});

test('the log has that the clocks come apart by more than 5 s, and that they agree again, once each', () => {
  const lines: unknown[] = [];
  const log = createLog('a test');
  log.warn = (fields: object) => void lines.push(fields);
  log.info = (text: string) => void lines.push(text);
  const compared: number[] = [];
  const compare = createClockComparison(
    { clockCompared: (ms) => void compared.push(Math.round(ms / 1_000)) },
    log,
  );
  const databaseIs = (...seconds: number[]) =>
    compare(
      seconds.map((ahead) => {
        const ms = Date.now() + ahead * 1_000;
        return { earliestMs: ms, latestMs: ms };
      }),
      500,
    );
  databaseIs(0);
  databaseIs(4);
  // An earlier release reports no time.
  databaseIs();
  expect(lines).toEqual([]);
  // Of two servers the one that is further apart.
  databaseIs(2, -9);
  databaseIs(8, -1);
  expect(lines).toEqual([{ aheadMs: expect.any(Number) }]);
  databaseIs(1);
  databaseIs(0);
  expect(lines.slice(1)).toEqual([expect.stringContaining('agree again')]);
  databaseIs(9);
  expect(lines).toHaveLength(3);
  expect(compared.map((seconds) => seconds + 0)).toEqual([0, -4, 9, -8, -1, 0, -9]);
});

/** A client of the worker's health. @returns a function that resolves with the times in a response */
function openHealth(address: string) {
  const client = createLedgerClient(address, {});
  cleanUps.push(() => client.close());
  return async (): Promise<DatabaseTime[]> => {
    const reports: DatabaseTime[] = [];
    const options = { deadline: Date.now() + 30_000 };
    await client.checkHealth('ledger.v1.Ledger', options, { onTimes: (times) => reports.push(...times) });
    return reports;
  };
}

test.concurrent('a worker reports the time of the database, which lies between the moments that it names', async () => {
  const times = openHealth(system.workerAddress);
  // Each check of the database takes another time.
  const checks = new Set<number>();
  await until('the worker has checked its database twice more', async () => {
    const sentAt = Date.now();
    // Both processes and Postgres have one clock here. Postgres counts µs, and performance.now() drifts a little.
    const { earliestMs, latestMs } = (await times()).at(-1) as DatabaseTime;
    expect(earliestMs).toBeLessThan(Date.now() + 50);
    expect(latestMs).toBeGreaterThan(sentAt - 50);
    expect(latestMs).toBeGreaterThanOrEqual(earliestMs);
    checks.add(Math.round((latestMs - earliestMs) * 1_000));
    return checks.size > 2;
  });
});

test.concurrent('a worker reports no time of a host that it cannot use', async () => {
  const { hostname, port, username, pathname, searchParams } = new URL(system.databaseUrl);
  const directory = searchParams.get('host');
  // One of several hosts is no unix socket.
  const link = await startProxy(() =>
    directory ? { path: `${directory}/.s.PGSQL.${port || 5432}` } : { host: hostname, port: Number(port) },
  );
  cleanUps.push(() => link.close());
  const databaseUrl = `postgres://${username}@127.0.0.1:1,127.0.0.1:${link.port}${pathname}`;
  const worker = await startWorker({ databaseUrl });
  cleanUps.push(() => worker.stop());
  const [usable, all] = [await openHealth(system.workerAddress)(), await openHealth(worker.address)()];
  expect(usable.length).toBeGreaterThan(0);
  expect(all.map(({ latestMs }) => Number.isFinite(latestMs))).toEqual(usable.map(() => true));
});
