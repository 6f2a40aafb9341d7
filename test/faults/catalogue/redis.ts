/** Faults of a running Redis: lost data, errors, a blocking script. */
import Redis from 'ioredis';
import type { Cluster } from '../cluster.ts';
import { type Fault, healed, NO_FAILURES } from '../fault.ts';

// Redis ignores signals during a script. The loop is finite, so that the script ends by itself if no client kills it.
const BUSY = 'for _ = 1, 1e10 do end';

export const REDIS: Fault[] = [
  command('redis loses its data', ['flushall']),
  command('redis loses its scripts', ['script', 'flush']),
  command('redis read-only', ['replicaof', '127.0.0.1', '1'], ['replicaof', 'no', 'one']),
  command('redis out of memory', ['config', 'set', 'maxmemory', '1'], ['config', 'set', 'maxmemory', '0']),
  {
    name: 'redis busy with a script',
    part: 'redis',
    failures: NO_FAILURES,
    disturbsRedis: true,
    async inject({ cluster, note }) {
      note('a script that does not end');
      await call(cluster, ['config', 'set', 'busy-reply-threshold', '100']);
      const script = call(cluster, ['eval', BUSY, '0']).catch(() => {});
      return async () => {
        await call(cluster, ['script', 'kill']);
        await script;
      };
    },
  },
];

/** A fault that one Redis command causes and another one ends. No request may fail. */
function command(name: string, begin: string[], end?: string[]): Fault {
  return {
    name,
    part: 'redis',
    failures: NO_FAILURES,
    disturbsRedis: true,
    async inject({ cluster, note }) {
      note(begin.join(' '));
      await call(cluster, begin);
      return end ? () => call(cluster, end) : healed;
    },
  };
}

async function call({ redis }: Cluster, [name = '', ...args]: string[]): Promise<void> {
  const client = new Redis(redis.current.url, { enableReadyCheck: false, retryStrategy: () => null });
  try {
    await client.call(name, ...args);
  } finally {
    client.disconnect();
  }
}
