/** A node that is frozen or gone costs only its own accounts. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { CitusNode } from '../fixtures/citus-node.ts';
import { startDistributedBooks } from '../fixtures/distributed-books.ts';
import { until } from '../fixtures/until.ts';
import { createAccounts, type NodeAccount, type Services, send, startServices } from './services.ts';

setDefaultTimeout(120_000);

const cluster = await startDistributedBooks({ settings: { fsync: 'on' } });
const { coordinator } = cluster;
const [first, second] = cluster.nodes as [CitusNode, CitusNode];
// More than the 5 s of the end of the run.
afterAll(() => cluster.stop(), 60_000);

// A machine that is busy with other work varies by this much.
const NOISE_MS = 10;
const DEADLINE_MS = 10_000;
// Fewer than the requests of a storm.
const LIMIT = '80';
const STORM = 150;
// For the gateway to refuse what exceeds its limits.
const SETTLED_MS = 500;
const KINDS = ['me', 'page', 'post'] as const;

const p50 = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN;

describe.each([
  ['the nodes', cluster.nodesUrl()],
  ['the coordinator alone', coordinator.url],
])('a worker with %s in its DATABASE_URL:', (_, databaseUrl) => {
  let services: Services;
  let own: NodeAccount;
  let other: NodeAccount;

  beforeAll(async () => {
    services = await startServices(databaseUrl, {
      worker: { CALLS_MAX: LIMIT },
      gateway: { REQUESTS_IN_FLIGHT_MAX: LIMIT },
    });
    [own, other] = (await createAccounts(services, coordinator, [1, 2], 30)) as [NodeAccount, NodeAccount];
    for (let n = 0; n < 20; n++) for (const kind of KINDS) await send(services, other, kind);
  });
  afterAll(() => services.stop());

  /** The responses to an account's requests, one after the other, for at least `ms`. */
  async function sendFor(ms: number, account: NodeAccount) {
    const responses = [];
    for (const end = performance.now() + ms; performance.now() < end; ) {
      for (const kind of KINDS) responses.push(await send(services, account, kind));
      await Bun.sleep(10);
    }
    return responses;
  }

  /** More at once than the worker and the gateway accept of one node. */
  const storm = (account: NodeAccount) =>
    Array.from({ length: STORM }, (_, n) => send(services, account, KINDS[n % KINDS.length]));

  test.each([
    ['frozen', async () => first.freeze(), async () => first.thaw()],
    ['killed', () => first.kill(), () => first.start()],
  ] as const)('a node is %s', async (_, fail, heal) => {
    expect((await send(services, own)).status).toBe(200);
    const before = await sendFor(2_000, other);
    await fail();
    try {
      const during = [];
      const refused = [];
      // The first requests find out that the node is down, the others come when that is known.
      for (let time = 0; time < 2; time++) {
        refused.push(...storm(own));
        await Bun.sleep(SETTLED_MS);
        during.push(...(await sendFor(2_500, other)));
      }
      const failures = [...before, ...during].filter(({ status }) => status >= 300);
      expect(failures).toEqual([]);
      expect(p50(during.map(({ ms }) => ms))).toBeLessThan(1.5 * p50(before.map(({ ms }) => ms)) + NOISE_MS);
      for (const { status, ms } of await Promise.all(refused)) {
        expect(status).toBe(503);
        expect(ms).toBeLessThan(DEADLINE_MS + 1_000);
      }
    } finally {
      await heal();
    }
    await until('its accounts are served', async () => (await send(services, own)).status === 200);
    expect((await send(services, own, 'post')).status).toBe(201);
  });
});

test('a coordinator that is killed or frozen costs nothing', async () => {
  const services = await startServices(cluster.nodesUrl());
  try {
    const accounts = await createAccounts(services, coordinator, [1, 2], 5);
    const sendAll = async () => {
      for (const account of accounts) {
        for (const kind of KINDS) expect((await send(services, account, kind)).status).toBeLessThan(300);
      }
    };
    await sendAll();
    coordinator.freeze();
    for (let n = 0; n < 10; n++) await sendAll();
    coordinator.thaw();
    await coordinator.kill();
    for (let n = 0; n < 10; n++) await sendAll();
    const reads = await services.admin.listKeys({ accountId: accounts[0]?.accountId ?? '' });
    expect(reads.keys).toHaveLength(5);
    await coordinator.start();
  } finally {
    await services.stop();
  }
});

test('the other node is not needed for the Admin service: it reads at a host that responds', async () => {
  const services = await startServices(cluster.nodesUrl());
  try {
    const [account] = (await createAccounts(services, coordinator, [1])) as [NodeAccount];
    await second.kill();
    await until('the Admin service responds', () =>
      services.admin.listKeys({ accountId: account.accountId }).then(
        ({ keys }) => keys?.length === 1,
        () => false,
      ),
    );
  } finally {
    await second.start();
    await services.stop();
  }
});
