/** Refuses calls at once when they cannot be executed soon, so that the gateway tries another worker. */
import { resourceExhausted, unavailable } from '../handlers.ts';

export interface ConcurrencyLimit {
  /**
   * @param writer the account of a write
   * @throws UNAVAILABLE without the database, RESOURCE_EXHAUSTED at the limit, or at that of the account's writes
   */
  run<Result>(work: () => Promise<Result>, writer?: string): Promise<Result>;
  /** @throws what `run` would throw for any account */
  check(): void;
  inFlight(): number;
}

// As in a gateway. Writes of one account that wait for its lock leave most of the calls to others, however many gateways send them.
const ACCOUNT_SHARE_MAX = 1 / 8;

/** @param max calls in flight: each holds its message in memory, and waits for one of few connections */
export function createConcurrencyLimit(max: number, isDatabaseUp: () => boolean): ConcurrencyLimit {
  const writesMax = Math.ceil(max * ACCOUNT_SHARE_MAX);
  const writes = new Map<string, number>();
  let inFlight = 0;
  const check = () => {
    if (!isDatabaseUp()) throw unavailable('the database is out of reach');
    if (inFlight >= max) throw resourceExhausted('too many calls in flight');
  };
  const countWrite = (writer: string, difference: 1 | -1) => {
    const count = (writes.get(writer) ?? 0) + difference;
    if (count > writesMax) throw resourceExhausted('too many writes of the account in flight');
    if (count > 0) writes.set(writer, count);
    else writes.delete(writer);
  };
  return {
    check,
    inFlight: () => inFlight,

    async run(work, writer) {
      check();
      if (writer !== undefined) countWrite(writer, 1);
      inFlight++;
      try {
        return await work();
      } finally {
        inFlight--;
        if (writer !== undefined) countWrite(writer, -1);
      }
    },
  };
}
