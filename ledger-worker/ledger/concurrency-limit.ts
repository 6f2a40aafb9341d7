/** Refuses requests at once when they cannot be executed soon, so that the gateway tries another worker. */
import { resourceExhausted } from '../handlers.ts';

export interface ConcurrencyLimit {
  /** @throws RESOURCE_EXHAUSTED at the limit, or at the limit of one of the shares */
  run<Result>(work: () => Promise<Result>, shares?: readonly Share[]): Promise<Result>;
  inFlight(): number;
}

/** A part of the requests in flight: the most that one account or one node can hold. */
export interface Share {
  name: string;
  /** A fraction of the limit. */
  part: number;
}

/** @param max requests in flight: each holds its message in memory, and waits for one of few connections */
export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  const inFlightOf = new Map<string, number>();
  let inFlight = 0;

  function count({ name }: Share, difference: 1 | -1): void {
    const requests = (inFlightOf.get(name) ?? 0) + difference;
    if (requests > 0) inFlightOf.set(name, requests);
    else inFlightOf.delete(name);
  }

  return {
    inFlight: () => inFlight,

    async run(work, shares = []) {
      if (inFlight >= max) throw resourceExhausted('too many requests in flight');
      for (const { name, part } of shares) {
        if ((inFlightOf.get(name) ?? 0) >= Math.ceil(max * part)) {
          throw resourceExhausted(`too many requests of the ${name} in flight`);
        }
      }
      inFlight++;
      for (const share of shares) count(share, 1);
      try {
        return await work();
      } finally {
        inFlight--;
        for (const share of shares) count(share, -1);
      }
    },
  };
}
