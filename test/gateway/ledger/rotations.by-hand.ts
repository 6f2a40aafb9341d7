/**
 * By hand, before an upgrade of Bun or grpc-js (docs/decisions.md): requests of 3 s in connections that the worker ends after 5 s. A
 * connection that drains must survive the pings of the gateway. It takes 8 minutes and ends at the first failure:
 * `bun test --timeout 900000 ./test/gateway/ledger/rotations.by-hand.ts`
 */
import { expect, test } from 'bun:test';
import { startProxy } from '../../faults/proxy.ts';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { scrape } from '../../fixtures/metrics.ts';
import { startOwnGateway } from '../../fixtures/own-services.ts';
import { openSql, system } from '../../fixtures/system.ts';

const ROTATIONS = 100;
const WRITERS = 3;

let connections = 0;
const proxy = await startProxy(() => {
  connections++;
  const { hostname, port } = new URL(`http://${system.workerAddress}`);
  return { host: hostname, port: Number(port) };
});
const gateway = await startOwnGateway({ workerAddress: `127.0.0.1:${proxy.port}` });

/** The attempts that failed, by their status. */
async function failures() {
  const { samples } = await scrape(gateway.metricsAddress);
  return samples.filter(
    ({ name, labels, value }) =>
      name === 'grpc_client_handling_seconds_count' && labels.grpc_code !== 'OK' && value > 0,
  );
}

/** Writes one entry after the other, each of which waits 3 s for the lock of its account. @returns their number */
async function write(offsetSeconds: number): Promise<number> {
  const account = await TestAccount.create('pro', gateway.url);
  const sql = openSql(1);
  await sql`select pg_sleep(${offsetSeconds})`;
  let written = 0;
  for (; connections <= ROTATIONS && (await failures()).length === 0; written++) {
    await sql.unsafe(
      `begin; select from ledger.account where account_id = '${account.accountId}' for update`,
    );
    const response = account.post(entry());
    await sql.unsafe('select pg_sleep(3); rollback');
    expect((await response).status).toBe(201);
  }
  await sql.end();
  return written;
}

test('no request of 3 s fails while its connection drains', async () => {
  const written = await Promise.all(Array.from({ length: WRITERS }, (_, n) => write(n)));
  expect(await failures()).toEqual([]);
  console.log(
    `${written.reduce((sum, each) => sum + each)} requests of 3 s, ${connections} connections, 0 failures`,
  );
  await proxy.close();
});
