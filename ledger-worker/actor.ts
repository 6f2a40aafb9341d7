/** Who calls the Admin service. */
import type { ServerUnaryCall } from '@grpc/grpc-js';
import { ACTOR_METADATA } from '../proto/ledger.ts';

// Room for what is said beside it, below the bound of ledger.admin_action.
const NAME_LENGTH_MAX = 200;

/**
 * Who calls, for the log of actions: the name that the caller gives itself, which nobody has proved, and the address that
 * it calls from. This is the only place that knows; a name that a certificate proves would have to be taken here.
 */
export function actorOf(call: ServerUnaryCall<never, unknown>): string {
  const [given] = call.metadata.get(ACTOR_METADATA);
  const name = [...(given?.toString() ?? '').replace(/\p{Cc}/gu, ' ').trim()]
    .slice(0, NAME_LENGTH_MAX)
    .join('');
  const peer = call.getPeer();
  return `${name || 'unnamed'} from ${peer.slice(0, peer.lastIndexOf(':')) || peer}`;
}
