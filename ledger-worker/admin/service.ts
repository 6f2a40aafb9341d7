/** The Admin service. */
import type { Nodes } from '../database/nodes.ts';
import type { AdminHandlers } from '../handlers.ts';
import { accountRpcs } from './accounts.ts';
import { actionLogRpcs } from './action-log.ts';
import { keyRpcs } from './keys.ts';
import { reviewQueueRpcs } from './review-queue.ts';
import type { AdminRpcs } from './rpc.ts';
import { sourceRpcs } from './sources.ts';

/**
 * The handlers of proto/admin.proto.
 * @param keyPrefix the prefix of new keys
 */
export function adminService(nodes: Pick<Nodes, 'sql'>, keyPrefix: string): AdminHandlers {
  const rpcs: AdminRpcs<keyof AdminHandlers> = {
    ...accountRpcs,
    ...sourceRpcs,
    ...keyRpcs(keyPrefix),
    ...reviewQueueRpcs,
    ...actionLogRpcs,
  };
  const handlers = Object.entries(rpcs).map(([name, rpc]) => [
    name,
    (...parameters: [never, never]) => rpc(nodes.sql, ...parameters),
  ]);
  return Object.fromEntries(handlers);
}
