/** Which account a key belongs to, on distributed books: only then is the node known that can authenticate the key. */

import type { Nodes } from '../database/nodes.ts';
import { observed, type StatementObserver } from '../database/statement-spans.ts';
import type { CallContext } from '../handlers.ts';
import { Batcher, type HeldObserver, heldBy } from './batcher.ts';
import { accountsOfKeys } from './reads.ts';

const CACHED_MAX = 100_000;
// Every host has the same keys: the next one is tried when a host does not respond.
const LOOKUP_MS_MAX = 200;
const BATCHES = { batchesMax: 2, lockWaitersMax: 0, itemsMax: 64, sizeMax: 64 };

/** @returns a function for the account of a key; null without such a key */
export function keyAccounts(nodes: Nodes, observer: StatementObserver & HeldObserver) {
  async function lookUp(keyHashes: readonly Buffer[], signal: AbortSignal): Promise<(string | null)[]> {
    for (let others = nodes.hostCount - 1; ; others--) {
      const host = nodes.anyHost();
      const limits = others > 0 ? [AbortSignal.timeout(LOOKUP_MS_MAX)] : [];
      try {
        return await accountsOfKeys(host.lookups, keyHashes, AbortSignal.any([signal, ...limits]));
      } catch (error) {
        if (signal.aborted || others <= 0) throw error;
        nodes.avoid(host);
      }
    }
  }

  // The account of a key never changes. The oldest is dropped first.
  const cached = new Map<string, string>();
  const lookups = new Batcher<{ keyHash: Buffer; call: CallContext }, string | null>({
    execute(requests, _, signal) {
      const keyHashes = requests.map(({ keyHash }) => keyHash);
      return observed(observer, 'accounts_of_keys', requests, () => lookUp(keyHashes, signal));
    },
    sizeOf: () => 1,
    ...BATCHES,
  });
  observer.registerHeld(heldBy(() => [lookups]));

  return async (keyHash: Buffer, call: CallContext): Promise<string | null> => {
    const name = keyHash.toString('base64');
    const known = cached.get(name);
    if (known !== undefined) return known;
    const accountId = await lookups.add({ keyHash, call });
    if (accountId !== null) cached.set(name, accountId);
    const [oldest] = cached.keys();
    if (cached.size > CACHED_MAX && oldest !== undefined) cached.delete(oldest);
    return accountId;
  };
}
