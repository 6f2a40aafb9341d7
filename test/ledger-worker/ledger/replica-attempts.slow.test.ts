/** When a replica that does not answer is tried again, and by whom. */
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

test('a replica that hangs is not taken to be back because whoever tried it left', async () => {
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
  const read = (gone: AbortSignal) =>
    readPages(
      [
        {
          caller: { accountId, keyHash: hashApiKey(key) },
          sourceId: sources['uk-property'],
          from: undefined,
          to: undefined,
          after: undefined,
          limit: 1,
          call: { signal: gone, remainingMs: () => Number.POSITIVE_INFINITY },
        },
      ],
      gone,
    );
  const staying = new AbortController().signal;

  await until('it is left alone', async () => {
    expect(await read(staying)).toMatchObject([{ outcome: 'page' }]);
    return (await pages('not_asked')) > 0;
  });
  // Those who come while it is left alone are answered at once; who tries it waits for it, and leaves.
  await until('somebody left while it was tried', () => {
    const leaving = new AbortController();
    setTimeout(() => leaving.abort(), 100);
    return read(leaving.signal).then(
      () => false,
      () => true,
    );
  });
  await read(staying);
  expect(lines.map(({ msg }) => msg)).toEqual(['the replica is away: pages are read from the primary']);
  await replica.end({ timeout: 0 });
  hanging.close();
});
