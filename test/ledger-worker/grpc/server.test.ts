/** What a worker does without its database, and when it ends: over real gRPC, with a database whose state the test decides. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { service as healthService } from 'grpc-health-check';
import { serverCredentials } from '../../../platform/mutual-tls.ts';
import { createAdminClient } from '../../../proto/admin-client.ts';
import { CONTRACT } from '../../../proto/domain.ts';
import { atOnce } from '../../fixtures/at-once.ts';
import { newAuthority } from '../../fixtures/certificates.ts';
import { until } from '../../fixtures/until.ts';
import { cleanUps, closed, openSilent, startServer, watchHealth } from './own-server.ts';

setDefaultTimeout(60_000);

test.concurrent(
  'a worker that drains stays NOT_SERVING when a check of the database that was pending succeeds',
  atOnce(async () => {
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
  }),
);

test.concurrent(
  'a call that does not end keeps a worker alive for SHUTDOWN_GRACE_MS at most',
  atOnce(async () => {
    const { server } = await startServer(async () => true);
    // Unlike the other one, this server does not end old connections.
    const statuses = watchHealth(server.adminAddress);
    await until('the call has begun', () => statuses.length > 0);
    await server.drain(100);
    expect([...new Set(statuses)]).toEqual(['SERVING', 'NOT_SERVING']);
  }),
);

test.concurrent(
  'nor does a connection over TLS that sends nothing: it does not have to be silent for too long',
  atOnce(async () => {
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
  }),
);

test.concurrent(
  'of more than 200 connections the oldest without a call are closed: others are served, and calls go on',
  atOnce(async () => {
    const { server } = await startServer(async () => true);
    for (const address of [server.address, server.adminAddress]) {
      const before = watchHealth(address);
      await until('a call has begun', () => before.length > 0);
      const silent = await openSilent(address, 250);
      const later = watchHealth(address);
      await until('a later call has begun', () => later.length > 0);
      // The age of connections may end some others later.
      await until('the oldest are closed', () => closed(silent.slice(0, 52)) === 52);
      expect(closed(silent.slice(-100))).toBe(0);
      expect([...new Set([...before, ...later])]).toEqual(['SERVING']);
    }
  }),
);

test.concurrent.each([
  [{ contract: CONTRACT.number + 1 }, 'upgrade the worker'],
  [{ contract: CONTRACT.oldest - 1 }, 'upgrade the gateway'],
  [{ contract: CONTRACT.number, 'key-prefix': 'theirs' }, 'KEY_PREFIX is theirs here and ours at the worker'],
  [{ contract: CONTRACT.number, 'key-prefix': 'ours' }, undefined],
  [{}, undefined],
])(
  'a health check with %j is refused with: %s',
  atOnce(async (named, remedy) => {
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
  }),
);

test.concurrent(
  'while the database is unavailable, the Admin service refuses requests at once',
  atOnce(async () => {
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
  }),
);
