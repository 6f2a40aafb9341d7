/** Redis hangs, and a Redis Cluster whose connections are dropped without a word. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { type ApiResponse, entry, send, TestAccount } from '../fixtures/client.ts';
import { dayOf } from '../fixtures/day.ts';
import { bearer, statuses } from '../fixtures/endpoints.ts';
import { minuteOf } from '../fixtures/minute.ts';
import { until } from '../fixtures/until.ts';
import { masterOf, startProxiedCluster } from './redis-cluster.ts';
import { command, PASSWORD, type Server, startDataServer } from './redis-servers.ts';
import { type Gateways, startGateways, untilLimitsAre } from './shared-limit.ts';

setDefaultTimeout(120_000);

// By hand also for more than a minute: HANG_MS=65000 bun test --path-ignore-patterns none test/scale/redis-connections.test.ts
const HANG_MS = Number(process.env.HANG_MS ?? 5_000);
const REQUESTS_PER_MINUTE = 108;

let cluster: Awaited<ReturnType<typeof startProxiedCluster>>;
let gateways: Gateways;
let server: Server;
let gatewaysOfServer: Gateways;
/** Beside the other tests: a master of the cluster, and a single server. */
let hangs: ReturnType<typeof hang>[];

beforeAll(async () => {
  cluster = await startProxiedCluster();
  gateways = await startGateways({ REDIS_CLUSTER: cluster.seeds });
  server = await startDataServer();
  const url = `redis://:${encodeURIComponent(PASSWORD)}@127.0.0.1:${server.port}`;
  gatewaysOfServer = await startGateways({}, url);
  for (const each of [gateways, gatewaysOfServer]) await untilLimitsAre('shared', each);
  hangs = [
    hang(cluster.master(0), gateways, await accountAt(0)),
    hang(server, gatewaysOfServer, await TestAccount.create()),
  ];
});
afterAll(async () => {
  await Promise.all([gateways?.stop(), gatewaysOfServer?.stop()]);
  await Promise.all([cluster?.stop(), server?.stop()]);
});

/** An account whose windows are on the n-th master. */
async function accountAt(n: number): Promise<TestAccount> {
  for (;;) {
    const account = await TestAccount.create();
    if (masterOf(`{${account.accountId}}`) === n) return account;
  }
}

async function hang(redis: Server, { urls }: Gateways, account: TestAccount) {
  const { key } = account;
  const pending: Promise<ApiResponse>[] = [];
  const one = () => {
    const options = { url: urls[pending.length % urls.length] ?? '', headers: bearer(key) };
    const isWrite = pending.length % 10 === 0;
    pending.push(isWrite ? account.post(entry(), options) : send('/api/v1/me', options));
  };
  const timer = setInterval(one, 60_000 / REQUESTS_PER_MINUTE);
  process.kill(redis.pid, 'SIGSTOP');
  await Bun.sleep(HANG_MS);
  const meanwhile = pending.length;
  process.kill(redis.pid, 'SIGCONT');
  await Bun.sleep(5_000);
  clearInterval(timer);
  const counted = Number(await command(redis, 'LLEN', minuteOf({ ...account, key })));
  return { counted, meanwhile, responses: await Promise.all(pending) };
}

const lengthOf = async (n: number, key: string) => Number(await command(cluster.master(n), 'LLEN', key));

/** Resolves once the n-th master counts requests and entries of a gateway. */
const untilCounted = (n: number, url: string) =>
  until(`limits on master ${n}`, async () => {
    const account = await accountAt(n);
    expect((await account.post(entry(), { url })).status).toBe(201);
    return (
      (await lengthOf(n, minuteOf(account))) === 1 && (await lengthOf(n, dayOf(account.accountId))) === 2
    );
  });

test('connections to a master are dropped without a word: its limits are shared again over new ones', async () => {
  for (const url of gateways.urls) await untilCounted(1, url);
  await cluster.proxy(1).set({ kind: 'dropped' });
  for (const url of gateways.urls) {
    await untilCounted(1, url);
    await untilCounted(2, url);
  }
});

test('the connections to several masters are dropped at once', async () => {
  for (const n of [1, 2]) await cluster.proxy(n).set({ kind: 'dropped' });
  for (const url of gateways.urls) {
    await untilCounted(2, url);
    await untilCounted(1, url);
  }
});

test.each([
  ['a master of a cluster', 0],
  ['one server', 1],
])(
  '%s hangs: no request of a key below the limit is refused, and none from meanwhile counts when it continues',
  async (_, n) => {
    const { counted, meanwhile, responses } = (await hangs[n]) as Awaited<ReturnType<typeof hang>>;
    const { 200: reads = 0, 201: writes = 0, ...others } = statuses(responses);
    expect([others, reads + writes]).toEqual([{}, responses.length]);
    expect(counted).toBeWithin(1, responses.length - meanwhile + 2);
  },
);
