/**
 * The worker's quotas of requests in flight. Beyond a quota a request is refused at once, so that the gateway tries another worker.
 *
 *   requests of              at most
 *   a service                REQUESTS_IN_FLIGHT_MAX: each has its message in memory, and waits for one of few connections
 *   one node of several      half of it, so that a node that hangs leaves the others
 *   one account, to write    an eighth of its node's quota: they wait for its lock, from any number of gateways
 */
import { createQuota, type Quota, type Reservation } from '../platform/quota.ts';
import { resourceExhausted } from './status.ts';

const NODE_SHARE = 1 / 2;
const ACCOUNT_SHARE = 1 / 8;

/** @param max requests in flight of the service */
export function createNodeQuota(max: number, isOnlyNode: boolean): Quota {
  const ofNode = isOnlyNode ? max : max * NODE_SHARE;
  return createQuota(Math.ceil(ofNode), Math.ceil(ofNode * ACCOUNT_SHARE));
}

/**
 * Runs work that takes one of each quota.
 * @throws RESOURCE_EXHAUSTED beyond a quota
 */
export async function withReservations<Result>(
  reservations: readonly Reservation[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    if (!reservations.every((each) => each.raise(1))) throw resourceExhausted('too many requests in flight');
    return await work();
  } finally {
    for (const each of reservations) each.close();
  }
}
