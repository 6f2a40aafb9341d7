/** A Redis that is there and does not do what it should. */
import Redis from 'ioredis';
import type { Cluster } from '../cluster.ts';
import { type Fault, healed, NO_FAILURES } from '../fault.ts';

// It does not listen to signals meanwhile: should nobody be left to end the script, it ends by itself, after
// some minutes at most.
const BUSY = 'for _ = 1, 1e10 do end';

export const REDIS: Fault[] = [
  command('redis forgets everything', ['flushall']),
  command('redis forgets its scripts', ['script', 'flush']),
  command('redis read-only', ['replicaof', '127.0.0.1', '1'], ['replicaof', 'no', 'one']),
  command('redis out of memory', ['config', 'set', 'maxmemory', '1'], ['config', 'set', 'maxmemory', '0']),
  {
    name: 'redis busy with a script',
    part: 'redis',
    failures: NO_FAILURES,
    disturbsRedis: true,
    async inflict({ cluster, note }) {
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

/** All gateways find it so at once; none of their requests may fail for it. */
function command(name: string, does: string[], undoes?: string[]): Fault {
  return {
    name,
    part: 'redis',
    failures: NO_FAILURES,
    disturbsRedis: true,
    async inflict({ cluster, note }) {
      note(does.join(' '));
      await call(cluster, does);
      return undoes ? () => call(cluster, undoes) : healed;
    },
  };
}

async function call({ redis }: Cluster, [name = '', ...words]: string[]): Promise<void> {
  const client = new Redis(redis.current.url, { enableReadyCheck: false, retryStrategy: () => null });
  try {
    await client.call(name, ...words);
  } finally {
    client.disconnect();
  }
}
