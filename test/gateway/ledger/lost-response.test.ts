/**
 * A response of the worker that is lost after the commit, and a client that loses its access before the gateway's next attempt:
 * the entries are stored, so the client gets 201.
 */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { PASS, startProxy } from '../../faults/proxy.ts';
import { ACCESS_LOST } from '../../fixtures/access-lost.ts';
import { batch, rowsOf } from '../../fixtures/books.ts';
import { entry, TestAccount } from '../../fixtures/client.ts';
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
