/** HTTPS of the gateway: what it speaks, and that its certificate is replaced while it serves. */
import { afterAll, afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConnectionOptions, connect, type SecureVersion, type TLSSocket } from 'node:tls';
import { startGateway } from '../../local/servers/gateway.ts';
import { newAuthority, newFiles } from '../fixtures/certificates.ts';
import { runHealthcheck } from '../fixtures/checkout.ts';
import { entry, TestAccount } from '../fixtures/client.ts';
import { backendsWaiting, locks } from '../fixtures/locks.ts';
import { scrape } from '../fixtures/metrics.ts';
import { logsDir, system } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';

setDefaultTimeout(60_000);
afterEach(() => locks.release());

const logFile = join(logsDir, 'tls-gateway.log');
const authority = await newAuthority('ours');
const files = newFiles(await authority.issue('gateway 1'), authority.cert);
const { workerAddress, redisUrl } = system;
const env = { TLS_CERT_FILE: files.cert, TLS_KEY_FILE: files.key };
const options = { workerAddress, redisUrl, env, ca: authority.cert };
const gateway = await startGateway({ ...options, logFile });
const account = await TestAccount.create();

afterAll(() => gateway.stop());

/** A new connection; `connect` of the platform checks certificate and name. */
function open(options: ConnectionOptions = {}): Promise<TLSSocket> {
  const { port } = new URL(gateway.url);
  return new Promise((resolve, reject) => {
    const socket = connect(
      { host: '127.0.0.1', port: Number(port), servername: 'localhost', ca: authority.cert, ...options },
      () => resolve(socket),
    );
    socket.on('error', reject);
  });
}

const nameShown = async () => {
  const socket = await open();
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return String(subject.CN);
};

/** A connection that is just being opened while the certificate is replaced may be reset. */
const isShown = (name: string) => async () => (await nameShown().catch(() => '')) === name;

/** One request on this connection. @returns the status line of the response, or how the connection ended without one */
function request(socket: TLSSocket, method: string, path: string, body = ''): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes;
    if (text.includes('\r\n\r\n')) resolve(text.slice(0, text.indexOf('\r\n')));
  });
  socket.on('error', ({ message }) => resolve(message));
  socket.on('close', () => resolve('closed'));
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${account.key}`,
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return promise;
}

/** A write that waits, on a connection of its own, for a lock that is held. */
async function writeUnderWay(): Promise<{ response: Promise<string>; letGo: () => Promise<void> }> {
  await locks.account(account.accountId);
  const path = account.transactions;
  const response = request(await open(), 'POST', path, JSON.stringify(entry()));
  await until('the write waits', async () => (await backendsWaiting()).length === 1);
  return { response, letGo: () => locks.release() };
}

// A success, errors, pages, a probe and a refused method.
test.each([
  ['GET', '/api/v1/openapi.json'],
  ['GET', '/api/v1/me'],
  ['GET', '/nowhere'],
  ['POST', '/api/v1/me'],
  ['OPTIONS', '/api/v1/me'],
  ['GET', '/api/v1/docs/'],
  ['GET', '/import'],
  ['GET', '/'],
  ['GET', '/healthz'],
])('the response to %s %s over HTTPS is that over HTTP, and has HSTS', async (method, path) => {
  const hsts = async (url: string, options: object): Promise<[number, string | null]> => {
    const { status, headers } = await fetch(`${url}${path}`, { method, ...options });
    return [status, headers.get('strict-transport-security')];
  };
  const https = gateway.url.replace('127.0.0.1', 'localhost');
  const [status, none] = await hsts(system.url, {});
  expect(none).toBeNull();
  expect(await hsts(https, { tls: { ca: authority.cert } })).toEqual([status, 'max-age=31536000']);
});

test.each<[SecureVersion, boolean]>([
  ['TLSv1', false],
  ['TLSv1.1', false],
  ['TLSv1.2', true],
  ['TLSv1.3', true],
])('of %s it is %p that it is spoken', async (version, isSpoken) => {
  const outcome = await open({ minVersion: version, maxVersion: version }).then(
    (socket) => {
      const protocol = socket.getProtocol();
      // Without a request on it, it would hold up the end of the gateway for some seconds.
      socket.destroy();
      return protocol;
    },
    ({ message }) => message,
  );
  expect(outcome).toMatch(isSpoken ? version : /alert.*protocol.version/i);
});

test('its health check uses the address on which it listens', async () => {
  const check = (own: Record<string, string>) =>
    runHealthcheck('gateway', { PORT: new URL(gateway.url).port, ...own });
  expect(await check(env)).toBe(0);
  expect(await check({})).not.toBe(0);
});

test('on its port there is neither plain HTTP nor HTTP/2', async () => {
  const response = fetch(gateway.url.replace('https:', 'http:'));
  await expect(response).rejects.toHaveProperty('code', expect.any(String));
  const socket = await open({ ALPNProtocols: ['h2', 'http/1.1'] });
  expect(socket.alpnProtocol).not.toBe('h2');
  socket.destroy();
});

test('new connections see a new certificate, and requests in flight on former ones get their responses', async () => {
  expect(await nameShown()).toBe('gateway 1');
  const { response, letGo } = await writeUnderWay();
  files.write(await authority.issue('gateway 2'), authority.cert);
  await until('the new one is shown', isShown('gateway 2'));
  for (let i = 0; i < 20; i++) expect(await nameShown()).toBe('gateway 2');
  await letGo();
  expect(await response).toBe('HTTP/1.1 201 Created');
});

test('a key of another certificate is not used, and the log says so', async () => {
  const before = await nameShown();
  const [{ cert }, { key }] = [await authority.issue('gateway 3'), await authority.issue('other')];
  files.write({ cert, key }, authority.cert);
  await until('the log reports it', () =>
    readFileSync(logFile, 'utf8').includes('The former ones stay in use'),
  );
  expect(await nameShown()).toBe(before);
  expect(readFileSync(logFile, 'utf8')).not.toContain(key.split('\n')[1] as string);
});

test('two gateways do not share a port without noticing', async () => {
  const { port } = new URL(gateway.url);
  files.write(await authority.issue('gateway 4'), authority.cert);
  const second = startGateway({ ...options, port: Number(port) });
  await expect(second).rejects.toThrow('another process listens there');
});

test('a certificate that has expired is served, with a warning in the log and in the metric', async () => {
  const daysLeft = async () =>
    (await scrape(gateway.metricsAddress)).value('ledger_certificate_days_left', {
      variable: 'TLS_CERT_FILE',
    });
  expect(Math.round(await daysLeft())).toBe(365);
  const before = (days: number) => new Date(Date.now() - days * 86_400_000);
  const dates = { notBeforeDate: before(9), notAfterDate: before(2) };
  files.write(await authority.issue('gateway of old', ['localhost'], dates), authority.cert);
  const warning = `TLS_CERT_FILE=${files.cert}: the certificate of CN=gateway of old has expired`;
  await until('the log reports it', () => readFileSync(logFile, 'utf8').includes(warning));
  expect(Math.round(await daysLeft())).toBe(-2);
  files.write(await authority.issue('gateway of today'), authority.cert);
  await until('a valid one is shown', isShown('gateway of today'));
});

test('it ends once the requests in flight with the former certificate have their responses, and listens no more meanwhile', async () => {
  const { response, letGo } = await writeUnderWay();
  files.write(await authority.issue('gateway 5'), authority.cert);
  await until('the new one is shown', isShown('gateway 5'));
  const stopped = gateway.stop();
  const listens = async () => (await nameShown().catch(() => '')) !== '';
  await until('it listens no more', async () => !(await listens()));
  // Not even with another certificate.
  const replacements = () => readFileSync(logFile, 'utf8').split('the certificates were replaced').length;
  const before = replacements();
  files.write(await authority.issue('gateway 6'), authority.cert);
  await until('it has the new one', () => replacements() > before);
  expect(await listens()).toBe(false);
  await letGo();
  expect(await response).toBe('HTTP/1.1 201 Created');
  await stopped;
});
