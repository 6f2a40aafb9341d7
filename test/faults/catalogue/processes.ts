/** Processes that die, stand still, or are told to end: each kind in turn. */
import type { Service } from '../../../local/processes/child.ts';
import type { Cluster } from '../cluster.ts';
import { DISCONNECTED, type Fault, healed, NO_FAILURES, UNAVAILABLE } from '../fault.ts';
import type { Part } from '../part.ts';
import type { Random } from '../random.ts';

type Choose = (cluster: Cluster, random: Random) => Part<Service>;
type PartName = 'gateway' | 'worker' | 'redis';

const CHOOSE: Record<PartName, Choose> = {
  worker: ({ workers }, random) => random.pick(workers),
  gateway: ({ gateways }, random) => random.pick(gateways),
  redis: ({ redis }) => redis,
};

function killed(part: PartName): Pick<Fault, 'name' | 'part' | 'inflict'> {
  return {
    part,
    name: `${part} killed`,
    async inflict({ cluster, random, note }) {
      const chosen = CHOOSE[part](cluster, random);
      note(`SIGKILL of ${chosen.name}`);
      await chosen.end('SIGKILL');
      return () => chosen.start();
    },
  };
}

function frozen(part: PartName): Pick<Fault, 'name' | 'part' | 'inflict'> {
  return {
    part,
    name: `${part} frozen`,
    async inflict({ cluster, random, note }) {
      const chosen = CHOOSE[part](cluster, random);
      note(`SIGSTOP of ${chosen.name}`);
      chosen.freeze();
      return async () => chosen.thaw();
    },
  };
}

function told(part: PartName): Pick<Fault, 'name' | 'part' | 'inflict'> {
  return {
    part,
    name: `${part} told to end`,
    async inflict({ cluster, random, note }) {
      const chosen = CHOOSE[part](cluster, random);
      note(`SIGTERM to ${chosen.name}`);
      await chosen.end('SIGTERM');
      return () => chosen.start();
    },
  };
}

export const PROCESSES: Fault[] = [
  // The other worker is there, and every call may be repeated.
  { ...killed('worker'), failures: NO_FAILURES },
  { ...frozen('worker'), failures: UNAVAILABLE },
  { ...told('worker'), failures: NO_FAILURES },
  {
    name: 'all workers killed',
    part: 'worker',
    failures: UNAVAILABLE,
    async inflict({ cluster: { workers }, note }) {
      note('SIGKILL of all workers');
      await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
      return async () => {
        await Promise.all(workers.map((worker) => worker.start()));
      };
    },
  },

  { ...killed('gateway'), failures: DISCONNECTED },
  { ...frozen('gateway'), failures: ['hung'] },
  { ...told('gateway'), failures: NO_FAILURES },

  { ...killed('redis'), failures: NO_FAILURES, disturbsRedis: true },
  { ...frozen('redis'), failures: NO_FAILURES, disturbsRedis: true },
  {
    name: 'redis restarted',
    part: 'redis',
    failures: NO_FAILURES,
    disturbsRedis: true,
    async inflict({ cluster, note }) {
      note('SIGTERM to redis, and a new one');
      await cluster.redis.end('SIGTERM');
      await cluster.redis.start();
      return healed;
    },
  },
];
