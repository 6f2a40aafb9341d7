/** The limits in a master and a replica that three sentinels watch (specification: Limits, request rate). */
import { afterAll, beforeAll, setDefaultTimeout, test } from 'bun:test';
import { TestAccount } from '../fixtures/client.ts';
import { until } from '../fixtures/until.ts';
import { command, PASSWORD, type Server, startDataServer, startSentinel } from './redis-servers.ts';
import {
  beginLoad,
  expectAllServed,
  expectOneMinute,
  type Gateways,
  newKey,
  startGateways,
  untilLimitsAre,
} from './shared-minute.ts';

setDefaultTimeout(120_000);

const NAME = 'limits';
// Sentinels wait for 8 s before they believe that an old master does not know of the new one, and look every 10 s.
const SENTINELS_MS = 40_000;

let pair: Server[];
let sentinels: Server[];
let gateways: Gateways;
const account = await TestAccount.create();

const sentinelSays = async (sentinel: Server) => {
  const [state = []] = [(await command(sentinel, 'SENTINEL', 'MASTER', NAME)) as string[]];
  return Object.fromEntries(state.flatMap((word, n) => (n % 2 === 0 ? [[word, state[n + 1]]] : [])));
};
/** The server that is the master now, and the other one. */
async function roles(): Promise<[master: Server, replica: Server]> {
  const { port } = await sentinelSays(sentinels[0] as Server);
  const [one, other] = pair as [Server, Server];
  return one.port === Number(port) ? [one, other] : [other, one];
}
/** Every sentinel sees the master, its replica and the other two. */
const isWatched = () =>
  until(
    'the sentinels know all',
    async () => {
      const told = await Promise.all(sentinels.map(sentinelSays));
      return told.every(
        ({ flags, 'num-slaves': slaves, 'num-other-sentinels': others }) =>
          `${flags} ${slaves} ${others}` === 'master 1 2',
      );
    },
    SENTINELS_MS,
  );
const replicates = (replica: Server) =>
  until(
    'the replica follows',
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

  const env = {
    REDIS_SENTINELS: `redis://:${encodeURIComponent(PASSWORD)}@${sentinels.map(({ port }) => `127.0.0.1:${port}`)}`,
    REDIS_SENTINEL_NAME: NAME,
  };
  gateways = await startGateways(env);
});
afterAll(async () => {
  await gateways?.stop();
  await Promise.all([...(sentinels ?? []), ...(pair ?? [])].map((server) => server.stop()));
});

test('two gateways share the minute of a key exactly', async () => {
  await untilLimitsAre('shared', gateways);
  await expectOneMinute(gateways, () => newKey(account));
});

test('a master that hangs is replaced, and stays so when it moves again', async () => {
  const [old, next] = await roles();
  const load = beginLoad(gateways, account);
  await until('there is load', () => load.answered() > 100);
  process.kill(old.pid, 'SIGSTOP');
  await untilLimitsAre('in-process', gateways);
  await untilLimitsAre('shared', gateways);
  expectAllServed(await load.stop());
  await expectOneMinute(gateways, () => newKey(account));

  process.kill(old.pid, 'SIGCONT');
  await replicates(old);
  await isWatched();
  await untilLimitsAre('shared', gateways);
  await expectOneMinute(gateways, () => newKey(account));
  await until('it stays the replica', async () => (await roles())[0] === next);
});

test('the master is killed under load: every request is served, and the limits are shared again', async () => {
  const [old] = await roles();
  const load = beginLoad(gateways, account);
  await until('there is load', () => load.answered() > 200);
  process.kill(old.pid, 'SIGKILL');
  await untilLimitsAre('in-process', gateways);
  await untilLimitsAre('shared', gateways);
  const answered = load.answered();
  await until('the load goes on', () => load.answered() > answered + 200);
  expectAllServed(await load.stop());
  await expectOneMinute(gateways, () => newKey(account));
});

test('without sentinels the limits stay shared, as long as the master is there', async () => {
  for (const sentinel of sentinels) process.kill(sentinel.pid, 'SIGKILL');
  await Promise.all(sentinels.map(({ died }) => died));
  await untilLimitsAre('shared', gateways);
  await expectOneMinute(gateways, () => newKey(account));
});
