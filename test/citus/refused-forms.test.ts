/** The forms that `test/ledger-worker/citus/refused-forms.test.ts` finds in texts, on real Citus. */
import { expect, setDefaultTimeout } from 'bun:test';
import type { CitusCluster } from '../fixtures/citus-cluster.ts';
import { execute } from '../fixtures/database.ts';
import { sharedDistributedDatabase } from '../fixtures/distributed-database.ts';
import { functionOf, KEPT, PLANNED, REFUSED } from '../ledger-worker/citus/forms.ts';
import { beforeAll, test } from './with-citus.ts';

setDefaultTimeout(120_000);

// More than the five calls after which Postgres may keep a plan.
const CALLS = 7;
const KEEP_PLANS = 'set plan_cache_mode = force_generic_plan';
const PLAN_FOR_VALUES = 'set plan_cache_mode = force_custom_plan';

const accountId = crypto.randomUUID();
let cluster: CitusCluster;
beforeAll(async () => {
  cluster = await sharedDistributedDatabase();
  await execute(
    cluster.coordinator.url,
    `insert into ledger.account (account_id, plan) values ('${accountId}', 'pro')`,
  );
});

/** Calls a function with this statement on each node, in transactions that are rolled back. @returns the messages of the failures */
async function failures(statement: string, settings: string): Promise<string[]> {
  const { coordinator, nodes } = cluster;
  await execute(coordinator.url, functionOf('form', statement, settings));
  await execute(
    coordinator.url,
    `select create_distributed_function('ledger.form(uuid)', 'p_account_id', colocate_with => 'ledger.account')`,
  );
  const call = `begin; select ledger.form('${accountId}'); rollback;`;
  const failed: string[] = [];
  for (const { url } of nodes)
    await execute(url, call.repeat(CALLS)).catch(({ message }) => failed.push(message));
  await execute(coordinator.url, 'drop function ledger.form(uuid)');
  return failed;
}

test.each(Object.entries(REFUSED))('Citus refuses %s', async (_, statement) => {
  expect(await failures(statement, PLAN_FOR_VALUES)).toHaveLength(2);
});

test.each(Object.entries(KEPT))('in a kept plan Citus refuses %s', async (_, statement) => {
  expect(await failures(statement, KEEP_PLANS)).toHaveLength(2);
  expect(await failures(statement, PLAN_FOR_VALUES)).toEqual([]);
});

test.each(Object.entries(PLANNED))('in a kept plan Citus plans %s', async (_, statement) => {
  expect(await failures(statement, KEEP_PLANS)).toEqual([]);
});
