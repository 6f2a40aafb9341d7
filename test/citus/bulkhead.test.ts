/** A node that is frozen or killed costs only its own accounts. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { CitusNode } from '../fixtures/citus-node.ts';
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

setDefaultTimeout(120_000);

const cluster = await startDistributedDatabase({ settings: { fsync: 'on' } });
const { coordinator } = cluster;
const [first] = cluster.nodes as [CitusNode];
// More than the 5 s of the end of the run.
afterAll(() => cluster.stop(), 60_000);

// A machine that is busy with other work varies by this much.
const NOISE_MS = 10;
const DEADLINE_MS = 10_000;
// Fewer than the requests of a storm.
const LIMIT = '80';
const STORM = 180;
// A gateway lets one account have an eighth of the requests in flight.
const STORM_ACCOUNTS = 12;
const OTHER_ACCOUNTS = 3;
// The memory for bodies has a limit of its own, which a storm does not reach here.
const BYTES_IN_FLIGHT_MAX = String(512 * 1024 * 1024);
// For the gateway to refuse what exceeds its limits.
const SETTLED_MS = 500;
// For the large bodies to reach the worker before the rest of a storm.
const ARRIVAL_MS = 300;
// Once for each account: an account's large bodies run one after the other, and those that wait are in flight in the gateway.
const LARGE_KINDS = ['post of 100 KiB', 'post of 1.5 MiB', 'post of 27 KiB'] as const;
const SMALL_KINDS = ['me', 'page', 'post'] as const;
// However fast the machine is, the keys of an account have fewer requests than their minute allows.
const PAUSE_MS = 100;
// Half of the time that a request waits for a node that hangs.
const STALL_MS_MAX = 2_500;

const p50 = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN;

describe.each([
  ['the nodes', cluster.nodesUrl()],
  ['the coordinator alone', coordinator.url],
])('a worker with %s in its DATABASE_URL:', (_, databaseUrl) => {
  let services: Services;
  /** Of the node that fails. */
  let own: NodeAccount[];
  /** Of the node that fails, too. */
  let unknown: NodeAccount;
  /** Of the other node. */
  let others: NodeAccount[];

  beforeAll(async () => {
    services = await startServices(databaseUrl, {
      worker: { CALLS_MAX: LIMIT },
      gateway: { REQUESTS_IN_FLIGHT_MAX: LIMIT, BYTES_IN_FLIGHT_MAX },
    });
    const accountsOf = async (group: number, count: number, keyCount: number) => {
      const created = Array.from({ length: count }, () =>
        createAccounts(services, coordinator, [group], keyCount),
      );
      return (await Promise.all(created)).flat();
    };
    own = await accountsOf(1, STORM_ACCOUNTS, 3);
    [unknown] = (await accountsOf(1, 1, 30)) as [NodeAccount];
    others = await accountsOf(2, OTHER_ACCOUNTS, 15);
    // The gateway knows each key then.
    for (const account of [...own, ...others]) {
      for (const _ of account.keys) expect((await send(services, account)).status).toBe(200);
    }
    for (let n = 0; n < 20; n++) await sendEachKind(others);
  });
  afterAll(() => services.stop());

  async function sendEachKind(accounts: readonly NodeAccount[]) {
    const responses = [];
    for (const account of accounts) {
      for (const kind of KINDS) responses.push({ kind, ...(await send(services, account, kind)) });
    }
    return responses;
  }

  /** The responses to the other accounts' requests, one after the other, for at least `ms`. */
  async function sendFor(ms: number) {
    const responses = [];
    for (const end = performance.now() + ms; performance.now() < end; await Bun.sleep(PAUSE_MS)) {
      responses.push(...(await sendEachKind(others)));
    }
    return responses;
  }

  /** More at once than the worker and the gateway accept of one node. The posts come first, so that all of them are at work. */
  async function storm(accounts: readonly NodeAccount[]) {
    const sendKinds = (kinds: readonly Kind[], count: number) =>
      Array.from({ length: count }, () =>
        kinds.map((kind) => accounts.map((own) => send(services, own, kind))),
      ).flat(2);
    const posts = sendKinds(LARGE_KINDS, 1);
    await Bun.sleep(ARRIVAL_MS);
    return [...posts, ...sendKinds(SMALL_KINDS, STORM / SMALL_KINDS.length / accounts.length)];
  }

  const frozen = { fail: () => first.freeze(), heal: () => first.thaw() };
  const killed = { fail: () => first.kill(), heal: () => first.start() };

  // Storms of its accounts do not fail or delay the requests of the others.
  test.each([
    { what: 'a node is frozen', ...frozen, accountsOf: () => own },
    { what: 'a node is killed', ...killed, accountsOf: () => own },
    {
      what: 'a node is frozen, and the gateway does not know the keys of its account',
      ...frozen,
      accountsOf: () => [unknown],
    },
  ])('$what', async ({ fail, heal, accountsOf }) => {
    const accounts = accountsOf();
    const before = await sendFor(2_000);
    await fail();
    try {
      const during = [];
      const refused = [];
      // The first requests find out that the node is unavailable, the others come when that is known.
      for (let time = 0; time < 2; time++) {
        refused.push(...(await storm(accounts)));
        await Bun.sleep(SETTLED_MS);
        during.push(...(await sendFor(2_500)));
      }
      expect([...before, ...during].filter(({ status }) => status >= 300)).toEqual([]);
      expect(Math.max(...during.map(({ ms }) => ms))).toBeLessThan(STALL_MS_MAX);
      for (const kind of KINDS) {
        const timesOf = (responses: typeof before) =>
          responses.filter((response) => response.kind === kind).map(({ ms }) => ms);
        expect(p50(timesOf(during))).toBeLessThan(1.5 * p50(timesOf(before)) + NOISE_MS);
      }
      for (const { status, ms } of await Promise.all(refused)) {
        expect(status).toBe(503);
        expect(ms).toBeLessThan(DEADLINE_MS + 1_000);
      }
    } finally {
      await heal();
    }
    await until('its accounts are served', async () => {
      const responses = await Promise.all(accounts.map((account) => send(services, account)));
      return responses.every(({ status }) => status === 200);
    });
    for (const { status } of await sendEachKind(accounts.slice(0, 1))) expect(status).toBeLessThan(300);
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
