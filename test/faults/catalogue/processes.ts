/** Process faults: SIGKILL, SIGSTOP and the regular end of each kind of process, and rolling restarts. */
import type { Service } from '../../../local/processes/child.ts';
import type { Cluster } from '../cluster.ts';
import type { ClusterProcess } from '../cluster-process.ts';
import { DISCONNECTED, type Fault, type Heal, healed, NO_FAILURES, UNAVAILABLE } from '../fault.ts';
import type { Random } from '../random.ts';

type Target = ClusterProcess<Service>;
type PartName = 'gateway' | 'worker' | 'redis' | 'postgres';

const CHOOSE: Record<PartName, (cluster: Cluster, random: Random) => Target> = {
  worker: ({ workers }, random) => random.pick(workers),
  gateway: ({ gateways }, random) => random.pick(gateways),
  redis: ({ redis }) => redis,
  postgres: (cluster) => postgresOf(cluster),
};

export function postgresOf({ database }: Cluster) {
  if (!database.postgres) throw new Error('this fault is one of plain Postgres');
  return database.postgres;
}

/** A fast shutdown of Postgres closes its connections. */
const endOf = (part: PartName) => (part === 'postgres' ? 'SIGINT' : 'SIGTERM');

const ACTIONS: Record<string, (target: Target, part: PartName) => Promise<Heal>> = {
  async killed(target) {
    await target.end('SIGKILL');
    return () => target.start();
  },
  async frozen(target) {
    target.freeze();
    return async () => target.thaw();
  },
  async 'shut down'(target, part) {
    await target.end(endOf(part));
    return () => target.start();
  },
  async restarted(target, part) {
    await restart(target, part);
    return healed;
  },
};

async function restart(target: Target, part: PartName): Promise<void> {
  await target.end(endOf(part));
  await target.start();
}

function processFault(part: PartName, action: keyof typeof ACTIONS, failures: Fault['failures']): Fault {
  return {
    name: `${part} ${action}`,
    failures,
    async inject({ cluster, random, note }) {
      const target = CHOOSE[part](cluster, random);
      note(`${target.name} is ${action}`);
      return (ACTIONS[action] as (typeof ACTIONS)[string])(target, part);
    },
  };
}

export const PROCESSES: Fault[] = [
  // The gateways retry on the other worker.
  processFault('worker', 'killed', NO_FAILURES),
  processFault('worker', 'frozen', NO_FAILURES),
  processFault('worker', 'shut down', NO_FAILURES),
  {
    name: 'all workers killed',
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
  // When it continues after their deadline, it returns 503 for the requests that it held.
  processFault('gateway', 'frozen', ['hung', ...UNAVAILABLE]),
  processFault('gateway', 'shut down', NO_FAILURES),

  processFault('redis', 'killed', NO_FAILURES),
  processFault('redis', 'frozen', NO_FAILURES),
  processFault('redis', 'restarted', NO_FAILURES),
];

export const POSTGRES_PROCESS: Fault[] = [
  processFault('postgres', 'killed', UNAVAILABLE),
  processFault('postgres', 'frozen', UNAVAILABLE),
  processFault('postgres', 'restarted', NO_FAILURES),
];

/** As for a new version. */
export const ROLLING_RESTART: Fault = {
  name: 'rolling restart of everything',
  failures: NO_FAILURES,
  async inject({ cluster: { redis, workers, gateways, database }, note, untilInService }) {
    const targets: [PartName, ...Target[]][] = [
      ['redis', redis],
      ['worker', ...workers],
      ['gateway', ...gateways],
      ['postgres', ...(database.postgres ? [database.postgres] : [])],
    ];
    for (const [part, ...all] of targets) {
      for (const target of all) {
        note(`${target.name} is restarted`);
        await restart(target, part);
        await untilInService();
      }
    }
    return healed;
  },
};
