/** Refused requests share the check of their key, but none gets a response from before it began. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { startGateway } from '../../../local/servers/gateway.ts';
import { startWorker } from '../../../local/servers/worker.ts';
import { PASS, startProxy } from '../../faults/proxy.ts';
import { send, TestAccount } from '../../fixtures/client.ts';
import { bearer } from '../../fixtures/endpoints.ts';
import { scrape } from '../../fixtures/metrics.ts';
import { stopEmpty } from '../../fixtures/nothing-held.ts';
import { admin, system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(30_000);

const worker = await startWorker({ databaseUrl: system.databaseUrl, env: {} });
const [host = '', port] = worker.address.split(':');
const proxy = await startProxy(() => ({ host, port: Number(port) }));
const gateway = await startGateway({
  workerAddress: `127.0.0.1:${proxy.port}`,
  redisUrl: system.redisUrl,
  env: {},
});
afterAll(async () => {
  await stopEmpty(gateway, worker);
  await proxy.close();
});

const checks = async () =>
  (await scrape(worker.metricsAddress)).sum('grpc_server_handling_seconds_count', {
    grpc_method: 'authenticate',
  });
const inFlight = async () => (await scrape(gateway.metricsAddress)).sum('http_requests_in_flight');

/**
 * Sends a request whose check of the key has read the database, holds the answer back, changes the account, and sends the same request
 * again.
 * @returns the status of the second one
 */
async function afterChange(request: () => Promise<number>, change: () => Promise<unknown>): Promise<number> {
  const before = await checks();
  await proxy.set({ kind: 'holdReplies' });
  const first = request();
  await until('the key was checked', async () => (await checks()) === before + 1);
  await change();
  const second = request();
  await until('the gateway has both requests', async () => (await inFlight()) === 2);
  await proxy.set(PASS);
  await first;
  return second;
}

test('a request without access gets 401, whatever else is wrong, while an earlier one is checked', async () => {
  const { accountId, key, sources } = await TestAccount.create();
  const empty = async () => {
    const path = `/api/v1/sources/${sources['uk-property']}/transactions`;
    const headers = { ...bearer(key), 'content-type': 'application/json' };
    return (await send(path, { url: gateway.url, method: 'POST', headers, body: '[]' })).status;
  };
  expect(await empty()).toBe(422);
  expect(await afterChange(empty, () => admin.deleteAccount({ accountId }))).toBe(401);
});
