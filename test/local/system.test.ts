/** The whole system on one machine, as `bun run start` and the tests run it. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { startSystem } from '../../local/system.ts';
import { createAdminClient } from '../../proto/admin-client.ts';
import { temporaryDirectory } from '../fixtures/checkout.ts';
import { entry, send } from '../fixtures/client.ts';
import { execute, openOne } from '../fixtures/database.ts';
import { bearer } from '../fixtures/endpoints.ts';
import { newAccount } from '../fixtures/new-account.ts';
import { until } from '../fixtures/until.ts';

setDefaultTimeout(60_000);

test('a stop ends the gateway first and the database last: a write in flight is finished and gets its response', async () => {
  const system = await startSystem({ dataDir: temporaryDirectory(), redisUrl: false });
  const database = openOne(system.databaseUrl);
  try {
    const admin = createAdminClient(system.adminAddress);
    const { accountId, source, keys } = await newAccount(admin);
    admin.close();
    await database.unsafe('begin');
    await database`select from ledger.account where account_id = ${accountId} for update`;
    const request = { method: 'POST', headers: bearer(`${keys[0]}`), body: JSON.stringify(entry()) };
    const write = send(`/api/v1/sources/${source}/transactions`, { url: system.url, ...request });
    const waiting =
      "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%ledger.write_%'";
    await until('the write waits', async () => (await execute(system.databaseUrl, waiting)).length === 1);
    const stopped = system.stop();
    const listens = () =>
      fetch(`${system.url}/healthz`).then(
        () => true,
        () => false,
      );
    await until('the gateway listens no more', async () => !(await listens()));
    await database.unsafe('commit');
    expect((await write).status).toBe(201);
    await stopped;
  } finally {
    await database.end();
    await system.stop();
  }
});
