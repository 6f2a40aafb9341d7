/** Connections to the database that go wrong one by one: the worker lives, and the next statement finds another connection. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { startGateway } from '../../../local/servers/gateway.ts';
import { startWorker, type Worker } from '../../../local/servers/worker.ts';
import { createAdminClient } from '../../../proto/admin-client.ts';
import { runHealthcheck } from '../../fixtures/checkout.ts';
import { send, TestAccount } from '../../fixtures/client.ts';
import { openOne } from '../../fixtures/database.ts';
import { callerOf, openLedger, type TestLedger } from '../../fixtures/ledger.ts';
import { system } from '../../fixtures/system.ts';
import { startTcpServer, type TcpServer } from '../../fixtures/tcp-server.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

let proxy: TcpServer;
/** Between the worker and the database: decides on each chunk that the worker sends. */
let treat: (socket: Socket, data: Buffer, isNew: boolean) => 'pass' | 'swallow' | 'reset';
let worker: Worker;
let ledger: TestLedger;
beforeAll(async () => {
  treat = () => 'pass';
  const { host } = Object.fromEntries(new URL(system.databaseUrl).searchParams);
  proxy = await startTcpServer((socket) => {
    const onward = connect(`${host}/.s.PGSQL.5432`);
    // The first thing that a connection sends is its startup message.
    let messages = 0;
    socket.on('data', (data: Buffer) => {
      const fate = treat(socket, data, messages++ === 0);
      if (fate === 'pass') onward.write(data);
      if (fate === 'reset') socket.resetAndDestroy();
    });
    onward.pipe(socket);
    for (const end of [socket, onward]) {
      end.on('error', () => {});
      end.on('close', () => [socket, onward].map((each) => each.destroy()));
    }
  });
  worker = await startWorker({
    databaseUrl: `postgres://ledger@${proxy.address}/ledger`,
    env: { DATABASE_POOL_MAX: '1', STATEMENT_TIMEOUT_MS: '500' },
  });
  ledger = openLedger(worker.address);
});
afterAll(async () => {
  ledger.close();
  await worker.stop();
  proxy.close();
});

async function sourcesOf(account: TestAccount, ms: number) {
  const caller = callerOf(account);
  const { sources } = await ledger.listSources({ caller }, { deadline: Date.now() + ms });
  return sources?.sources.length;
}

test('a connection that is lost as soon as it is there ends a call at most, not the worker', async () => {
  const account = await TestAccount.create();
  let died = false;
  void worker.died.then(() => {
    died = true;
  });
  let resets = 0;
  treat = (_socket, _data, isNew) => {
    if (isNew || resets >= 4) return 'pass';
    resets++;
    return 'reset';
  };
  await sourcesOf(account, 2_000).catch(() => {});
  treat = () => 'pass';
  // If the connection of the checks was lost as well, calls are refused until the next check.
  const isServed = () => sourcesOf(account, 10_000).catch(() => 0);
  await until('a call succeeds', async () => (await isServed()) === 3);
  expect([resets > 0, died]).toEqual([true, false]);
});

test('connections stay open while there are no statements; one that then stops responding is given up, and the statement is sent on another', async () => {
  const account = await TestAccount.create();
  const statements = new Set<Socket>();
  treat = (socket, data) => {
    if (data.includes(account.accountId)) statements.add(socket);
    return 'pass';
  };
  expect(await sourcesOf(account, 20_000)).toBe(3);
  // Longer than a statement may go without a response.
  await Bun.sleep(1_500);
  expect(await sourcesOf(account, 20_000)).toBe(3);
  expect(statements.size).toBe(1);
  const hung = new Set<Socket>();
  treat = (socket, data) => {
    if (hung.size === 0 && data.includes(account.accountId)) hung.add(socket);
    return hung.has(socket) ? 'swallow' : 'pass';
  };
  expect(await sourcesOf(account, 20_000)).toBe(3);
  expect(hung.size).toBe(1);
});

test('while the database is hung the worker does not serve at either address, and neither gateway nor container is ready', async () => {
  const options = { deadline: Date.now() + 60_000 };
  const admin = createAdminClient(worker.adminAddress);
  const health = async () =>
    Promise.all([
      ...['', 'ledger.v1.Ledger'].map((service) => ledger.checkHealth(service, options)),
      ...['', 'ledger.v1.Admin'].map((service) => admin.checkHealth(service, options)),
    ]);
  const gateway = await startGateway({ workerAddress: worker.address });
  const readiness = async () => {
    const { status, body } = await send('/readyz', { url: gateway.url });
    return [status, body.worker];
  };
  const own = { DATABASE_URL: system.databaseUrl, LISTEN_ADDRESS: worker.address };
  const healthcheck = () => runHealthcheck('ledger-worker', own);
  const all = async (expected: string) => (await health()).every((each) => each === expected);
  await until('the worker serves', () => all('SERVING'));
  expect([await readiness(), await healthcheck()]).toEqual([[200, 'ok'], 0]);
  treat = () => 'swallow';
  await until('the worker reports it', () => all('NOT_SERVING'));
  expect([await readiness(), await healthcheck()]).toEqual([[503, 'unavailable'], 1]);
  treat = () => 'pass';
  await until('the worker serves again', () => all('SERVING'));
  expect(await readiness()).toEqual([200, 'ok']);
  admin.close();
  await gateway.stop();
});

test('parameters arrive unchanged when a statement has to be prepared again', async () => {
  const sql = openOne(system.databaseUrl.split(',')[0] as string);
  const bytes = Buffer.from([0, 1, 254, 255]);
  const read = async () => (await sql`select encode(${bytes}::bytea, 'hex') as hex`)[0]?.hex;
  expect(await read()).toBe('0001feff');
  await sql.unsafe('deallocate all');
  expect(await read()).toBe('0001feff');
  await sql.end();
});
