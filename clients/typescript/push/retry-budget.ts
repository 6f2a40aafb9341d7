/** The bounds of the retries of one `pushCompared`. Its comparisons do not renew them. */

import { noWaits, type Pause, type Waits } from '../retries.ts';

/** Counts the waits and failures of all phases of one `pushCompared`. */
export function retryBudget() {
  /** How long the running request has waited at each limit. */
  const waits = noWaits();
  /** Since when the service has responded to no write. */
  let failingSince = Number.POSITIVE_INFINITY;
  return {
    /** The rest of the budget, as the options of the next phase. */
    rest: (retryTimeoutMs: number): { waits: Waits; retryTimeoutMs: number } => {
      const failingMs = Math.max(0, Date.now() - failingSince);
      return { waits, retryTimeoutMs: retryTimeoutMs - failingMs };
    },
    /** Call it after each request that has outcomes, and when a wait begins. */
    note: (pause: Pause | undefined): void => {
      const isFailing = pause?.reason === 'unavailable';
      failingSince = isFailing ? Math.min(failingSince, Date.now()) : Number.POSITIVE_INFINITY;
    },
  };
}
