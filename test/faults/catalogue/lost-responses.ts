/** Faults between the commit of a write and its response. The client must not notice them. */
import type { Cluster } from '../cluster.ts';
import { type Fault, type FaultContext, NO_FAILURES } from '../fault.ts';
import { type Write, writesIn } from '../history.ts';
import { type Link, PASS } from '../proxy.ts';
import { isRepeatable } from '../workload.ts';

export const LOST_RESPONSES: Fault[] = [
  {
    name: 'worker killed after a commit, before its response',
    failures: NO_FAILURES,
    async inject(context) {
      const { cluster, note } = context;
      const [worker] = cluster.workers;
      const [link] = cluster.links.postgres;
      const write = await committedWithoutResponse(context, link);
      note(`SIGKILL of worker 0 before it learns of the commit of ${write.name}`);
      await worker?.end('SIGKILL');
      await link?.set(PASS);
      return async () => worker?.start();
    },
  },
  {
    name: 'response of a worker lost after a commit',
    failures: NO_FAILURES,
    async inject(context) {
      const { cluster, note } = context;
      const [link] = cluster.links.worker;
      const write = await committedWithoutResponse(context, link);
      note(`worker 0 is cut off before its response to ${write.name}`);
      await link?.set({ kind: 'cut' });
      return async () => link?.set(PASS);
    },
  },
];

const WAIT_MS_MAX = 60_000;
// Long enough for the writes in flight to commit. Any longer, and the worker would go out of service and get no writes in
// the next attempt.
const ATTEMPT_MS = 300;
const PAUSE_MS = 100;
// A response that is not held back comes sooner.
const OVERDUE_MS = 150;

/**
 * Holds back the responses on `link` until a write is committed, still has no response, and is not safe for its client to
 * repeat. An attempt may hold back only other responses; then it releases them and tries again.
 */
async function committedWithoutResponse(
  { cluster, history }: FaultContext,
  link: Link | undefined,
): Promise<Write> {
  for (const last = performance.now() + WAIT_MS_MAX; performance.now() < last; await Bun.sleep(PAUSE_MS)) {
    await link?.set({ kind: 'holdReplies' });
    for (const end = performance.now() + ATTEMPT_MS; performance.now() < end; await Bun.sleep(20)) {
      const overdue = writesIn(history).filter(
        (write) =>
          write.outcome === 'pending' && write.begun < performance.now() - OVERDUE_MS && !isRepeatable(write),
      );
      for (const write of overdue) if (await isCommitted(cluster, write)) return write;
    }
    await link?.set(PASS);
  }
  throw new Error('no write was committed while responses were held back');
}

async function isCommitted({ database }: Cluster, { accountId, entries }: Write): Promise<boolean> {
  const tags = entries.map(({ description }) => description);
  const rows = await database.sql`
    select from ledger.entry where account_id = ${accountId} and description = any(${tags}) limit 1`;
  return rows.length > 0;
}
