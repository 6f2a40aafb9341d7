/** One server of Redis and its connections, with connections of the test's own: when each one fails is decided here. */
import { afterEach, expect, mock, setDefaultTimeout, spyOn, test } from 'bun:test';
import { type Connection, RedisServer, type TimedReply } from '../../../gateway/redis/server.ts';
import { createLog } from '../../../platform/log.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

afterEach(() => {
  mock.restore();
});

const CALL = { script: 'admit', keys: [], args: [] };
const PROBE = { ...CALL, script: 'probe' };
const HOUR_MS = 3_600_000;

test('a late failure of a former connection leaves the new one up', async () => {
  const now = performance.now.bind(performance);
  const late = Promise.withResolvers<TimedReply<never>>();
  let [opened, ended] = [0, 0];
  const connection: Connection = {
    open: async () => opened++,
    send: async ({ script }) => (script === 'probe' ? [0, undefined as never] : late.promise),
    probe: () => PROBE,
    end: () => ended++,
    lastError: () => undefined,
  };
  const server = new RedisServer('a test', connection, createLog('a test'));
  try {
    await until('it is up', () => server.isUp);
    const command = server.run(CALL);
    // The next connection is opened at once: the last one was an hour ago.
    const passed = now() + HOUR_MS;
    spyOn(performance, 'now').mockImplementation(() => passed);
    server.disconnected();
    await until('it is up again', () => server.isUp && opened === 2);
    late.reject(new Error('the connection was lost'));
    expect(await command).toBeUndefined();
    expect([server.isUp, opened, ended]).toEqual([true, 2, 0]);
  } finally {
    server.close();
  }
});
