/** A write that is committed and whose answer is lost on its way back. Its client must not notice. */
import type { Cluster } from '../cluster.ts';
import { type Fault, NO_FAILURES, type Stage } from '../fault.ts';
import { type Write, writesIn } from '../history.ts';
import { type Link, PASS } from '../proxy.ts';
import { isRepeatable } from '../workload.ts';

export const ANSWERS: Fault[] = [
  {
    name: 'worker killed after a commit, before its answer',
    part: 'everything',
    failures: NO_FAILURES,
    async inflict(stage) {
      const { cluster, note } = stage;
      const [worker] = cluster.workers;
      const [link] = cluster.links.postgres;
      const write = await committedWithoutAnswer(stage, link);
      note(`SIGKILL of worker 0, which has not heard that ${write.operation.name} is committed`);
      await worker?.end('SIGKILL');
      await link?.set(PASS);
      return async () => worker?.start();
    },
  },
  {
    name: 'answer of a worker lost after a commit',
    part: 'everything',
    failures: NO_FAILURES,
    async inflict(stage) {
      const { cluster, note } = stage;
      const [link] = cluster.links.worker;
      const write = await committedWithoutAnswer(stage, link);
      note(`worker 0 is cut off, before it can say that ${write.operation.name} is committed`);
      await link?.set({ kind: 'cut' });
      return async () => link?.set(PASS);
    },
  },
];

const ATTEMPTS_MAX = 30;
// The writes that were under way are committed by then, and those behind them are not before they are answered. A worker that
// hears nothing for longer goes out of service, and gets no writes in the next attempt.
const ATTEMPT_MS = 300;
const BREATH_MS = 100;
// An answer that is not held back comes sooner.
const OVERDUE_MS = 150;

/**
 * Holds back what comes over `link` until a write is in the books, still waits for its answer, and is one
 * that its client could not repeat without harm. What is held back may be other things only: then it is let
 * go, and the next is held.
 */
async function committedWithoutAnswer({ cluster, history }: Stage, link: Link | undefined): Promise<Write> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    await link?.set({ kind: 'holdReplies' });
    for (const end = performance.now() + ATTEMPT_MS; performance.now() < end; await Bun.sleep(20)) {
      const overdue = writesIn(history).filter(
        ({ outcome, begun, operation }) =>
          outcome === 'pending' && begun < performance.now() - OVERDUE_MS && !isRepeatable(operation),
      );
      for (const write of overdue) if (await isCommitted(cluster, write)) return write;
    }
    await link?.set(PASS);
    await Bun.sleep(BREATH_MS);
  }
  throw new Error('no write was committed while answers were held back');
}

async function isCommitted({ sql }: Cluster, { accountId, operation }: Write): Promise<boolean> {
  const tags = operation.entries.map(({ description }) => description);
  const rows = await sql`
    select from ledger.entry where account_id = ${accountId} and description = any(${tags}) limit 1`;
  return rows.length > 0;
}
