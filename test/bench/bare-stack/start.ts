/**
 * The bare stack: as little of the service's stack as can be, on the service's own database. Elysia, one gRPC call, JSON.parse, the
 * driver, the service's own statement of the write.
 */
import { join } from 'node:path';
import { spawnChild } from '../../../local/processes/child.ts';
import { listening, serviceEnvironment } from '../../../local/servers/service.ts';
import { hashApiKey } from '../../../proto/api-key.ts';
import type { Caller, Target } from '../target.ts';

const NAME = 'bare stack';

export async function startBareStack(
  service: Target,
  databaseUrl: string,
): Promise<Target & { stop(): Promise<void> }> {
  const start = (program: string, env: Record<string, string>) =>
    spawnChild({
      name: `${NAME}: ${program}`,
      command: [process.execPath, join(import.meta.dir, `${program}.ts`)],
      env: serviceEnvironment(env),
    });
  const worker = start('worker', { DATABASE_URL: databaseUrl });
  const { address } = await worker.line(listening);
  const gateway = start('gateway', { WORKER_ADDRESS: address });
  const { url } = await gateway.line(listening);
  const { writers, readers } = service.accounts;
  return {
    name: NAME,
    url,
    pids: new Map([
      ['gateway', gateway.pid],
      ['ledger worker', worker.pid],
      ['Postgres', service.pids.get('Postgres') ?? 0],
    ]),
    accounts: { writers: writers.map(withHashes), readers: readers.map(withHashes) },
    async stop() {
      await gateway.stop();
      await worker.stop();
    },
  };
}

/** The bare stack looks up no key: it names the account and the hash of the account's own key. */
function withHashes(keys: Caller[]): Caller[] {
  return keys.map((caller) => ({
    ...caller,
    key: `${caller.accountId}:${hashApiKey(caller.key).toString('hex')}`,
  }));
}
