/** Single entries and GET /me while eight clients send the costliest batches: to the same server, or to another one. */
import { READ_ACCOUNTS, rotation, storeAccounts } from '../accounts.ts';
import { type BatchLoad, openBatchLoad } from '../batch-load.ts';
import { type Books, controlBooks } from '../books.ts';
import { meRequest } from '../requests.ts';
import type { Side } from '../side.ts';
import { emptyBooks } from '../stored.ts';
import { type Bench, httpSide, type Work } from '../work.ts';
import type { Workload } from '../workload.ts';
import { creating, emptied } from './post.ts';

const CLIENTS = 8;
const BATCH_CLIENTS = 8;
// A p99 needs some hundred requests.
const SECONDS = 1.5;
// Until the first batches are in every part of the service.
const HEAD_START_MS = 300;

export const BEHIND = 'behind batches';
/** The batches go to a second gateway and worker: they take CPU time from the service, and nothing else. */
export const BESIDE = 'beside batches';
export const REFERENCE_BEHIND = 'Fastify + pg, behind batches';

type HttpWork = Pick<Work, 'newPicker' | 'overHttp'>;

export async function behind(bench: Bench): Promise<{ workloads: Workload[]; close(): Promise<void> }> {
  const { stack, service, reference, accounts } = bench;
  const other = await controlBooks(stack);
  await storeAccounts(other.sql, accounts);
  // Of different accounts: a write waits for those of its own account.
  const [readers, writers] = [accounts.slice(0, READ_ACCOUNTS), accounts.slice(READ_ACCOUNTS)];
  const batches = openBatchLoad(
    BATCH_CLIENTS,
    writers.map(([account]) => account),
  );
  const workload = (name: string, work: HttpWork): Workload => ({
    group: 'behind',
    name: `${name}, batches`,
    clients: CLIENTS,
    seconds: SECONDS,
    async prepare() {
      await emptied(bench);
      await emptyBooks(other.sql);
    },
    sides: () => [
      httpSide(service, work),
      withBatches(BEHIND, httpSide(service, work), batches, service),
      withBatches(BESIDE, httpSide(service, work), batches, other),
      httpSide(reference, work),
      withBatches(REFERENCE_BEHIND, httpSide(reference, work), batches, reference),
    ],
  });
  const single = creating(1, () => rotation(readers));
  return {
    workloads: [
      workload('POST 1', single),
      workload('GET /me', { newPicker: () => rotation(readers), overHttp: meRequest }),
    ],
    async close() {
      batches.close();
      await other.stop();
    },
  };
}

function withBatches(name: string, side: Side, batches: BatchLoad, target: Books): Side {
  return {
    ...side,
    name,
    async run(seconds) {
      await batches.start(target.url);
      await Bun.sleep(HEAD_START_MS);
      const sample = await side.run(seconds);
      const report = await batches.stop();
      return { ...sample, failures: { ...sample.failures, ...report.failures }, batches: report.batches };
    },
  };
}
