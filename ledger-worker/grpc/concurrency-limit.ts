/** Who comes in: calls that cannot be answered well are refused at once, so that the gateway can ask another worker. */
import { full, unavailable } from './status.ts';

export interface Door {
  /** Runs `work`. @throws UNAVAILABLE without the database, RESOURCE_EXHAUSTED when the house is full */
  enter<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** @param max calls at the same time: each holds its message, and waits for one of few connections */
export function createDoor(max: number, isReachable: () => boolean): Door {
  let inside = 0;
  return {
    async enter(work) {
      if (!isReachable()) throw unavailable('the database is out of reach');
      if (inside >= max) throw full('too many calls at once');
      inside++;
      try {
        return await work();
      } finally {
        inside--;
      }
    },
  };
}
