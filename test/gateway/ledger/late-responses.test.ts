/** Responses of the worker that are late or lost, and clients that lose their access meanwhile. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { PASS, startProxy } from '../../faults/proxy.ts';
import { ACCESS_LOST } from '../../fixtures/access-lost.ts';
import { batch, rowsOf } from '../../fixtures/books.ts';
import { entry, send, TestAccount } from '../../fixtures/client.ts';
import { bearer } from '../../fixtures/endpoints.ts';
import { scrape } from '../../fixtures/metrics.ts';
import { startOwnGateway } from '../../fixtures/own-services.ts';
import { system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const [host, port] = system.workerAddress.split(':') as [string, string];
const link = await startProxy(() => ({ host, port: Number(port) }));
const gateway = await startOwnGateway({ workerAddress: `127.0.0.1:${link.port}` });
afterAll(() => link.close());

const BODIES: [what: string, body: () => object[], headers?: Record<string, string>][] = [
  ['without references', () => [entry(), entry({ type: 'expense' })]],
  ['with references', () => batch('a', 3)],
  ['under an Idempotency-Key', () => [entry()], { 'idempotency-key': 'once' }],
];

// The entries are stored, so the client gets 201 from the next attempt.
for (const [change, lose] of ACCESS_LOST) {
  for (const [what, body, headers = {}] of BODIES) {
    test(`${change} after the commit of entries ${what}, whose response is lost: 201, with their ids`, async () => {
      const account = await TestAccount.create();
      // The gateway has cached the key and opened its connection.
      expect((await account.request('/api/v1/me', { url: gateway.url })).status).toBe(200);
      await link.set({ kind: 'holdReplies' });
      const entries = body();
      const response = account.post(entries, { url: gateway.url, headers });
      await until('it is committed', async () => (await rowsOf(account.accountId)).length === entries.length);
      await lose(account);
      await link.set({ kind: 'reset' });
      await link.set(PASS);

      const { status, body: result } = await response;
      const rows = await rowsOf(account.accountId);
      expect([status, result]).toMatchObject([201, { created: entries.length, existing: [] }]);
      const ids = result.transactions.map(({ id }: { id: string }) => id);
      expect(ids.sort()).toEqual(rows.map(({ id }) => id).sort());
      expect(rows).toHaveLength(entries.length);

      // What is sent after that is refused.
      const next = await account.post(body(), { url: gateway.url });
      expect([401, 403, 404]).toContain(next.status);
      expect(await rowsOf(account.accountId)).toEqual(rows);
    });
  }
}

const checks = async () =>
  (await scrape(`${system.services[1]?.metricsAddress}`)).sum('grpc_server_handling_seconds_count', {
    grpc_method: 'authenticate',
  });
test('the key of a refused request is checked once: with the refusal of the worker, or else by a request of its own', async () => {
  const { key, sources } = await TestAccount.create();
  const checksOf = async (sourceId: string | undefined, body: object[]) => {
    const before = await checks();
    const path = `/api/v1/sources/${sourceId}/transactions`;
    const headers = { ...bearer(key), 'content-type': 'application/json' };
    const text = JSON.stringify(body);
    const { status } = await send(path, { url: gateway.url, method: 'POST', headers, body: text });
    return [status, (await checks()) - before];
  };
  const known = sources['uk-property'];
  // The first request with the key also looks up its account.
  expect(await checksOf(known, [entry()])).toEqual([201, 1]);
  expect(await checksOf(Bun.randomUUIDv7(), [entry()])).toEqual([404, 0]);
  expect(await checksOf(known, [entry({ category: 'none' })])).toEqual([422, 0]);
  expect(await checksOf('none', [entry()])).toEqual([404, 1]);
  expect(await checksOf(known, [])).toEqual([422, 1]);
});
