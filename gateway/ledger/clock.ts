/**
 * Compares this process's clock with the database's, which workers report in their health responses. Entries of one date are listed by
 * their ids, which begin with the time of the gateway.
 */
import type { Logger } from 'pino';
import type { DatabaseTime } from '../../proto/contract.ts';

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
