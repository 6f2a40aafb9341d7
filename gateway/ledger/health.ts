/** The health of the workers, for probes of the gateway, and the comparison of its clock with the database's, whose time a response has. */
import type { Logger } from 'pino';
import { workerReason } from '../../platform/remedies.ts';
import type { createLedgerClient } from '../../proto/client.ts';
import type { DatabaseTime } from '../../proto/contract.ts';

const HEALTH_MS_MAX = 1_000;
const HEALTH_ATTEMPT_MS_MAX = 500;
const HEALTH_PAUSE_MS = 50;

/**
 * Whether any worker reports SERVING by the gRPC health protocol, within a second.
 * @param onTimes gets the times of the database in the response. @param onFailure gets the reason of each attempt that fails
 */
export async function isServing(
  prober: ReturnType<typeof createLedgerClient>,
  onTimes: (times: readonly DatabaseTime[], roundTripMs: number) => void,
  onFailure?: (reason: string | undefined) => void,
): Promise<boolean> {
  // Each attempt goes to the next worker.
  const end = performance.now() + HEALTH_MS_MAX;
  for (; performance.now() < end; await Bun.sleep(HEALTH_PAUSE_MS)) {
    const sentAt = performance.now();
    const deadline = Date.now() + Math.min(end - sentAt, HEALTH_ATTEMPT_MS_MAX);
    const health = await prober.checkHealth(
      'ledger.v1.Ledger',
      { deadline },
      {
        onError: ({ details, message }) => onFailure?.(workerReason(details ?? message)),
        onTimes: (times) => onTimes(times, performance.now() - sentAt),
      },
    );
    if (health === 'SERVING') return true;
    if (health === 'NOT_SERVING') onFailure?.('the database of the worker is unavailable: see its log');
  }
  return false;
}

// Entries of one date are listed by their ids, which begin with the time of the gateway.
const APART_MS_MAX = 5_000;

export interface ClockObserver {
  /** @param aheadMs as of `aheadMs` below, of the database server that is furthest apart */
  clockCompared(aheadMs: number): void;
}

/**
 * @returns a function that compares this moment with the times in a response. It logs when the clocks come apart, and when they agree again
 */
export function createClockComparison(observer: ClockObserver, log: Logger) {
  let wereApart = false;
  return (times: readonly DatabaseTime[], roundTripMs: number): void => {
    if (times.length === 0) return;
    const now = Date.now();
    const furthest = times
      .map((time) => aheadMs(now, time, roundTripMs))
      .reduce((one, other) => (Math.abs(other) > Math.abs(one) ? other : one));
    observer.clockCompared(furthest);
    const areApart = Math.abs(furthest) > APART_MS_MAX;
    if (areApart && !wereApart) {
      const remedy = 'synchronise the clocks of both machines';
      log.warn(
        { aheadMs: Math.round(furthest) },
        `the clock of this gateway and the clock of the database are apart: ${remedy}`,
      );
    }
    if (!areApart && wereApart) log.info('the clocks of this gateway and of the database agree again');
    wereApart = areApart;
  };
}

/**
 * The time by which this clock is ahead of the database's at least; negative: behind. 0: they may agree.
 * @param roundTripMs of the request: the worker may have read its times at any moment of it
 */
export function aheadMs(now: number, { earliestMs, latestMs }: DatabaseTime, roundTripMs: number): number {
  if (now > latestMs + roundTripMs) return now - latestMs - roundTripMs;
  return now < earliestMs ? now - earliestMs : 0;
}
