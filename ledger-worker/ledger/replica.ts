/** Pages from a streaming replica, where it has exactly what the primary has. */
import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel';
import type { Logger } from 'pino';
import type { CallContext } from '../../proto/client.ts';
import { requireSettings, type Sql } from '../database/pool.ts';
import { observe, traced } from '../database/statement-spans.ts';
import { mayPass } from '../grpc/status.ts';
import type { Metrics } from '../metrics.ts';
import { listEntries, type PageAnswer, type PageQuery } from './reads.ts';
import { sourceVersions } from './source-versions.ts';

type Asked = PageQuery & { call: CallContext };
export type ReadPages = (pages: readonly Asked[], gone: AbortSignal) => Promise<PageAnswer[]>;

// What a page may lose by the attempt. A page takes a few ms.
const ANSWER_MS_MAX = 250;
const FAILURES_MAX = 3;
// How long the replica is left alone, before one group of pages tries it again.
const RETRY_AFTER_MS = 2_000;

/** Asks the primary alone. */
export function pagesOf(sql: Sql, metrics: Metrics): ReadPages {
  return (pages, gone) => observe(metrics, 'list_entries', pages, () => listEntries(sql, pages, gone));
}

/**
 * Asks the replica for the pages and, at the same time, the primary whether they may be read and at which version their
 * sources are. A page of that same version is what the primary would have answered in the moment in which it checked the
 * key; any other is asked of the primary. So nobody notices how far the replica is behind, or that it is away, but for
 * the time that it takes.
 */
export function pagesWithReplica(primary: Sql, replica: Sql, metrics: Metrics, log: Logger): ReadPages {
  const breaker = leaveAlone(log);
  const count = metrics.replica(breaker.isClosed);
  const askPrimary = pagesOf(primary, metrics);

  async function askReplica(pages: readonly Asked[], gone: AbortSignal): Promise<PageAnswer[]> {
    const answers = await listEntries(
      replica,
      pages,
      AbortSignal.any([gone, AbortSignal.timeout(ANSWER_MS_MAX)]),
      true,
    );
    if (answers.some((answer) => answer.outcome === 'page' && answer.version === null)) {
      throw new Error('it is no standby');
    }
    return answers;
  }

  return async (pages, gone) => {
    if (!breaker.mayBeAsked()) {
      count('not_asked', pages.length);
      return askPrimary(pages, gone);
    }
    const [versions, copies] = await Promise.all([
      observe(metrics, 'source_versions', pages, () => sourceVersions(primary, pages, gone)),
      breaker.execute(() => traced('list_entries (replica)', pages, () => askReplica(pages, gone))),
    ]);
    const answers = versions.map((now, n) => {
      if (now.outcome !== 'version') return now;
      const copy = copies?.[n];
      return copy?.outcome === 'page' && copy.version === now.version ? copy : undefined;
    });
    const missing = pages.filter((_, n) => answers[n] === undefined);
    count('used', answers.filter((answer) => answer?.outcome === 'page').length);
    count(copies ? 'behind' : 'unanswered', missing.length);
    const found = missing.length > 0 ? await askPrimary(missing, gone) : [];
    return answers.map((answer) => answer ?? (found.shift() as PageAnswer));
  };
}

/** Knows whether the replica answers; while it does not, it is tried every two seconds, by one group of pages. */
function leaveAlone(log: Logger) {
  const isClosed = () => breaker.state === CircuitState.Closed;
  // Whoever leaves the attempt has not seen that it is back.
  const breaker = circuitBreaker(
    handleWhen((error) => isFailure(error) || !isClosed()),
    {
      halfOpenAfter: RETRY_AFTER_MS,
      breaker: new ConsecutiveBreaker(FAILURES_MAX),
    },
  );
  let isAway = false;
  let tryAgainAt = 0;
  breaker.onBreak((reason) => {
    tryAgainAt = performance.now() + RETRY_AFTER_MS;
    if (isAway) return;
    isAway = true;
    const error = reason && 'error' in reason ? (reason.error as Error) : undefined;
    log.warn({ reason: error?.message }, 'the replica is away: pages are read from the primary');
  });
  breaker.onReset(() => {
    isAway = false;
    log.info('the replica is back');
  });
  return {
    isClosed,
    mayBeAsked: () => isClosed() || (breaker.state === CircuitState.Open && performance.now() >= tryAgainAt),
    /** What `work` answers; undefined when it fails. */
    execute: <Result>(work: () => Promise<Result>): Promise<Result | undefined> =>
      breaker.execute(work).catch(() => undefined),
  };
}

/** Not where nobody waited for the answer any more. */
function isFailure(error: unknown): boolean {
  return (error as Error).name !== 'AbortError';
}

/**
 * As requireSettings; a replica that is away is no reason not to start.
 * @throws Error in one sentence
 */
export async function requireReplicaSettings(replica: Sql, log: Logger): Promise<void> {
  await requireSettings(replica).catch((error) => {
    if (!mayPass(error)) throw new Error(`Of DATABASE_REPLICA_URL: ${error.message}`);
    log.warn({ reason: error.message }, 'the replica is away: its settings are not known');
  });
}
