/** A new version of everything, one process after the other, under load. */
import { type Fault, healed, NO_FAILURES, type Stage } from '../fault.ts';

export const RESTARTS: Fault[] = [
  {
    name: 'rolling restart of gateways and workers',
    part: 'everything',
    failures: NO_FAILURES,
    async inflict(stage) {
      const { gateways, workers } = stage.cluster;
      for (const part of [...workers, ...gateways]) await restart(part, 'SIGTERM', stage);
      return healed;
    },
  },
  {
    name: 'rolling restart of everything',
    part: 'everything',
    failures: NO_FAILURES,
    disturbsRedis: true,
    async inflict(stage) {
      const { gateways, workers, redis, postgres } = stage.cluster;
      await restart(redis, 'SIGTERM', stage);
      for (const part of [...workers, ...gateways]) await restart(part, 'SIGTERM', stage);
      await restart(postgres, 'SIGINT', stage);
      return healed;
    },
  },
];

interface Restartable {
  name: string;
  end(signal: 'SIGTERM' | 'SIGINT'): Promise<void>;
  start(): Promise<void>;
}

// As long as an orchestrator looks on before it goes to the next.
const SETTLE_MS = 300;

async function restart(part: Restartable, signal: 'SIGTERM' | 'SIGINT', { note }: Stage): Promise<void> {
  note(`${signal} to ${part.name}, and a new one`);
  await part.end(signal);
  await part.start();
  await Bun.sleep(SETTLE_MS);
}
