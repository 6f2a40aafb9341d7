/** Changes by the Admin service need only the node of their account: the other servers may be down. */
import { afterAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import type { CitusNode } from '../fixtures/citus-node.ts';
import { startDistributedBooks } from '../fixtures/distributed-books.ts';
import { until } from '../fixtures/until.ts';
import { createAccounts, type NodeAccount, readShardMap, send, startServices } from './services.ts';

setDefaultTimeout(120_000);

const cluster = await startDistributedBooks();
const { coordinator } = cluster;
const [, second] = cluster.nodes as [CitusNode, CitusNode];
const map = await readShardMap(coordinator);
const services = await startServices(cluster.nodesUrl());
const { admin } = services;
// More than the 5 s of the end of the run.
afterAll(async () => {
  await services.stop();
  await cluster.stop();
}, 60_000);

/** On the first node. */
let account: NodeAccount;
beforeEach(async () => {
  [account] = (await createAccounts(services, coordinator, [1])) as [NodeAccount];
});

/** Without this only the node of the connection would be tested, if that is the account's. */
const NUMBER_OF_CALLS = 5;

/** The actions that were logged, oldest first. */
async function changeAll({ accountId, source }: NodeAccount): Promise<string[]> {
  expect((await send(services, account, 'post')).status).toBe(201);
  for (let n = 0; n < NUMBER_OF_CALLS; n++) await admin.setPlan({ accountId, plan: 'pro' });
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
  const { actions } = await admin.listActions({ accountId, limit: 100 });
  return actions.map(({ action }) => action).reverse();
}

const LOGGED = [
  'account create',
  'source create',
  'key create',
  ...Array(NUMBER_OF_CALLS).fill('account set-plan'),
  'source create',
  'entry categorise',
  'key revoke',
  'account delete',
  'account restore',
];

/** Whether a call that needs every server works. */
const createsKeys = ({ accountId }: NodeAccount) =>
  admin.createKey({ accountId }).then(
    () => true,
    () => false,
  );

test.each([
  ['a node', second],
  ['the coordinator', coordinator],
])('without %s every change of an account on another node works, and is logged', async (_, down) => {
  await down.kill();
  try {
    expect(await changeAll(account)).toEqual(LOGGED);
    expect(await createsKeys(account)).toBe(false);
  } finally {
    await down.start();
    await until('every server is back', () => createsKeys(account));
  }
});

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
    await until('every server is back', () => createsKeys(account));
  }
});
