/** Refuses calls at once when they cannot be executed soon, so that the gateway tries another worker. */
import { resourceExhausted, unavailable } from '../../proto/status-error.ts';

export interface ConcurrencyLimit {
  /** @throws UNAVAILABLE without the database, RESOURCE_EXHAUSTED at the limit */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** @param max calls in flight: each holds its message in memory, and waits for one of few connections */
export function createConcurrencyLimit(max: number, isDatabaseUp: () => boolean): ConcurrencyLimit {
  let inFlight = 0;
  return {
    async run(work) {
      if (!isDatabaseUp()) throw unavailable('the database is out of reach');
      if (inFlight >= max) throw resourceExhausted('too many calls in flight');
      inFlight++;
      try {
        return await work();
      } finally {
        inFlight--;
      }
    },
  };
}
