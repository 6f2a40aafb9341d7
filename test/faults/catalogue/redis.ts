/** Faults of a running Redis: lost data, errors, a blocking script, and connections that stay open and are of no use. */
import Redis from 'ioredis';
import type { Redis as RedisService } from '../../../local/servers/redis.ts';
import { until } from '../../fixtures/until.ts';
import type { ClusterProcess } from '../cluster-process.ts';
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
    failures: NO_FAILURES,
    async inject({ cluster, note }) {
      note('a script that does not end');
      await call(cluster.redis, ['config', 'set', 'busy-reply-threshold', '100']);
      const script = call(cluster.redis, ['eval', BUSY, '0']).catch(() => {});
      return async () => {
        await call(cluster.redis, ['script', 'kill']);
        await script;
      };
    },
  },
  {
    name: 'redis moved',
    failures: NO_FAILURES,
    async inject({ cluster, note }) {
      const { redis, redisStandby } = cluster;
      await redisStandby.start();
      await replicate(redisStandby, redis);
      await until('a replica in sync', async () =>
        String(await call(redisStandby, ['info', 'replication'])).includes('master_link_status:up'),
      );
      note('redis becomes a replica, and keeps its connections');
      await call(redisStandby, ['replicaof', 'no', 'one']);
      await replicate(redis, redisStandby);
      return async () => cluster.moveRedis();
    },
  },
  {
    name: 'redis connections dropped without a word',
    failures: NO_FAILURES,
    async inject({ cluster, note }) {
      note('open connections to redis deliver nothing any more');
      await Promise.all(cluster.links.redis.map((proxy) => proxy.set({ kind: 'dropped' })));
      return healed;
    },
  },
];

/** A fault that one Redis command causes and another one ends. No request may fail. */
function command(name: string, begin: string[], end?: string[]): Fault {
  return {
    name,
    failures: NO_FAILURES,
    async inject({ cluster, note }) {
      note(begin.join(' '));
      await call(cluster.redis, begin);
      return async () => {
        if (end) await call(cluster.redis, end);
      };
    },
  };
}

async function replicate(replica: ClusterProcess<RedisService>, master: ClusterProcess<RedisService>) {
  const [, port = ''] = (await call(master, ['config', 'get', 'port'])) as string[];
  await call(replica, ['replicaof', '127.0.0.1', port]);
}

async function call({ current }: ClusterProcess<RedisService>, [name = '', ...args]: string[]) {
  const client = new Redis(current.url, {
    enableReadyCheck: false,
    retryStrategy: () => null,
    replyMapping: 'legacy',
  });
  try {
    return await client.call(name, ...args);
  } finally {
    client.disconnect();
  }
}
