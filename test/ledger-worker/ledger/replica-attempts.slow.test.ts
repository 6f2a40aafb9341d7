/** When a replica that does not respond is tried again. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import pino from 'pino';
import { openDatabase } from '../../../ledger-worker/database/connection.ts';
import { Pool } from '../../../ledger-worker/database/pool.ts';
import { replicaPages } from '../../../ledger-worker/ledger/replica.ts';
import { createMetrics } from '../../../ledger-worker/metrics.ts';
import { createRegistry } from '../../../platform/metrics.ts';
import { hashApiKey } from '../../../proto/api-key.ts';
import { type Json, TestAccount } from '../../fixtures/client.ts';
import { sql } from '../../fixtures/system.ts';
import { startTcpServer } from '../../fixtures/tcp-server.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

test('a replica that hangs is not taken to be back because the read that tried it was cancelled', async () => {
  const hanging = await startTcpServer((socket) => socket.resume());
  const replica = openDatabase({
    url: `postgres://${hanging.address}/x`,
    poolMax: 4,
    statementTimeoutMs: 1_000,
  });
  const lines: Json[] = [];
  const log = pino({}, { write: (line) => lines.push(JSON.parse(line)) });
  const registry = createRegistry('ledger-worker', '1.0.0');
  const readPages = replicaPages(new Pool(sql), new Pool(replica), createMetrics(registry), log);
  const { accountId, key, sources } = await TestAccount.create();
  const pages = (outcome: string) =>
    registry.getSingleMetricAsString('ledger_replica_pages_total').then((shown) => {
      const [, count = '0'] = new RegExp(`"${outcome}"} (\\d+)`).exec(shown) ?? [];
      return Number(count);
    });
  const read = (signal: AbortSignal) =>
    readPages(
      [
        {
          caller: { accountId, keyHash: hashApiKey(key) },
          sourceId: sources['uk-property'],
          from: undefined,
          to: undefined,
          after: undefined,
          limit: 1,
          call: { signal: signal, remainingMs: () => Number.POSITIVE_INFINITY },
        },
      ],
      signal,
    );
  const uncancelled = new AbortController().signal;

  await until('the replica is not used', async () => {
    expect(await read(uncancelled)).toMatchObject([{ outcome: 'page' }]);
    return (await pages('not_asked')) > 0;
  });
  // Reads skip the replica and return at once; the one that tries it waits, and is cancelled.
  await until('a read was cancelled while it tried the replica', () => {
    const cancelling = new AbortController();
    setTimeout(() => cancelling.abort(), 100);
    return read(cancelling.signal).then(
      () => false,
      () => true,
    );
  });
  await read(uncancelled);
  expect(lines.map(({ msg }) => msg)).toEqual(['the replica is away: pages are read from the primary']);
  await replica.end({ timeout: 0 });
  hanging.close();
});
