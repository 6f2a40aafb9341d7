/** Which account a key belongs to: the account decides which node can authenticate the key. */

import type { Nodes } from '../database/nodes.ts';
import { observed, type StatementObserver } from '../database/statement-spans.ts';
import type { CallContext } from '../handlers.ts';
import { accountOfKey } from './reads.ts';

const CACHED_MAX = 100_000;

/** @returns a function for the account of a key; null without such a key */
export function accountsByKey(nodes: Nodes, observer: StatementObserver) {
  // The account of a key never changes. The oldest is dropped first.
  const cached = new Map<string, string>();

  return async (keyHash: Buffer, call: CallContext): Promise<string | null> => {
    const name = keyHash.toString('base64');
    const known = cached.get(name);
    if (known !== undefined) return known;
    const accountId = await observed(observer, 'account_of_key', [{ call }], () =>
      nodes.readAnywhere((pool, signal) => accountOfKey(pool, keyHash, signal), call.signal),
    );
    if (accountId !== null) cached.set(name, accountId);
    const [oldest] = cached.keys();
    if (cached.size > CACHED_MAX && oldest !== undefined) cached.delete(oldest);
    return accountId;
  };
}
