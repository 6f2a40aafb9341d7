/**
 * The slots of requests in flight. Without a free one a request is refused at once, so that the gateway tries another worker.
 *
 *   requests of              at most
 *   a service                REQUESTS_IN_FLIGHT_MAX: each has its message in memory, and waits for one of few connections
 *   one node of several      half of it, so that a node that hangs leaves the others
 *   one account, to write    an eighth of its node's slots: they wait for its lock, from any number of gateways
 */
import { createQuota, type Quota, type Reservation } from '../platform/quota.ts';
import { resourceExhausted } from './status.ts';

const NODE_PART = 1 / 2;
const ACCOUNT_PART = 1 / 8;

/** @param max requests in flight of the service */
export function createNodeSlots(max: number, isOnlyNode: boolean): Quota {
  const ofNode = isOnlyNode ? max : max * NODE_PART;
  return createQuota(Math.ceil(ofNode), Math.ceil(ofNode * ACCOUNT_PART));
}

/**
 * Runs work that takes a slot of each quota.
 * @throws RESOURCE_EXHAUSTED without a free slot
 */
export async function withSlots<Result>(
  slots: readonly Reservation[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    if (!slots.every((slot) => slot.raise(1))) throw resourceExhausted('too many requests in flight');
    return await work();
  } finally {
    for (const slot of slots) slot.close();
  }
}
