/** Process faults: SIGKILL, SIGSTOP and SIGTERM of each kind of process. */
import type { Service } from '../../../local/processes/child.ts';
import type { Cluster } from '../cluster.ts';
import type { ClusterProcess } from '../cluster-process.ts';
import { DISCONNECTED, type Fault, healed, NO_FAILURES, UNAVAILABLE } from '../fault.ts';
import type { Random } from '../random.ts';

type Choose = (cluster: Cluster, random: Random) => ClusterProcess<Service>;
type PartName = 'gateway' | 'worker' | 'redis';

const CHOOSE: Record<PartName, Choose> = {
  worker: ({ workers }, random) => random.pick(workers),
  gateway: ({ gateways }, random) => random.pick(gateways),
  redis: ({ redis }) => redis,
};

function killed(part: PartName): Pick<Fault, 'name' | 'part' | 'inject'> {
  return {
    part,
    name: `${part} killed`,
    async inject({ cluster, random, note }) {
      const chosen = CHOOSE[part](cluster, random);
      note(`SIGKILL of ${chosen.name}`);
      await chosen.end('SIGKILL');
      return () => chosen.start();
    },
  };
}

function frozen(part: PartName): Pick<Fault, 'name' | 'part' | 'inject'> {
  return {
    part,
    name: `${part} frozen`,
    async inject({ cluster, random, note }) {
      const chosen = CHOOSE[part](cluster, random);
      note(`SIGSTOP of ${chosen.name}`);
      chosen.freeze();
      return async () => chosen.thaw();
    },
  };
}

function shutDown(part: PartName): Pick<Fault, 'name' | 'part' | 'inject'> {
  return {
    part,
    name: `${part} shut down`,
    async inject({ cluster, random, note }) {
      const chosen = CHOOSE[part](cluster, random);
      note(`SIGTERM to ${chosen.name}`);
      await chosen.end('SIGTERM');
      return () => chosen.start();
    },
  };
}

export const PROCESSES: Fault[] = [
  // The gateways retry on the other worker.
  { ...killed('worker'), failures: NO_FAILURES },
  { ...frozen('worker'), failures: UNAVAILABLE },
  { ...shutDown('worker'), failures: NO_FAILURES },
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

  { ...killed('gateway'), failures: DISCONNECTED },
  { ...frozen('gateway'), failures: ['hung'] },
  { ...shutDown('gateway'), failures: NO_FAILURES },

  { ...killed('redis'), failures: NO_FAILURES, disturbsRedis: true },
  { ...frozen('redis'), failures: NO_FAILURES, disturbsRedis: true },
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
