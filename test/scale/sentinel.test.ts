/** The rate limit in a master with a replica under three sentinels (docs/api/limits.md). */
import { afterAll, beforeAll, setDefaultTimeout, test } from 'bun:test';
import { until } from '../fixtures/until.ts';
import { command, PASSWORD, type Server, startDataServer, startSentinel } from './redis-servers.ts';
import {
  beginLoad,
  expectExactLimit,
  expectSuccess,
  type Gateways,
  startGateways,
  untilLimitsAre,
} from './shared-limit.ts';

setDefaultTimeout(120_000);

const NAME = 'limits';
// A sentinel reconfigures a former master after 8 s, and refreshes its information every 10 s.
const SENTINELS_MS = 40_000;

let pair: Server[];
let sentinels: Server[];
let env: Record<string, string>;
let gateways: Gateways;

const masterInfo = async (sentinel: Server) => {
  const [state = []] = [(await command(sentinel, 'SENTINEL', 'MASTER', NAME)) as string[]];
  return Object.fromEntries(state.flatMap((word, n) => (n % 2 === 0 ? [[word, state[n + 1]]] : [])));
};
/** The server that is the master now, and the other one. */
async function roles(): Promise<[master: Server, replica: Server]> {
  const { port } = await masterInfo(sentinels[0] as Server);
  const [one, other] = pair as [Server, Server];
  return one.port === Number(port) ? [one, other] : [other, one];
}
/** Resolves once every sentinel knows the master, its replica and the other two sentinels. */
const isWatched = () =>
  until(
    'sentinels that know all servers',
    async () => {
      const infos = await Promise.all(sentinels.map(masterInfo));
      return infos.every(
        ({ flags, 'num-slaves': slaves, 'num-other-sentinels': others }) =>
          `${flags} ${slaves} ${others}` === 'master 1 2',
      );
    },
    SENTINELS_MS,
  );
const replicates = (replica: Server) =>
  until(
    'a replica in sync',
    async () => String(await command(replica, 'INFO', 'replication')).includes('master_link_status:up'),
    SENTINELS_MS,
  );

beforeAll(async () => {
  const master = await startDataServer();
  const replica = await startDataServer({ replicaof: `127.0.0.1 ${master.port}` });
  pair = [master, replica];
  await replicates(replica);
  sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(NAME, master)));
  await isWatched();

  env = {
    REDIS_SENTINELS: `redis://:${encodeURIComponent(PASSWORD)}@${sentinels.map(({ port }) => `127.0.0.1:${port}`)}`,
    REDIS_SENTINEL_NAME: NAME,
  };
  gateways = await startGateways(env);
});
afterAll(async () => {
  await gateways?.stop();
  await Promise.all([...(sentinels ?? []), ...(pair ?? [])].map((server) => server.stop()));
});

test('two gateways enforce one exact limit per key', async () => {
  await untilLimitsAre('shared', gateways);
  await expectExactLimit(gateways);
});

test('a frozen master is replaced, and stays a replica after it continues', async () => {
  const [old, next] = await roles();
  const load = beginLoad(gateways);
  await until('load', () => load.count() > 100);
  process.kill(old.pid, 'SIGSTOP');
  await untilLimitsAre('in-process', gateways);
  await untilLimitsAre('shared', gateways);
  expectSuccess(await load.stop());
  await expectExactLimit(gateways);

  process.kill(old.pid, 'SIGCONT');
  await replicates(old);
  await isWatched();
  await untilLimitsAre('shared', gateways);
  await expectExactLimit(gateways);
  await until('the new master', async () => (await roles())[0] === next);
});

test('the replica takes over as planned, under load: every request succeeds, and the limits stay exact', async () => {
  const [, next] = await roles();
  const load = beginLoad(gateways);
  await until('load', () => load.count() > 100);
  await command(sentinels[0] as Server, 'SENTINEL', 'FAILOVER', NAME);
  await until('the new master', async () => (await roles())[0] === next, SENTINELS_MS);
  await untilLimitsAre('shared', gateways);
  expectSuccess(await load.stop());
  await expectExactLimit(gateways);
});

test('a gateway that starts while the first of the sentinels hangs finds the master by another one', async () => {
  const [first] = sentinels as [Server];
  process.kill(first.pid, 'SIGSTOP');
  const started = await startGateways(env);
  await untilLimitsAre('shared', started);
  await started.stop();
  process.kill(first.pid, 'SIGCONT');
});

test('without sentinels the limits stay shared while the master runs', async () => {
  for (const sentinel of sentinels) process.kill(sentinel.pid, 'SIGKILL');
  await Promise.all(sentinels.map(({ died }) => died));
  await untilLimitsAre('shared', gateways);
  await expectExactLimit(gateways);
});
