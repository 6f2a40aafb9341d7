/** Changes by the Admin service need only the node of their account: the other servers may be unavailable. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import type { CitusNode } from '../fixtures/citus-node.ts';
import { sharedDistributedDatabase } from '../fixtures/distributed-database.ts';
import { until } from '../fixtures/until.ts';
import { works } from './operated-cluster.ts';
import { createAccounts, type NodeAccount, readShardMap, send, startServices } from './services.ts';

setDefaultTimeout(120_000);

const cluster = await sharedDistributedDatabase();
const { coordinator } = cluster;
const [, second] = cluster.nodes as [CitusNode, CitusNode];
const map = await readShardMap(coordinator);
const services = await startServices(cluster.nodesUrl());
const { admin } = services;
afterAll(() => services.stop());

/** On the first node. */
async function createAccount(): Promise<NodeAccount> {
  const [account] = await createAccounts(services, coordinator, [1]);
  return account as NodeAccount;
}

// More than the five calls after which Postgres may keep a plan.
const CALLS = 7;

/** @returns the actions that were logged, oldest first */
async function changeAll(account: NodeAccount): Promise<string[]> {
  const { accountId, source } = account;
  expect((await send(services, account, 'post')).status).toBe(201);
  for (let n = 0; n < CALLS; n++) await admin.setPlan({ accountId, plan: 'pro' });
  await admin.createSource({
    accountId,
    type: 'uk-property',
    name: 'Two',
    role: 'owner',
    sharePercent: 100,
  });
  const [entry] = (await admin.listUncategorised({ accountId, limit: 1 })).entries;
  if (!entry) throw new Error('no entry');
  const { date, id } = entry;
  await admin.categorise({ accountId, sourceId: source, date, id, category: 'otherIncome' });
  const { keys: [{ keyId = '' } = {}] = [] } = await admin.listKeys({ accountId });
  await admin.revokeKey({ keyId });
  expect((await send(services, account)).status).toBe(401);
  await admin.deleteAccount({ accountId });
  await admin.restoreAccount({ accountId });
  await admin.deleteAccount({ accountId });
  // The last step needs every server.
  expect(await works(admin.eraseAccount({ accountId }))).toBe(false);
  const { actions } = await admin.listActions({ accountId, limit: 100 });
  return actions.map(({ action }) => action).reverse();
}

const LOGGED = [
  'account create',
  'source create',
  'key create',
  ...Array(CALLS).fill('account set-plan'),
  'source create',
  'entry categorise',
  'key revoke',
  'account delete',
  'account restore',
  'account delete',
  'account erase',
];

test.each([
  ['a node', second, false],
  ['the coordinator', coordinator, true],
])(
  'without %s changes of an account on another node work, and are logged',
  async (_, server, hasAllShards) => {
    const [account, other] = [await createAccount(), await createAccount()];
    await server.kill();
    try {
      expect(await changeAll(account)).toEqual(LOGGED);
      expect(await works(admin.createKey(other))).toBe(false);
      // They search all shards for the source.
      expect(await works(admin.renameSource({ id: other.source, name: 'One' }))).toBe(hasAllShards);
      expect(await works(admin.removeSource({ id: other.source }))).toBe(hasAllShards);
    } finally {
      await server.start();
    }
    await until('the account is erased', () => works(admin.eraseAccount(account)));
  },
);

test('without a node an account is created if its shard is on another one', async () => {
  await second.kill();
  try {
    const created = await Promise.allSettled(
      Array.from({ length: 20 }, () => admin.createAccount({ plan: 'pro' })),
    );
    const ids = created.flatMap((each) => (each.status === 'fulfilled' ? [each.value.accountId ?? ''] : []));
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter((id) => map.groupOf(id) !== 1)).toEqual([]);
  } finally {
    await second.start();
  }
});
