/** Reads pages from a streaming replica, when it is current. */
import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel';
import type { Logger } from 'pino';
import type { CallContext } from '../../proto/contract.ts';
import { requireSettings, type Sql } from '../database/connection.ts';
import { isTransient } from '../database/errors.ts';
import type { Pool } from '../database/pool.ts';
import { observed, type StatementObserver, traced } from '../database/statement-spans.ts';
import {
  listEntries,
  listVersionedEntries,
  type PageQuery,
  type PageResult,
  type VersionedPage,
} from './reads.ts';
import { sourceVersions } from './source-versions.ts';

type PageRequest = PageQuery & { call: CallContext };
export type ReadPages = (pages: readonly PageRequest[], signal: AbortSignal) => Promise<PageResult[]>;

export interface ReplicaObserver extends StatementObserver {
  /** Called once. @returns a function that is called with the number of pages per outcome */
  registerReplica(isUp: () => boolean): (outcome: ReplicaOutcome, pages: number) => void;
}

/** The last three were read from the primary: the replica lagged, failed, or was known to be down. */
export type ReplicaOutcome = 'used' | 'behind' | 'unanswered' | 'not_asked';

// The delay that a slow replica may add to a page, which takes a few ms.
const REPLICA_MS_MAX = 250;
const FAILURES_MAX = 3;
// How long the breaker stays open before one batch of pages tries the replica again.
const RETRY_AFTER_MS = 2_000;

/** Reads from the primary. */
export function primaryPages(primary: Pool, observer: StatementObserver): ReadPages {
  return (pages, signal) =>
    observed(observer, 'list_entries', pages, () => listEntries(primary, pages, signal, null));
}

/**
 * Reads the pages from the replica and, at the same time, the callers' rights and the sources' versions from the primary. A page
 * of the current version equals the one that the primary would have returned. Other pages are read again from the primary, so
 * a lagging or failed replica costs time but never shows old data.
 */
export function replicaPages(
  primary: Pool,
  replica: Pool,
  observer: ReplicaObserver,
  log: Logger,
): ReadPages {
  const breaker = createBreaker(log);
  const countPages = observer.registerReplica(breaker.isClosed);
  const readPrimary = primaryPages(primary, observer);

  async function readReplica(pages: readonly PageRequest[], signal: AbortSignal): Promise<VersionedPage[]> {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(REPLICA_MS_MAX)]);
    const results = await listVersionedEntries(replica, pages, inTime);
    if (results.some((result) => result.outcome === 'page' && result.version === null)) {
      throw new Error('the server of DATABASE_REPLICA_URL is not a standby');
    }
    return results;
  }

  return async (pages, signal) => {
    if (!breaker.allowsRequest()) {
      countPages('not_asked', pages.length);
      return readPrimary(pages, signal);
    }
    const [versions, copies] = await Promise.all([
      observed(observer, 'source_versions', pages, () => sourceVersions(primary, pages, signal)),
      breaker.execute(() => traced('list_entries (replica)', pages, () => readReplica(pages, signal))),
    ]);
    const results = versions.map((current, n) => {
      if (current.outcome !== 'version') return current;
      const copy = copies?.[n];
      return copy?.outcome === 'page' && copy.version === current.version ? copy : undefined;
    });
    const missing = pages.filter((_, n) => results[n] === undefined);
    countPages('used', results.filter((result) => result?.outcome === 'page').length);
    countPages(copies ? 'behind' : 'unanswered', missing.length);
    const read = missing.length > 0 ? await readPrimary(missing, signal) : [];
    return results.map((result) => result ?? (read.shift() as PageResult));
  };
}

/** A circuit breaker. While it is open, one batch of pages tries the replica every two seconds. */
function createBreaker(log: Logger) {
  const isClosed = () => breaker.state === CircuitState.Closed;
  // A cancelled attempt is not a failure, but does not close the breaker either.
  const breaker = circuitBreaker(
    handleWhen((error) => !isAbort(error) || !isClosed()),
    {
      halfOpenAfter: RETRY_AFTER_MS,
      breaker: new ConsecutiveBreaker(FAILURES_MAX),
    },
  );
  let isDown = false;
  let retryAt = 0;
  breaker.onBreak((reason) => {
    retryAt = performance.now() + RETRY_AFTER_MS;
    if (isDown) return;
    isDown = true;
    const error = reason && 'error' in reason ? (reason.error as Error) : undefined;
    log.warn({ reason: error?.message }, 'the replica is away: pages are read from the primary');
  });
  breaker.onReset(() => {
    isDown = false;
    log.info('the replica is back');
  });
  return {
    isClosed,
    allowsRequest: () => isClosed() || (breaker.state === CircuitState.Open && performance.now() >= retryAt),
    /** Undefined when `work` fails. */
    execute: <Result>(work: () => Promise<Result>): Promise<Result | undefined> =>
      breaker.execute(work).catch(() => undefined),
  };
}

function isAbort(error: unknown): boolean {
  return (error as Error).name === 'AbortError';
}

/**
 * Like requireSettings, but a replica that is down does not prevent the start.
 * @throws Error in one sentence
 */
export async function requireReplicaSettings(replica: Sql, log: Logger): Promise<void> {
  await requireSettings(replica).catch((error) => {
    if (!isTransient(error)) throw new Error(`DATABASE_REPLICA_URL: ${error.message}`);
    log.warn({ reason: error.message }, 'the replica is away: its settings are not known');
  });
}
