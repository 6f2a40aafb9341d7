/** Rolling restarts under load, as for a new version. */
import { type Fault, type FaultContext, healed, NO_FAILURES } from '../fault.ts';

export const RESTARTS: Fault[] = [
  {
    name: 'rolling restart of everything',
    part: 'everything',
    failures: NO_FAILURES,
    disturbsRedis: true,
    async inject(context) {
      const { gateways, workers, redis, database } = context.cluster;
      await restart(redis, 'SIGTERM', context);
      for (const part of [...workers, ...gateways]) await restart(part, 'SIGTERM', context);
      if (database.postgres) await restart(database.postgres, 'SIGINT', context);
      return healed;
    },
  },
];

interface Restartable {
  name: string;
  end(signal: 'SIGTERM' | 'SIGINT'): Promise<void>;
  start(): Promise<void>;
}

// An orchestrator's pause before the next process.
const SETTLE_MS = 300;

async function restart(
  part: Restartable,
  signal: 'SIGTERM' | 'SIGINT',
  { note }: FaultContext,
): Promise<void> {
  note(`${signal} to ${part.name}, then a new start`);
  await part.end(signal);
  await part.start();
  await Bun.sleep(SETTLE_MS);
}
