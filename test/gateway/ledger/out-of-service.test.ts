/** A gateway without its worker, and an API that is switched off, as the description says (docs/api/errors.md). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mintApiKey } from '../../../ledger-worker/admin/mint-key.ts';
import { type Gateway, startGateway } from '../../../local/servers/gateway.ts';
import { startWorker } from '../../../local/servers/worker.ts';
import { type ApiResponse, entry, send, TestAccount } from '../../fixtures/client.ts';
import { bearer, ENDPOINTS, failure } from '../../fixtures/endpoints.ts';
import { expectError, RETRY_AFTER } from '../../fixtures/expect-error.ts';
import { system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';
import { dereference, expectDescribed, fetchDescription } from '../api/openapi-document.ts';

let account: TestAccount;
const directory = mkdtempSync(join(tmpdir(), 'ledger-errors-'));
const logFile = (name: string) => join(directory, `${name}.log`);
/** Its worker does not implement the service that it calls. */
let failing: Gateway;
/** Its worker has stopped. */
let alone: Gateway;
/** The API is switched off. */
let disabled: Gateway;

beforeAll(async () => {
  account = await TestAccount.create();
  const { redisUrl, databaseUrl } = system;
  const worker = await startWorker({ databaseUrl });
  [failing, alone, disabled] = await Promise.all([
    startGateway({ workerAddress: system.adminAddress, redisUrl, logFile: logFile('failing') }),
    startGateway({
      workerAddress: worker.address,
      redisUrl,
      env: { REQUEST_TIMEOUT_MS: '700' },
      logFile: logFile('alone'),
    }),
    startGateway({ workerAddress: system.workerAddress, redisUrl, env: { API_ENABLED: 'false' } }),
  ]);
  await worker.stop();
}, 30_000);

afterAll(async () => {
  await Promise.all([failing, alone, disabled].map((gateway) => gateway?.stop()));
  rmSync(directory, { recursive: true, force: true });
});

const document = dereference(await fetchDescription());

/** @param endpoint its name in ENDPOINTS */
function expectInDescription(endpoint: string, response: ApiResponse): void {
  const [method = '', path = ''] = endpoint.replace(/\?.*/, '').split(' ');
  expectDescribed(document, method, `/api/v1${path}`, response);
}

describe('server_error', () => {
  test.each(ENDPOINTS)(
    '500 names the request id, and the log has the cause under it: $name',
    async ({ name, request }) => {
      const id = `failed:${Bun.randomUUIDv7()}`;
      const response = await request(account, account.key, {
        url: failing.url,
        headers: { 'x-request-id': id },
      });
      if (!name.startsWith('HEAD')) {
        expectError(response, 'server_error', { status: 500 });
        expectInDescription(name, response);
        expect(response.body.error.message).toContain(id);
        expect(response.body.error.message).toContain('safe to send the request again');
      }
      expect(response.status).toBe(500);
      await until('the cause is in the log', () =>
        readFileSync(logFile('failing'), 'utf8')
          .split('\n')
          .some((line) => line.includes(id) && line.includes('UNIMPLEMENTED')),
      );
    },
  );

  test.each(ENDPOINTS)('503 with Retry-After while the worker is away: $name', async ({ name, request }) => {
    const id = `away:${Bun.randomUUIDv7()}`;
    const response = await request(account, account.key, { url: alone.url, headers: { 'x-request-id': id } });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    if (name.startsWith('HEAD')) return;
    expectError(response, 'server_error', { status: 503, headers: RETRY_AFTER });
    expectInDescription(name, response);
    expect(response.body.error.message).toContain(id);
  });

  test('without the worker, requests that need no worker are served as usual', async () => {
    const me = (headers: Record<string, string>) => send('/api/v1/me', { url: alone.url, headers });
    expect(failure(await me({}))).toEqual([401, 'missing_key']);
    const mistyped = account.key.slice(0, -1) + (account.key.endsWith('a') ? 'b' : 'a');
    for (const key of ['junk', mistyped])
      expect(failure(await me(bearer(key)))).toEqual([401, 'invalid_key']);
    expect(failure(await send('/api/v1/nope', { url: alone.url }))).toEqual([404, 'not_found']);
    expect((await send('/api/v1/openapi.json', { url: alone.url })).status).toBe(200);
    expect((await send('/healthz', { url: alone.url })).status).toBe(200);
    const unknown = bearer(mintApiKey(account.key.slice(0, account.key.indexOf('_live_'))));
    expect(failure(await me(unknown))).toEqual([503, 'server_error']);
  });

  test('/readyz is 503 while the worker is away', async () => {
    const { status, body } = await send('/readyz', { url: alone.url });
    expect([status, body.status, body.worker]).toEqual([503, 'unavailable', 'unavailable']);
  });
});

describe('an environment in which the API is not enabled', () => {
  test.each(ENDPOINTS)('everything under /api/v1 is 404 not_found: $name', async ({ name, request }) => {
    for (const key of [account.key, 'junk']) {
      const response = await request(account, key, { url: disabled.url });
      expect([response.status, response.headers.get('x-ratelimit-remaining')]).toEqual([404, null]);
      if (name.startsWith('HEAD')) continue;
      expectError(response, 'not_found', { status: 404 });
      expectInDescription(name, response);
    }
  });

  test.each(['/api/v1/openapi.json', '/api/v1/docs', '/api/v1', '/api/v1/docs/scalar.js'])(
    'so is the description: %s',
    async (path) => {
      expect(failure(await send(path, { url: disabled.url }))).toEqual([404, 'not_found']);
    },
  );

  test('nothing is written, and the process is healthy', async () => {
    const { length } = await account.entries();
    expect((await account.post(entry(), { url: disabled.url })).status).toBe(404);
    expect((await account.entries()).length).toBe(length);
    expect((await send('/healthz', { url: disabled.url })).status).toBe(200);
    expect((await send('/readyz', { url: disabled.url })).status).toBe(200);
  });
});
