/** A node that is frozen or killed costs only its own accounts. */
import { describe, expect, setDefaultTimeout } from 'bun:test';
import type { CitusCluster } from '../fixtures/citus-cluster.ts';
import { startDistributedDatabase } from '../fixtures/distributed-database.ts';
import { until } from '../fixtures/until.ts';
import {
  createAccounts,
  KINDS,
  type Kind,
  type NodeAccount,
  type Services,
  send,
  startServices,
} from './services.ts';
import { afterAll, beforeAll, test } from './with-citus.ts';

setDefaultTimeout(120_000);

let cluster: CitusCluster;
beforeAll(async () => {
  cluster = await startDistributedDatabase();
});
// More than the 5 s of the end of the run.
afterAll(() => cluster?.stop(), 60_000);

// Fewer than the requests of a storm.
const LIMIT = '80';
const STORM = 180;
// A gateway lets one account have an eighth of the requests in flight.
const STORM_ACCOUNTS = 12;
// The memory for bodies has a limit of its own, which a storm does not reach here.
const BYTES_IN_FLIGHT_MAX = String(512 * 1024 * 1024);
// For the large bodies to reach the worker before the rest of a storm, and for the gateway to refuse what exceeds its limits. A storm
// that has not arrived yet makes the test weaker, and fails no request.
const ARRIVAL_MS = 500;
const ROUNDS = 3;
// Once for each account: an account's large bodies run one after the other, and those that wait are in flight in the gateway.
const LARGE_KINDS = ['post of 100 KiB', 'post of 1.5 MiB', 'post of 27 KiB'] as const;
const SMALL_KINDS = ['me', 'page', 'post'] as const;

async function sendEachKind(services: Services, accounts: readonly NodeAccount[]): Promise<number[]> {
  const statuses = [];
  for (const account of accounts)
    for (const kind of KINDS) statuses.push(await send(services, account, kind));
  return statuses;
}

describe.each([
  ['the nodes', () => cluster.nodesUrl()],
  ['the coordinator alone', () => cluster.coordinator.url],
])('a worker with %s in its DATABASE_URL:', (_, databaseUrl) => {
  let services: Services;
  let own: NodeAccount[];
  /** Of the node that fails, too. */
  let unknown: NodeAccount;
  let others: NodeAccount[];

  beforeAll(async () => {
    services = await startServices(databaseUrl(), {
      worker: { REQUESTS_IN_FLIGHT_MAX: LIMIT },
      gateway: { REQUESTS_IN_FLIGHT_MAX: LIMIT, BYTES_IN_FLIGHT_MAX },
    });
    const accountsOf = (group: number, count: number, keyCount: number) =>
      createAccounts(services, cluster.coordinator, Array(count).fill(group), keyCount);
    own = await accountsOf(1, STORM_ACCOUNTS, 3);
    [unknown] = (await accountsOf(1, 1, 30)) as [NodeAccount];
    others = await accountsOf(2, 3, 15);
    // The gateway knows each key then.
    for (const account of [...own, ...others]) {
      for (const _ of account.keys) expect(await send(services, account)).toBe(200);
    }
  });
  afterAll(() => services?.stop());

  /** More at once than the worker and the gateway accept of one node. The posts come first, so that all of them are at work. */
  async function storm(accounts: readonly NodeAccount[]): Promise<Promise<number>[]> {
    const sendKinds = (kinds: readonly Kind[], count: number) =>
      Array.from({ length: count }, () =>
        kinds.map((kind) => accounts.map((own) => send(services, own, kind))),
      ).flat(2);
    const posts = sendKinds(LARGE_KINDS, 1);
    await Bun.sleep(ARRIVAL_MS);
    return [...posts, ...sendKinds(SMALL_KINDS, STORM / SMALL_KINDS.length / accounts.length)];
  }

  // Storms of its accounts fail no request of the others.
  test.each([
    ['a node is frozen', true, () => own],
    ['a node is killed', false, () => own],
    ['a node is frozen, and the gateway does not know the keys of its account', true, () => [unknown]],
  ])('%s', async (_, isFrozen, accountsOf) => {
    const [node] = cluster.nodes;
    const accounts = accountsOf();
    await (isFrozen ? node.freeze() : node.kill());
    try {
      const served = [];
      const refused = [];
      // The first requests find out that the node is unavailable, the others come when that is known.
      for (let time = 0; time < 2; time++) {
        refused.push(...(await storm(accounts)));
        await Bun.sleep(ARRIVAL_MS);
        for (let round = 0; round < ROUNDS; round++) served.push(...(await sendEachKind(services, others)));
      }
      expect(served.filter((status) => status >= 300)).toEqual([]);
      expect(new Set(await Promise.all(refused))).toEqual(new Set([503]));
    } finally {
      await (isFrozen ? node.thaw() : node.start());
    }
    await until('its accounts are served', async () => {
      const statuses = await Promise.all(accounts.map((account) => send(services, account)));
      return statuses.every((status) => status === 200);
    });
  });
});

test('a coordinator that is killed or frozen costs nothing, and keys can be revoked', async () => {
  const { coordinator } = cluster;
  const services = await startServices(cluster.nodesUrl());
  try {
    const accounts = await createAccounts(services, coordinator, [1, 2], 5);
    const statuses = await sendEachKind(services, accounts);
    coordinator.freeze();
    for (let n = 0; n < 10; n++) statuses.push(...(await sendEachKind(services, accounts)));
    coordinator.thaw();
    await coordinator.kill();
    for (let n = 0; n < 10; n++) statuses.push(...(await sendEachKind(services, accounts)));
    expect(statuses.filter((status) => status >= 300)).toEqual([]);
    const [account] = accounts as [NodeAccount];
    const { keys } = await services.admin.listKeys({ accountId: account.accountId });
    expect(keys).toHaveLength(5);
    for (const { keyId } of keys) await services.admin.revokeKey({ keyId });
    expect(await send(services, account)).toBe(401);
    await coordinator.start();
  } finally {
    await services.stop();
  }
});
