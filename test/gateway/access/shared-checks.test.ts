/** Refused requests share the check of their key, but none gets a response from before it began. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { PASS, startProxy } from '../../faults/proxy.ts';
import { send, TestAccount } from '../../fixtures/client.ts';
import { bearer } from '../../fixtures/endpoints.ts';
import { scrape } from '../../fixtures/metrics.ts';
import { startOwnGateway } from '../../fixtures/own-services.ts';
import { admin, system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const [host = '', port] = system.workerAddress.split(':');
const proxy = await startProxy(() => ({ host, port: Number(port) }));
const gateway = await startOwnGateway({ workerAddress: `127.0.0.1:${proxy.port}` });
afterAll(() => proxy.close());

const checks = async () =>
  (await scrape(`${system.services[1]?.metricsAddress}`)).sum('grpc_server_handling_seconds_count', {
    grpc_method: 'authenticate',
  });
const inFlight = async () => (await scrape(gateway.metricsAddress)).sum('http_requests_in_flight');

/**
 * Sends a request whose check of the key has read the database, holds the answer back, deletes the account, and sends the same request
 * again.
 * @returns the status of the second one; undefined if the first had ended before it: a check is pending for half a second at most
 */
async function afterDeletion(): Promise<number | undefined> {
  const { accountId, key, sources } = await TestAccount.create();
  const path = `/api/v1/sources/${sources['uk-property']}/transactions`;
  const headers = { ...bearer(key), 'content-type': 'application/json' };
  const empty = async () =>
    (await send(path, { url: gateway.url, method: 'POST', headers, body: '[]' })).status;
  expect(await empty()).toBe(422);

  const before = await checks();
  await proxy.set({ kind: 'holdReplies' });
  let hasEnded = false;
  const first = empty().finally(() => {
    hasEnded = true;
  });
  await until('the key was checked', async () => (await checks()) === before + 1);
  await admin.deleteAccount({ accountId });
  const second = empty();
  await until('the gateway has both requests', async () => hasEnded || (await inFlight()) === 2);
  const isShared = !hasEnded;
  await proxy.set(PASS);
  await first;
  const status = await second;
  return isShared ? status : undefined;
}

test('a request without access gets 401, whatever else is wrong, while an earlier one is checked', async () => {
  let status: number | undefined;
  // On a busy machine, until it has been quick enough once.
  while (status === undefined) status = await afterDeletion();
  expect(status).toBe(401);
});
