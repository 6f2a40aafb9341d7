/** Mutual TLS: gateway, worker and command line take each other only with certificates of one authority. */
import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { credentials } from '@grpc/grpc-js';
import { startGateway } from '../../local/servers/gateway.ts';
import { startWorker } from '../../local/servers/worker.ts';
import { fixedCertificates } from '../../platform/certificates.ts';
import { type ClientSecurity, clientSecurity } from '../../platform/mutual-tls.ts';
import { createAdminClient } from '../../proto/admin-client.ts';
import { createLedgerClient } from '../../proto/client.ts';
import { run } from '../admin/command-line.ts';
import { type Authority, type Files, newAuthority, newFiles, type Pair } from '../fixtures/certificates.ts';
import { runHealthcheck } from '../fixtures/checkout.ts';
import { entry, send, TestAccount } from '../fixtures/client.ts';
import { bearer, failure } from '../fixtures/endpoints.ts';
import { backendsWaiting, locks } from '../fixtures/locks.ts';
import { logsDir, system } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';

setDefaultTimeout(60_000);
afterEach(() => locks.release());

const [ours, theirs] = [await newAuthority('ours'), await newAuthority('theirs')];
const [operator, stranger] = [await ours.issue('operator'), await theirs.issue('stranger')];
const workerFiles = newFiles(await ours.issue('worker 1'), ours.cert);
const gatewayFiles = newFiles(await ours.issue('gateway 1'), ours.cert);
const workerLog = join(logsDir, 'mutual-tls-worker.log');

const variables = ({ ca, cert, key }: Omit<Files, 'write' | 'remove'>) => ({
  MTLS_CA_FILE: ca,
  MTLS_CERT_FILE: cert,
  MTLS_KEY_FILE: key,
});
const portOf = (address: string) => Number(address.slice(address.lastIndexOf(':') + 1));
const newGateway = (files: Files, options: { readyStatus?: number } = {}) =>
  startGateway({
    workerAddress: `dns:///localhost:${portOf(worker.address)}`,
    redisUrl: system.redisUrl,
    // Time for a write that waits while certificates are replaced, and less where no worker is available.
    env: { REQUEST_TIMEOUT_MS: options.readyStatus === 503 ? '1500' : '10000', ...variables(files) },
    ...options,
  });

const { databaseUrl } = system;
const worker = await startWorker({ databaseUrl, env: variables(workerFiles), logFile: workerLog });
const gateway = await newGateway(gatewayFiles);
const account = await TestAccount.create();

afterAll(async () => {
  await gateway.stop();
  await worker.stop();
});

/** Who shows this, if anything, and trusts this authority. */
function shows(pair: Pair | undefined, ca: string): ClientSecurity {
  const [cert, key] = pair ? [Buffer.from(pair.cert), Buffer.from(pair.key)] : [null, null];
  const options = { 'grpc.ssl_target_name_override': 'localhost' };
  return { credentials: credentials.createSsl(Buffer.from(ca), key, cert), options };
}

/** The status that a caller with these credentials gets on an address: UNKNOWN when it is not admitted. */
async function health(address: string, security: ClientSecurity | undefined): Promise<string> {
  const client = createLedgerClient(address, {}, security);
  const status = await client.checkHealth('', { deadline: Date.now() + 20_000 });
  client.close();
  return status;
}

/** The common name of the certificate that a new connection to the worker sees. */
function nameShown(): Promise<string> {
  return new Promise((resolve, reject) => {
    const { cert, key } = operator;
    const to = { host: '127.0.0.1', port: portOf(worker.address), ALPNProtocols: ['h2'] };
    const trust = { ca: [ours.cert, theirs.cert], checkServerIdentity: () => undefined };
    const socket = connect({ ...to, ...trust, cert, key }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

describe('on both addresses of the worker', () => {
  const callers: [string, string, () => ClientSecurity | undefined][] = [
    ['with a certificate of the authority is served', 'SERVING', () => shows(operator, ours.cert)],
    ['without a certificate is refused', 'UNKNOWN', () => shows(undefined, ours.cert)],
    ['with one of another authority is refused', 'UNKNOWN', () => shows(stranger, ours.cert)],
    ['without TLS is refused', 'UNKNOWN', () => undefined],
    ['that trusts another authority refuses', 'UNKNOWN', () => shows(operator, theirs.cert)],
  ];
  test.each(callers)('a caller %s', async (_, expected, security) => {
    for (const address of [worker.address, worker.adminAddress]) {
      expect([address, await health(address, security())]).toEqual([address, expected]);
    }
  });
});

test('the action log names the certificate of the caller', async () => {
  const admin = createAdminClient(worker.adminAddress, 'somebody', shows(operator, ours.cert));
  const { accountId } = await admin.createAccount({ plan: 'pro' });
  const { actions } = await admin.listActions({ accountId, limit: 1 });
  admin.close();
  const proved = new X509Certificate(operator.cert).subject.replace('CN=', '');
  expect(proved.length).toBeGreaterThan(3);
  expect(actions[0]?.actor).toBe(`somebody from 127.0.0.1, by the certificate of ${proved}`);
});

test('a gateway of another authority finds no worker, and serves once its files are replaced', async () => {
  const files = newFiles(stranger, theirs.cert);
  const alone = await newGateway(files, { readyStatus: 503 });
  const options = { url: alone.url, headers: bearer(account.key) };
  const refused = await send('/api/v1/sources', options);
  expect(failure(refused)).toEqual([503, 'server_error']);
  expect((await send('/healthz', options)).status).toBe(200);

  files.write(await ours.issue('gateway 2'), ours.cert);
  await until('it is served', async () => (await send('/api/v1/sources', options)).status === 200);
  await alone.stop();
});

describe('without a restart', () => {
  test('the worker shows a new certificate to new connections, and fails nothing on those that are open', async () => {
    expect(await nameShown()).toBe('worker 1');
    await locks.account(account.accountId);
    const write = account.post(entry(), { url: gateway.url });
    await until('the write waits', async () => (await backendsWaiting()).length === 1);

    workerFiles.write(await ours.issue('worker 2'), ours.cert);
    await until('the new one is shown', async () => {
      expect((await account.request('/api/v1/me', { url: gateway.url })).status).toBe(200);
      return (await nameShown()) === 'worker 2';
    });
    await locks.release();
    expect((await write).status).toBe(201);
  });

  test('a certificate of a former authority is no longer accepted', async () => {
    workerFiles.write(await theirs.issue('worker 4'), theirs.cert);
    const healthOf = (pair: Pair, { cert }: Authority) => health(worker.address, shows(pair, cert));
    const accepts = (pair: Pair, authority: Authority) =>
      until('it accepts this pair', async () => (await healthOf(pair, authority)) === 'SERVING');
    await accepts(stranger, theirs);
    expect(await health(worker.address, shows(operator, theirs.cert))).toBe('UNKNOWN');
    expect(await health(worker.adminAddress, shows(operator, theirs.cert))).toBe('UNKNOWN');
    workerFiles.write(await ours.issue('worker 5'), ours.cert);
    await accepts(operator, ours);
  });
});

describe('by the names in its certificate', () => {
  async function replaceNames(name: string, names?: string[]) {
    workerFiles.write(await ours.issue(name, names), ours.cert);
    await until(`${name} is shown`, async () => (await nameShown()) === name);
  }
  afterAll(() => replaceNames('worker 6'));

  test('the worker is found by the name of the target, or its address', async () => {
    const certificates = fixedCertificates({ prefix: 'MTLS', ...gatewayFiles });
    const healthBy = (host: string) => {
      const target = `${host}:${portOf(worker.address)}`;
      return health(target, clientSecurity(target, certificates));
    };
    const hosts = ['dns:///localhost', 'ipv4:127.0.0.1'];
    for (const name of ['localhost', '127.0.0.1', 'elsewhere.test']) {
      await replaceNames(name, [name]);
      const expected = hosts.map((host) => (host.endsWith(name) ? 'SERVING' : 'UNKNOWN'));
      expect([name, await Promise.all(hosts.map(healthBy))]).toEqual([name, expected]);
    }
  });

  test('of the addresses of a target, each is accepted in the certificate', async () => {
    const certificates = fixedCertificates({ prefix: 'MTLS', ...gatewayFiles });
    const port = portOf(worker.address);
    // Nothing listens at the others.
    const targets = [`ipv4:127.0.0.2:${port},127.0.0.1:${port}`, `ipv4:127.0.0.1:${port},127.0.0.2:${port}`];
    for (const [address, expected] of [
      ['127.0.0.1', 'SERVING'],
      ['127.0.0.3', 'UNKNOWN'],
    ] as const) {
      await replaceNames(`with ${address}`, [address]);
      for (const target of targets)
        expect([target, await health(target, clientSecurity(target, certificates))]).toEqual([
          target,
          expected,
        ]);
    }
  });

  test('the health check of a container finds its worker, whose certificate has a name of its own', async () => {
    await replaceNames('of a container', ['ledger-worker']);
    const address = { DATABASE_URL: databaseUrl, LISTEN_ADDRESS: `0.0.0.0:${portOf(worker.address)}` };
    const check = (env: object) => runHealthcheck('ledger-worker', { ...address, ...env });
    expect(await check(variables(workerFiles))).toBe(0);
    expect(await check({})).toBe(1);
  });
});

test('the command line is served with the files; without them it reports in one sentence that it is not', async () => {
  const listAccounts = (env: object) =>
    run(['account', 'list'], `localhost:${portOf(worker.adminAddress)}`, env);
  expect((await listAccounts(variables(gatewayFiles))).exitCode).toBe(0);
  const { exitCode, out, err } = await listAccounts({});
  expect([exitCode, out]).toEqual([1, '']);
  expect(err).toMatch(/^error: no response from the admin service at [^\n]+\n$/);
});
