/** What a worker does without its database, and when it ends: over real gRPC, with a database whose state the test decides. */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Client, credentials, Metadata, ServerCredentials, type ServiceError, status } from '@grpc/grpc-js';
import { service as healthService } from 'grpc-health-check';
import { serve, type WorkerServices } from '../../../ledger-worker/grpc/server.ts';
import { createLog } from '../../../platform/log.ts';
import { serverCredentials } from '../../../platform/mutual-tls.ts';
import { createAdminClient } from '../../../proto/client.ts';
import { CONTRACT } from '../../../proto/domain.ts';
import { newAuthority } from '../../fixtures/certificates.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

/** Handlers that nobody calls. */
const unused = () => new Proxy({}, { get: () => async () => ({}) }) as never;

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** The statuses that a watcher of the worker's health has got so far. */
function watchHealth(address: string): string[] {
  // A connection of its own.
  const options = { 'grpc.use_local_subchannel_pool': 1 };
  const client = new Client(address, credentials.createInsecure(), options);
  const { path, requestSerialize, responseDeserialize } = healthService.Watch as never;
  const stream = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, { service: '' });
  const statuses: string[] = [];
  stream.on('data', ({ status }: { status: string }) => statuses.push(status));
  stream.on('error', () => {});
  cleanUps.push(() => {
    stream.cancel();
    client.close();
  });
  return statuses;
}

/** A worker over a database whose check has the outcome of `check`, and what it has found of the database so far. */
async function startServer(check: () => Promise<boolean>, security = ServerCredentials.createInsecure()) {
  const checked: boolean[] = [];
  const observer = {
    databaseChecked: (isUp: boolean) => void checked.push(isUp),
    rpcFinished: () => {},
    registerInFlight: () => {},
  };
  const database = { check, reasons: () => 'none', times: () => [] };
  const services: WorkerServices = { ledger: unused(), admin: unused(), database };
  const [listenAddress, adminAddress] = ['127.0.0.1:0', '127.0.0.1:0'];
  const options = { listenAddress, adminAddress, security, keyPrefix: 'ours', requestsInFlightMax: 1 };
  const server = await serve(services, options, observer, undefined, createLog('a test'));
  return { server, checked };
}

test('a worker that drains stays NOT_SERVING when a check of the database that was pending succeeds', async () => {
  const check = Promise.withResolvers<boolean>();
  let checks = 0;
  const { server, checked } = await startServer(() => {
    checks++;
    return check.promise;
  });
  const statuses = watchHealth(server.address);
  await until('it serves', () => statuses.length === 1);
  await until('a check is pending', () => checks === 1);
  const drained = server.drain(30_000);
  cleanUps.push(() => drained);
  await until('it drains', () => statuses.length === 2);
  check.resolve(true);
  // That nothing happens can only be seen by waiting.
  await Bun.sleep(300);
  expect(statuses).toEqual(['SERVING', 'NOT_SERVING']);
  expect([checks, checked]).toEqual([1, [true]]);
});

test('a call that does not end keeps a worker alive for SHUTDOWN_GRACE_MS at most', async () => {
  const { server } = await startServer(async () => true);
  // Unlike the other one, this server does not end old connections.
  const statuses = watchHealth(server.adminAddress);
  await until('the call has begun', () => statuses.length === 1);
  await server.drain(100);
  expect(statuses).toEqual(['SERVING', 'NOT_SERVING']);
});

/** Connections that send nothing. */
async function openSilent(address: string, count: number): Promise<Socket[]> {
  const port = Number(address.slice(address.lastIndexOf(':') + 1));
  const sockets: Socket[] = [];
  for (let n = 0; n < count; n++) {
    const socket = connect(port, '127.0.0.1')
      .on('error', () => {})
      .resume();
    await once(socket, 'connect');
    sockets.push(socket);
  }
  cleanUps.push(() => sockets.forEach((socket) => void socket.destroy()));
  return sockets;
}

test('nor does a connection over TLS that sends nothing: it does not have to be silent for too long', async () => {
  const authority = await newAuthority('ours');
  const { cert, key } = await authority.issue('worker');
  const [ca, ...pair] = [authority.cert, cert, key].map((pem) => Buffer.from(pem)) as [
    Buffer,
    Buffer,
    Buffer,
  ];
  const latest = () => ({ cert: pair[0], key: pair[1], ca });
  const security = serverCredentials({ latest, onReplaced: () => {} });
  const { server: other } = await startServer(async () => true, security);
  const { server } = await startServer(async () => true, security);
  // The first to be closed for its silence, well before the other.
  const [first] = await openSilent(other.address, 1);
  await Bun.sleep(1_000);
  await openSilent(server.address, 1);
  const silence = once(first as Socket, 'close').then(() => 'a silence');
  const drained = server.drain(100).then(() => 'the worker');
  expect(`the end of ${await Promise.race([drained, silence])}`).toBe('the end of the worker');
});

const closed = (sockets: Socket[]) => sockets.filter((socket) => socket.closed).length;

test('of more than 200 connections the oldest without a call are closed: others are served, and calls go on', async () => {
  const { server } = await startServer(async () => true);
  for (const address of [server.address, server.adminAddress]) {
    const before = watchHealth(address);
    await until('a call has begun', () => before.length === 1);
    const silent = await openSilent(address, 250);
    const later = watchHealth(address);
    await until('a later call has begun', () => later.length === 1);
    // The age of connections may end some others later.
    await until('the oldest are closed', () => closed(silent.slice(0, 52)) === 52);
    expect(closed(silent.slice(-100))).toBe(0);
    expect([...new Set([...before, ...later])]).toEqual(['SERVING']);
  }
});

test('a connection without a call is closed after a time, and one with a call is not', async () => {
  const { server } = await startServer(async () => true);
  const statuses = watchHealth(server.adminAddress);
  await until('a call has begun', () => statuses.length === 1);
  const silent = await openSilent(server.adminAddress, 10);
  await until('the silent ones are closed', () => closed(silent) === 10);
  await server.drain(100);
  // The call has come to the end of the server.
  expect([...new Set(statuses)]).toEqual(['SERVING', 'NOT_SERVING']);
});

test.each([
  [{ contract: CONTRACT.number + 1 }, 'upgrade the worker'],
  [{ contract: CONTRACT.oldest - 1 }, 'upgrade the gateway'],
  [{ contract: CONTRACT.number, 'key-prefix': 'theirs' }, 'KEY_PREFIX is theirs here and ours at the worker'],
  [{ contract: CONTRACT.number, 'key-prefix': 'ours' }, undefined],
  [{}, undefined],
])('a health check with %j is refused with: %s', async (named, remedy) => {
  const { server } = await startServer(async () => true);
  const client = new Client(server.address, credentials.createInsecure());
  cleanUps.push(
    () => client.close(),
    () => server.drain(0),
  );
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(named)) metadata.set(name, String(value));
  const { path, requestSerialize, responseDeserialize } = healthService.Check as never;
  const { promise, resolve } = Promise.withResolvers<ServiceError | null>();
  client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { service: '' }, metadata, resolve);
  const error = await promise;
  expect([error?.code, error?.details]).toEqual(
    remedy ? [status.UNAVAILABLE, expect.stringContaining(remedy)] : [undefined, undefined],
  );
});

test('while the database is unavailable, the Admin service refuses requests at once', async () => {
  let isUp = false;
  const { server, checked } = await startServer(async () => isUp);
  const admin = createAdminClient(server.adminAddress);
  cleanUps.push(
    () => admin.close(),
    () => server.drain(0),
  );
  const createAccount = () =>
    admin.createAccount({ plan: 'pro' }).then(
      () => 'done',
      ({ details }) => details,
    );
  await until('the worker has noticed', () => checked.at(-1) === false);
  expect(await createAccount()).toBe('the database is unavailable');
  isUp = true;
  await until('the database is back', () => checked.at(-1) === true);
  expect(await createAccount()).toBe('done');
});
