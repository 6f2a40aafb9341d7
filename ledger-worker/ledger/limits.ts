/**
 * The worker's limits on requests in flight, for each of its services. Beyond a limit a request is refused at once, so that the gateway
 * tries another worker.
 *
 *   limit                                          at most
 *   requests of the service                        REQUESTS_IN_FLIGHT_MAX: each has its message in memory, and waits for one of few connections
 *   requests of one node of several                half of it, so that a node that hangs leaves the others
 *   writes of one account                          an eighth of its node's part: they wait for its lock, from any number of gateways
 */
import { resourceExhausted } from '../status.ts';

const NODE_PART = 1 / 2;
const ACCOUNT_PART = 1 / 8;

export interface RequestLimit {
  /** @throws RESOURCE_EXHAUSTED at the limit, or at the limit of one of the shares */
  run<Result>(work: () => Promise<Result>, shares?: readonly Share[]): Promise<Result>;
  inFlight(): number;
}

/** The most that one account or one node can have. */
interface Share {
  name: string;
  /** A fraction of the limit. */
  part: number;
}

/**
 * The shares of a request.
 * @param groupId of its node; undefined: the only one
 * @param writingAccount absent: it is a read
 */
export function sharesOf(groupId: number | undefined, writingAccount?: string): Share[] {
  const part = groupId === undefined ? 1 : NODE_PART;
  const ofNode = { name: `node ${groupId}`, part };
  if (writingAccount === undefined) return [ofNode];
  return [ofNode, { name: `account ${writingAccount}`, part: part * ACCOUNT_PART }];
}

/** @param max requests in flight */
export function createRequestLimit(max: number): RequestLimit {
  const byShare = new Map<string, number>();
  let inFlight = 0;

  function count({ name }: Share, difference: 1 | -1): void {
    const requests = (byShare.get(name) ?? 0) + difference;
    if (requests > 0) byShare.set(name, requests);
    else byShare.delete(name);
  }

  return {
    inFlight: () => inFlight,

    async run(work, shares = []) {
      if (inFlight >= max) throw resourceExhausted('too many requests in flight');
      for (const { name, part } of shares) {
        if ((byShare.get(name) ?? 0) >= Math.ceil(max * part)) {
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
