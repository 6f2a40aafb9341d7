/** API7: an address in a request is text and nothing else: the service never connects to it. */
import { afterAll, beforeEach, expect, test } from 'bun:test';
import { entry, send, TestAccount } from '../fixtures/client.ts';
import { bearer } from '../fixtures/endpoints.ts';
import { read, within } from '../fixtures/imports.ts';
import { system } from '../fixtures/system.ts';
import { requestText, sendBytes } from '../fixtures/wire.ts';

let connections = 0;
const listener = Bun.listen({
  hostname: '127.0.0.1',
  port: 0,
  socket: {
    open(socket) {
      connections++;
      socket.end();
    },
    data() {},
  },
});
afterAll(() => listener.stop(true));
beforeEach(() => {
  connections = 0;
});

const host = `127.0.0.1:${listener.port}`;
const address = `http://${host}/collect`;
const account = await TestAccount.create();
const transactions = account.transactions;

test('the listener would see a connection', async () => {
  await fetch(address).catch(() => {});
  expect(connections).toBe(1);
});

/** Whatever the requests before it have set off by now has been set off. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) expect((await send('/readyz')).status).toBe(200);
}

const HEADERS = [
  ...['Host', 'Referer', 'Origin', 'X-Forwarded-Host', 'X-Original-URL', 'X-Callback-Url', 'X-Wap-Profile'],
  ...['Link', 'Destination', 'X-Request-Id', 'Idempotency-Key', 'traceparent'],
];

test('an address in any header or in the Host is not connected to', async () => {
  const authorization = `Authorization: Bearer ${account.key}`;
  const headers = HEADERS.map((name) => `${name}: ${name === 'Host' ? host : address}`);
  for (const path of ['/api/v1/me', '/api/v1/docs', '/nope', transactions]) {
    const response = await sendBytes(requestText(`GET ${path}`, [authorization, ...headers]));
    expect(response).toMatch(/^HTTP\/1\.1 (200|404) /);
  }
  const lines = [
    `GET ${address}`,
    `CONNECT ${host}`,
    `GET //${host}/collect`,
    `GET /api/v1/docs?configUrl=${address}&url=${address}`,
    `GET /api/v1/categories?sourceType=${address}`,
    `GET ${transactions}?cursor=${address}&from=${address}`,
    `GET /api/v1/sources/${encodeURIComponent(address)}/transactions`,
  ];
  for (const line of lines)
    expect(await sendBytes(requestText(line, [authorization]))).toMatch(/^HTTP\/1\.1 [24]\d\d /);
  await settled();
  expect(connections).toBe(0);
});

test('an address in a body is stored as text where text is taken, and not connected to', async () => {
  const sent = entry({ description: address, externalRef: `${address}?ref` });
  expect((await account.post(sent)).status).toBe(201);
  expect((await account.entries())[0]).toMatchObject(sent);

  const refused: [body: unknown, type: string][] = [
    [{ $ref: address }, 'application/json'],
    [entry({ category: address }), 'application/json'],
    [`<!DOCTYPE x [<!ENTITY e SYSTEM "${address}">]><x>&e;</x>`, 'application/xml'],
  ];
  for (const [body, type] of refused) {
    const { status } = await account.post(body, { headers: { 'content-type': type } });
    expect([400, 422]).toContain(status);
  }
  await settled();
  expect(connections).toBe(0);
});

test('no response redirects', async () => {
  const headers = bearer(account.key);
  const paths = ['/', '/api', '/api/v1/me/', '/api/v1//me', `/api/v1/docs/?url=${address}`, `//${host}`];
  for (const path of paths) {
    const response = await fetch(system.url + path, { redirect: 'manual', headers });
    const isRedirect = response.status >= 300 && response.status < 400;
    expect([path, isRedirect, response.headers.get('location')]).toEqual([path, false, null]);
  }
});

test('neither process has code that makes HTTP requests', () => {
  const client =
    /\bfetch\(|\b(from|import|require)[\s('"]+(node:)?(https?|http2|undici|axios)\b|\bnew (WebSocket|EventSource)\b/;
  for (const text of ['await fetch(url)', "import { get } from 'node:https'", "await import('undici')"]) {
    expect(text).toMatch(client);
  }
  for (const room of ['gateway', 'ledger-worker', 'proto', 'platform']) {
    // A health check is part of neither: a container runs it beside the process.
    const sources = within(room).filter((file) => !file.endsWith('/healthcheck.ts'));
    expect(sources.length).toBeGreaterThan(2);
    for (const file of sources) {
      // A server, as for the metrics, makes no requests.
      const code = read(file).replace(/^import \{ createServer \} .*/m, '');
      // The samples of the API's description are texts.
      const isOfBrowsers = file === 'gateway/description/samples.ts';
      const text = isOfBrowsers ? code.replace(/`[^`]*`/g, '') : code;
      expect([file, text.match(client)]).toEqual([file, null]);
    }
  }
});
