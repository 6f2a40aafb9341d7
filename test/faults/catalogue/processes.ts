/** Process faults: SIGKILL, SIGSTOP and SIGTERM of each kind of process. */
import type { Service } from '../../../local/processes/child.ts';
import type { Cluster } from '../cluster.ts';
import type { ClusterProcess } from '../cluster-process.ts';
import { DISCONNECTED, type Fault, healed, NO_FAILURES, UNAVAILABLE } from '../fault.ts';
import type { Random } from '../random.ts';

type Target = ClusterProcess<Service>;
type PartName = 'gateway' | 'worker' | 'redis';

const CHOOSE: Record<PartName, (cluster: Cluster, random: Random) => Target> = {
  worker: ({ workers }, random) => random.pick(workers),
  gateway: ({ gateways }, random) => random.pick(gateways),
  redis: ({ redis }) => redis,
};

const ACTIONS = {
  killed: {
    signal: 'SIGKILL',
    begin: (target: Target) => target.end('SIGKILL'),
    end: (target: Target) => target.start(),
  },
  frozen: {
    signal: 'SIGSTOP',
    begin: async (target: Target) => target.freeze(),
    end: async (target: Target) => target.thaw(),
  },
  'shut down': {
    signal: 'SIGTERM',
    begin: (target: Target) => target.end('SIGTERM'),
    end: (target: Target) => target.start(),
  },
};

function processFault(part: PartName, action: keyof typeof ACTIONS, failures: Fault['failures']): Fault {
  const { signal, begin, end } = ACTIONS[action];
  return {
    name: `${part} ${action}`,
    part,
    failures,
    disturbsRedis: part === 'redis',
    async inject({ cluster, random, note }) {
      const target = CHOOSE[part](cluster, random);
      note(`${signal} to ${target.name}`);
      await begin(target);
      return () => end(target);
    },
  };
}

export const PROCESSES: Fault[] = [
  // The gateways retry on the other worker.
  processFault('worker', 'killed', NO_FAILURES),
  processFault('worker', 'frozen', UNAVAILABLE),
  processFault('worker', 'shut down', NO_FAILURES),
  {
    name: 'all workers killed',
    part: 'worker',
    failures: UNAVAILABLE,
    async inject({ cluster: { workers }, note }) {
      note('SIGKILL of all workers');
      await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
      return async () => {
        await Promise.all(workers.map((worker) => worker.start()));
      };
    },
  },

  processFault('gateway', 'killed', DISCONNECTED),
  processFault('gateway', 'frozen', ['hung']),
  processFault('gateway', 'shut down', NO_FAILURES),

  processFault('redis', 'killed', NO_FAILURES),
  processFault('redis', 'frozen', NO_FAILURES),
  {
    name: 'redis restarted',
    part: 'redis',
    failures: NO_FAILURES,
    disturbsRedis: true,
    async inject({ cluster, note }) {
      note('SIGTERM to redis, then a new start');
      await cluster.redis.end('SIGTERM');
      await cluster.redis.start();
      return healed;
    },
  },
];
