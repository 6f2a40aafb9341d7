/** The rate limit in a master with a replica under three sentinels (docs/api/limits.md). */
import { afterAll, beforeAll, setDefaultTimeout, test } from 'bun:test';
import { isRunning } from '../../local/processes/process-info.ts';
import { until } from '../fixtures/until.ts';
import { command, PASSWORD, type Server, startDataServer, startSentinel } from './redis-servers.ts';
import {
  beginLoad,
  expectExactLimit,
  expectSuccess,
  type Gateways,
  newKey,
  startGateways,
  untilLimitsAre,
} from './shared-limit.ts';

setDefaultTimeout(120_000);

const NAME = 'limits';
// Sentinels learn of each other every 2 s, and of replicas every 10 s.
const SENTINELS_MS = 60_000;

/** A master and two replicas: after a failover one is left for the next, while a former master is still unknown as a replica. */
let servers: Server[];
let sentinels: Server[];
let env: Record<string, string>;
let gateways: Gateways;

const masterInfo = async (sentinel: Server) => {
  const state = (await command(sentinel, 'SENTINEL', 'MASTER', NAME)) as string[];
  return Object.fromEntries(state.flatMap((word, n) => (n % 2 === 0 ? [[word, state[n + 1]]] : [])));
};
/** The server that is the master now. */
async function currentMaster(): Promise<Server> {
  const { port } = await masterInfo(sentinels[0] as Server);
  return servers.find((server) => server.port === Number(port)) as Server;
}
const untilReplaced = (old: Server) =>
  until('a new master', async () => (await currentMaster()) !== old, SENTINELS_MS);

beforeAll(async () => {
  const master = await startDataServer();
  const replicate = { replicaof: `127.0.0.1 ${master.port}` };
  servers = [master, ...(await Promise.all([startDataServer(replicate), startDataServer(replicate)]))];
  await until(
    'replicas in sync',
    async () => String(await command(master, 'INFO', 'replication')).match(/state=online/g)?.length === 2,
  );
  sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(NAME, master)));
  await until(
    'sentinels that know all servers',
    async () => {
      const infos = await Promise.all(sentinels.map(masterInfo));
      return infos.every(
        ({ flags, 'num-slaves': slaves, 'num-other-sentinels': others }) =>
          `${flags} ${slaves} ${others}` === 'master 2 2',
      );
    },
    SENTINELS_MS,
  );

  env = {
    REDIS_SENTINELS: `redis://:${encodeURIComponent(PASSWORD)}@${sentinels.map(({ port }) => `127.0.0.1:${port}`)}`,
    REDIS_SENTINEL_NAME: NAME,
  };
  gateways = await startGateways(env);
});
afterAll(async () => {
  await gateways?.stop();
  await Promise.all([...(sentinels ?? []), ...(servers ?? [])].map((server) => server.stop()));
});

test('a frozen master is replaced, and gets no requests of gateways after it continues', async () => {
  const old = await currentMaster();
  const load = beginLoad(gateways);
  await load.more();
  process.kill(old.pid, 'SIGSTOP');
  await untilLimitsAre('in-process', gateways);
  await untilLimitsAre('shared', gateways);
  expectSuccess(await load.stop());
  await expectExactLimit(gateways);

  await untilReplaced(old);
  process.kill(old.pid, 'SIGCONT');
  await expectExactLimit(gateways);
});

test('the replica takes over as planned, under load: every request succeeds, and the limits stay exact', async () => {
  const old = await currentMaster();
  const load = beginLoad(gateways);
  await load.more();
  await command(sentinels[0] as Server, 'SENTINEL', 'FAILOVER', NAME);
  await untilReplaced(old);
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
  const master = await currentMaster();
  const ports = sentinels.map(({ port }) => port);
  await expectExactLimit(gateways, newKey, async () => {
    // After an attempt in which a gateway has lost its connection, it finds the master only with sentinels.
    const dead = sentinels.filter(({ pid }) => !isRunning(pid));
    for (const { port, stop } of dead) {
      await stop();
      sentinels[ports.indexOf(port)] = await startSentinel(NAME, master, port);
    }
    await untilLimitsAre('shared', gateways);
    for (const { pid } of sentinels) process.kill(pid, 'SIGKILL');
    await Promise.all(sentinels.map(({ died }) => died));
  });
});
