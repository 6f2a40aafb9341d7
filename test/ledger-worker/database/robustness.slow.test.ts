/** The worker's own retries, limits and timeouts. Each request goes straight to it, so no gateway retries. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { connect } from 'node:net';
import { status } from '@grpc/grpc-js';
import { startWorker } from '../../../local/servers/worker.ts';
import { hashApiKey } from '../../../proto/api-key.ts';
import { PASS, startProxy } from '../../faults/proxy.ts';
import { expectCountsToEqualRows, rowsOf } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { callerOf, entriesJson, newEntry, openLedger, propertyOf, resultOf } from '../../fixtures/ledger.ts';
import { backendsWaiting } from '../../fixtures/locks.ts';
import { scrape } from '../../fixtures/metrics.ts';
import { startOwnWorker } from '../../fixtures/own-services.ts';
import { sendRequests } from '../../fixtures/send-requests.ts';
import { sql, system } from '../../fixtures/system.ts';
import { startTcpServer } from '../../fixtures/tcp-server.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const { ledger, locks } = await startOwnWorker();

const write = (account: TestAccount) =>
  ledger.createEntries({ ...propertyOf(account), entries: [newEntry()] });

const aWriteWaits = () =>
  until('a write waits for its lock', async () => (await backendsWaiting()).length === 1);

test('a write whose connection is cut by the database is made again on another, once', async () => {
  const account = await TestAccount.create();
  await locks.account(account.accountId);
  const written = write(account);
  for (let cut = 0; cut < 2; cut++) {
    await aWriteWaits();
    const [{ pid } = { pid: 0 }] = await backendsWaiting();
    await sql`select pg_terminate_backend(${pid})`;
    const isGone = async () => (await backendsWaiting()).every((other) => other.pid !== pid);
    await until('that backend has ended', isGone);
  }
  await locks.release();
  expect((await written).created?.newEntries).toBe(1);
  expect(await rowsOf(account.accountId)).toHaveLength(1);
  await expectCountsToEqualRows(account);
});

test('a write whose connection is lost between its commit and the result is reported as created, and stored once', async () => {
  const { host = '' } = Object.fromEntries(new URL(system.databaseUrl).searchParams);
  const link = await startProxy(() => ({ path: `${host}/.s.PGSQL.5432` }));
  const databaseUrl = `postgres://ledger@127.0.0.1:${link.port}/ledger`;
  // One connection: a statement that is new to a connection needs a response before it can be executed.
  const worker = await startWorker({ databaseUrl, env: { DATABASE_POOL_MAX: '1' } });
  const { execute, close } = openLedger(worker.address);
  try {
    const account = await TestAccount.create();
    const entries = [newEntry(), newEntry({ externalRef: 'a' })];
    const createEntries = { ...propertyOf(account), entriesJson: entriesJson(entries) };
    const written = sendRequests({ execute }, [{ createEntries, timeoutMs: 20_000 }]);
    await written;

    await link.set({ kind: 'holdReplies' });
    const more = [newEntry(), newEntry({ externalRef: 'a' }), newEntry({ externalRef: 'b' })];
    const request = { ...propertyOf(account), entriesJson: entriesJson(more) };
    const pending = sendRequests({ execute }, [{ createEntries: request, timeoutMs: 20_000 }]);
    await until('it is committed', async () => (await rowsOf(account.accountId)).length === 4);
    await link.set({ kind: 'reset' });
    await link.set(PASS);
    const [response] = await pending;
    const result = response?.createEntries && resultOf(response.createEntries, more);
    expect(result).toMatchObject({ created: 2, deduplicated: 1 });
    expect(await rowsOf(account.accountId)).toHaveLength(4);
    await expectCountsToEqualRows(account);
  } finally {
    close();
    await worker.stop();
    await link.close();
  }
});

test('a write that the database chose to end a deadlock is made again', async () => {
  const account = await TestAccount.create();
  const deadlocks = async () => {
    await sql`select pg_stat_clear_snapshot()`;
    const [row] = await sql`select deadlocks from pg_stat_database where datname = current_database()`;
    return row?.deadlocks as number;
  };
  const before = await deadlocks();
  await locks.sourcesOf(account.accountId);
  const written = write(account);
  await aWriteWaits();
  // The write holds the account and waits for the source.
  await locks.account(account.accountId);
  await locks.release();
  expect((await written).created?.newEntries).toBe(1);
  expect(await rowsOf(account.accountId)).toHaveLength(1);
  await until('the database has counted it', async () => (await deadlocks()) > before);
});

test('a request that is cancelled while it waits for a connection does not shift the responses of those behind it', async () => {
  const narrow = await startWorker({ databaseUrl: system.databaseUrl, env: { DATABASE_POOL_MAX: '1' } });
  const client = openLedger(narrow.address);
  const accounts = await Promise.all(Array.from({ length: 4 }, () => TestAccount.create()));
  const [first, given, ...behind] = accounts as [TestAccount, TestAccount, ...TestAccount[]];
  const list = async (account: TestAccount, signal = new AbortController().signal) => {
    const { sources } = await client.listSources({ caller: callerOf(account) }, { signal });
    return sources?.sources.map(({ id }) => id).sort();
  };
  // Known to the connection, statements could be sent one behind the other.
  await list(first);

  await locks.table('ledger.source');
  const waiting = list(first);
  await until('it waits', async () => (await backendsWaiting('ledger.list_sources')).length === 1);
  const giveUp = new AbortController();
  const givenUp = list(given, giveUp.signal).catch(({ code }) => code);
  const responses = behind.map((account) => list(account));
  await until('all are in flight', async () => {
    const metrics = await scrape(narrow.metricsAddress);
    return metrics.value('ledger_in_flight', { kind: 'ledger_requests' }) === accounts.length;
  });
  giveUp.abort();
  expect(await givenUp).toBe(status.CANCELLED);
  await locks.release();

  const own = ({ sources }: TestAccount) => Object.values(sources).sort();
  expect<unknown>(await Promise.all([waiting, ...responses])).toEqual(
    [first, ...behind].map((account) => own(account)),
  );
  expect(await list(given)).toEqual(own(given));
  client.close();
  await narrow.stop();
});

test.each([1, 2])(
  'writes of %i accounts that get a lock after their timeout create nothing, even if their statement is not cancelled',
  async (count) => {
    const accounts = await Promise.all(Array.from({ length: count }, () => TestAccount.create()));
    const isAlone = count === 1;
    const [{ accountId: first } = { accountId: '' }] = accounts;
    await (isAlone ? locks.account(first) : locks.table('ledger.source'));
    const writes = accounts.map(({ key, accountId, sources }, n) => {
      const hash = hashApiKey(key).toString('hex');
      return `row('${accountId}', '\\x${hash}', '${sources['uk-property']}', '${accountId}', 200, null, null, ${n + 1}, ${n + 1})::ledger.write_request`;
    });
    const entries = accounts.map(
      () => `row('${Bun.randomUUIDv7()}', '2026-04-06', 'income', 1, null, null, null)::ledger.sent_entry`,
    );
    const late = sql
      .unsafe(`
        select outcome
          from ledger.write_group('${first}', array[${writes}], array[${entries}], 5000, '24 hours', '24 hours', ${isAlone})`)
      .execute();
    await aWriteWaits();
    // Longer than its timeout of 200 ms.
    await Bun.sleep(300);
    await locks.release();
    expect((await late).map(({ outcome }) => outcome)).toEqual(Array(count).fill('expired'));
    for (const { accountId } of accounts) expect(await rowsOf(accountId)).toEqual([]);
  },
);

test('a request whose statement cannot be cancelled, because the database accepts no new connections, harms no other', async () => {
  const { host } = Object.fromEntries(new URL(system.databaseUrl).searchParams);
  let open = 0;
  let refuses = false;
  const proxy = await startTcpServer((socket) => {
    if (refuses) return void socket.resetAndDestroy();
    open++;
    socket.once('close', () => open--);
    const onward = connect(`${host}/.s.PGSQL.5432`);
    socket.pipe(onward).pipe(socket);
    for (const end of [socket, onward]) end.on('error', () => socket.destroy());
  });
  const databaseUrl = `postgres://ledger@${proxy.address}/ledger`;
  const own = await startWorker({ databaseUrl, env: { DATABASE_POOL_MAX: '1' } });
  let died = false;
  void own.died.then(() => {
    died = true;
  });
  const client = openLedger(own.address);
  const account = await TestAccount.create();
  const { accountId } = account;
  const create = (ms: number) =>
    client.createEntries({ ...propertyOf(account), entries: [newEntry()] }, { deadline: Date.now() + ms });
  expect((await create(10_000)).created?.newEntries).toBe(1);

  await until('the worker has one connection for its calls and one for its health', () => open === 2);
  refuses = true;
  await locks.account(accountId);
  expect((await create(500).catch((error) => error)).code).toBe(status.CANCELLED);
  await locks.release();
  expect((await create(10_000)).created?.newEntries).toBe(1);
  expect(await rowsOf(accountId)).toHaveLength(2);
  // The worker would die of it a little later: that it does not can only be seen by waiting.
  await Bun.sleep(1_000);
  expect(died).toBe(false);
  client.close();
  await own.stop();
  proxy.close();
});
