/** Changes by the Admin service need only the node of their account: the other servers may be unavailable. */
import { expect, setDefaultTimeout } from 'bun:test';
import type { CitusCluster } from '../fixtures/citus-cluster.ts';
import { sharedDistributedDatabase } from '../fixtures/distributed-database.ts';
import { until } from '../fixtures/until.ts';
import { works } from './operated-cluster.ts';
import {
  createAccounts,
  type NodeAccount,
  readShardMap,
  type Services,
  send,
  startServices,
} from './services.ts';
import { afterAll, beforeAll, test } from './with-citus.ts';

setDefaultTimeout(120_000);

let cluster: CitusCluster;
let services: Services;
let admin: Services['admin'];
beforeAll(async () => {
  cluster = await sharedDistributedDatabase();
  services = await startServices(cluster.nodesUrl());
  ({ admin } = services);
});
afterAll(() => services?.stop());

async function createAccount(): Promise<NodeAccount> {
  const [account] = await createAccounts(services, cluster.coordinator, [1]);
  return account as NodeAccount;
}

// More than the five calls after which Postgres may keep a plan.
const CALLS = 7;

/** @returns the actions that were logged, oldest first */
async function changeAll(account: NodeAccount): Promise<string[]> {
  const { accountId } = account;
  expect(await send(services, account, 'post')).toBe(201);
  for (let n = 0; n < CALLS; n++) await admin.setPlan({ accountId, plan: 'pro' });
  const details = { type: 'uk-property', name: 'Two', role: 'owner', sharePercent: 100 };
  await admin.createSource({ accountId, ...details });
  const [waiting] = (await admin.listUncategorised({ accountId, limit: 1 })).entries;
  await admin.categorise({ accountId, ...waiting, category: 'otherIncome' });
  const { keys: [{ keyId = '' } = {}] = [] } = await admin.listKeys({ accountId });
  await admin.revokeKey({ keyId });
  expect(await send(services, account)).toBe(401);
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
  ['a node', () => cluster.nodes[1], false],
  ['the coordinator', () => cluster.coordinator, true],
])(
  'without %s changes of an account on another node work, and are logged',
  async (_, serverOf, hasAllShards) => {
    const server = serverOf();
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
  const map = await readShardMap(cluster.coordinator);
  const [, second] = cluster.nodes;
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
