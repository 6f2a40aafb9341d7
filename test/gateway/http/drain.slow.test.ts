/** A gateway that gets SIGTERM: it finishes its requests, and a load balancer in front can notice in time. */
import { afterAll, afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { type Gateway, type GatewayOptions, startGateway } from '../../../local/servers/gateway.ts';
import { rowsOf } from '../../fixtures/books.ts';
import { entry, send, TestAccount } from '../../fixtures/client.ts';
import { statuses } from '../../fixtures/endpoints.ts';
import { backendsWaiting, locks } from '../../fixtures/locks.ts';
import { system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const ORIGIN = 'https://books.example';

const gateways: Gateway[] = [];
async function start(options: Partial<GatewayOptions> = {}): Promise<Gateway> {
  const { workerAddress, redisUrl } = system;
  const env = { SHUTDOWN_DELAY_MS: '4000', CORS_ORIGINS: ORIGIN };
  const gateway = await startGateway({ workerAddress, redisUrl, env, ...options });
  gateways.push(gateway);
  return gateway;
}
afterEach(() => locks.release());
afterAll(() => Promise.all(gateways.map((gateway) => gateway.stop())));

const isRefused = ({ url }: Gateway, path: string) =>
  send(path, { url }).then(
    () => false,
    ({ code }) => code === 'ECONNREFUSED',
  );

test.concurrent('it serves for SHUTDOWN_DELAY_MS, not ready, and closes each connection with its response', async () => {
  const gateway = await start();
  const account = await TestAccount.create();
  const before = await account.request('/api/v1/me', { url: gateway.url });
  expect([before.status, before.headers.get('connection')]).toEqual([200, null]);

  const stopped = gateway.stop();
  await until('it reports that it drains', async () => {
    const { status, body } = await send('/readyz', { url: gateway.url });
    return status === 503 && body.status === 'draining';
  });
  const meanwhile = await account.post(entry(), { url: gateway.url });
  expect([meanwhile.status, meanwhile.headers.get('connection')]).toEqual([201, 'close']);
  const refused = await send('/api/v1/me', { url: gateway.url });
  expect([refused.status, refused.headers.get('connection')]).toEqual([401, 'close']);
  const headers = { origin: ORIGIN, 'access-control-request-method': 'GET' };
  const preflight = await send('/api/v1/me', { url: gateway.url, method: 'OPTIONS', headers });
  expect([preflight.status, preflight.headers.get('connection')]).toEqual([204, 'close']);
  expect((await send('/healthz', { url: gateway.url })).status).toBe(200);

  await stopped;
  expect(await isRefused(gateway, '/healthz')).toBe(true);
});

test.concurrent('without a worker it reports that it drains, too: that comes first', async () => {
  // That address serves no requests.
  const own = await start({ workerAddress: system.adminAddress, readyStatus: 503 });
  const before = await send('/readyz', { url: own.url });
  expect([before.status, before.body.status]).toEqual([503, 'unavailable']);
  const stopped = own.stop();
  await until('it reports that it drains', async () => {
    const { status, body } = await send('/readyz', { url: own.url });
    return status === 503 && body.status === 'draining';
  });
  await stopped;
});

test.concurrent('writes in flight when it stops listening are finished and get their responses', async () => {
  const gateway = await start();
  const account = await TestAccount.create('pro', gateway.url);
  const { accountId } = account;
  await locks.account(accountId);
  const writes = Array.from({ length: 5 }, () => account.post(entry()));
  await until('a write waits for the lock', async () => (await backendsWaiting()).length === 1);
  const stopped = gateway.stop();
  await until('it listens no more', () => isRefused(gateway, '/healthz'));
  await locks.release();
  const responses = await Promise.all(writes);
  expect(statuses(responses)).toEqual({ 201: 5 });
  for (const { headers } of responses) expect(headers.get('connection')).toBe('close');
  await stopped;
  expect(await rowsOf(accountId)).toHaveLength(5);
});

test('a request that does not end keeps it alive for SHUTDOWN_GRACE_MS at most', async () => {
  // Longer than this test may take.
  const stuck = await start({ env: { SHUTDOWN_GRACE_MS: '300', REQUEST_TIMEOUT_MS: '100000' } });
  const account = await TestAccount.create('pro', stuck.url);
  await locks.account(account.accountId);
  const write = account.post(entry()).then(
    ({ status }) => status,
    () => 'no response',
  );
  await until('a write waits for the lock', async () => (await backendsWaiting()).length === 1);
  process.kill(stuck.pid, 'SIGTERM');
  expect((await stuck.died).message).toStartWith('gateway ended with exit code 0.');
  expect(await write).toBe('no response');
  await locks.release();
});
