/** A gateway without its worker, and an API that is switched off, as the description says (docs/api/errors.md). */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mintApiKey } from '../../../ledger-worker/admin/keys.ts';
import { type ApiResponse, send, TestAccount } from '../../fixtures/client.ts';
import { bearer, ENDPOINTS, type Endpoint, failure } from '../../fixtures/endpoints.ts';
import { expectError, RETRY_AFTER } from '../../fixtures/expect-error.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { startOwnGateway } from '../../fixtures/own-services.ts';
import { logsDir, system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';
import { dereference, expectDescribed, fetchDescription } from '../api/openapi-document.ts';

setDefaultTimeout(60_000);

const account = await TestAccount.create();
const document = dereference(await fetchDescription());

const logFile = join(logsDir, 'failing-gateway.log');
const [failing, alone, disabled] = await Promise.all([
  // Its worker does not implement the service that it calls.
  startOwnGateway({ workerAddress: system.adminAddress, readyStatus: 503, logFile }),
  // Nothing listens there.
  startOwnGateway({
    workerAddress: `127.0.0.1:${freePort()}`,
    readyStatus: 503,
    env: { REQUEST_TIMEOUT_MS: '700' },
  }),
  startOwnGateway({ env: { API_ENABLED: 'false', CORS_ORIGINS: 'https://books.example' } }),
]);

/** Sends every request at once, each with an id of its own, and checks each response. */
async function each(
  url: string,
  expected: (response: ApiResponse, endpoint: Endpoint, id: string) => void,
): Promise<void> {
  const requests = ENDPOINTS.map(async (endpoint) => {
    const id = `outage:${Bun.randomUUIDv7()}`;
    const headers = { 'x-request-id': id };
    const response = await endpoint.request(account, account.key, { url, headers });
    const [method = '', path = ''] = endpoint.name.replace(/\?.*/, '').split(' ');
    if (method !== 'HEAD') expectDescribed(document, method, `/api/v1${path}`, response);
    expected(response, endpoint, id);
  });
  await Promise.all(requests);
}

const isHead = ({ name }: Endpoint) => name.startsWith('HEAD');

describe('server_error', () => {
  test('500 on every endpoint names the request id, and the log has the cause under it', async () => {
    const ids: string[] = [];
    await each(failing.url, (response, endpoint, id) => {
      ids.push(id);
      expect(response.status).toBe(500);
      if (isHead(endpoint)) return;
      expectError(response, 'server_error', { status: 500 });
      expect(response.body.error.message).toContain(id);
      expect(response.body.error.message).toContain('safe to send the request again');
    });
    const causes = () =>
      readFileSync(logFile, 'utf8')
        .split('\n')
        .filter((line) => line.includes('UNIMPLEMENTED'));
    await until('each cause is in the log', () =>
      ids.every((id) => causes().some((line) => line.includes(id))),
    );
  });

  test('503 with Retry-After on every endpoint while the worker is away', async () => {
    await each(alone.url, (response, endpoint, id) => {
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
      if (isHead(endpoint)) return;
      expectError(response, 'server_error', { status: 503, headers: RETRY_AFTER });
      expect(response.body.error.message).toContain(id);
    });
  });

  test('without the worker, requests that need no worker are served as usual', async () => {
    const me = (headers: Record<string, string>) => send('/api/v1/me', { url: alone.url, headers });
    expect(failure(await me({}))).toEqual([401, 'missing_key']);
    expect(failure(await me(bearer('junk')))).toEqual([401, 'invalid_key']);
    expect(failure(await send('/api/v1/nope', { url: alone.url }))).toEqual([404, 'not_found']);
    expect((await send('/api/v1/openapi.json', { url: alone.url })).status).toBe(200);
    expect((await send('/healthz', { url: alone.url })).status).toBe(200);
    const unknown = bearer(mintApiKey(account.key.slice(0, account.key.indexOf('_live_'))));
    expect(failure(await me(unknown))).toEqual([503, 'server_error']);
  });
});

test('where the API is not enabled, everything under /api/v1 is 404 not_found, the description too', async () => {
  for (const path of ['/api/v1/me', '/api/v1/openapi.json', '/api/v1/docs', '/api/v1'])
    expect(failure(await send(path, { url: disabled.url }))).toEqual([404, 'not_found']);
  const headers = { origin: 'https://books.example', 'access-control-request-method': 'GET' };
  const preflight = await send('/api/v1/me', { url: disabled.url, method: 'OPTIONS', headers });
  expect(failure(preflight)).toEqual([404, 'not_found']);
});
