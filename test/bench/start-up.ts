/** Measures how long a worker and a gateway take to start, with a migrated database. */
import { type System, startGateway, startWorker } from '../../local/system.ts';
import { type Spread, spread } from './statistics.ts';

const STARTS = 3;

/** ms */
export async function startUpMs(system: System): Promise<Record<string, Spread>> {
  const workers: number[] = [];
  const gateways: number[] = [];
  for (let n = 0; n < STARTS; n++) {
    const begun = performance.now();
    const worker = await startWorker({ databaseUrl: system.databaseUrl });
    const listening = performance.now();
    const gateway = await startGateway({ workerAddress: worker.address, redisUrl: system.redisUrl });
    gateways.push(performance.now() - listening);
    workers.push(listening - begun);
    await gateway.stop();
    await worker.stop();
  }
  return { 'ledger worker': spread(workers), gateway: spread(gateways) };
}
