/** Which account a key belongs to, on distributed books: only then is the node known that can authenticate the key. */
import type { CallContext } from '../../proto/contract.ts';
import type { Nodes } from '../database/nodes.ts';
import { observed, type StatementObserver } from '../database/statement-spans.ts';
import { Batcher } from './batcher.ts';
import { accountsOfKeys } from './reads.ts';

const CACHED_MAX = 100_000;
const BATCHES = { batchesMax: 2, lockWaitersMax: 0, itemsMax: 64, sizeMax: 64 };

/** @returns a function for the account of a key; null without such a key */
export function keyAccounts(nodes: Nodes, observer: StatementObserver) {
  // The account of a key never changes. The oldest is dropped first.
  const cached = new Map<string, string>();
  const lookups = new Batcher<{ keyHash: Buffer; call: CallContext }, string | null>({
    async execute(requests, _, signal) {
      const keyHashes = requests.map(({ keyHash }) => keyHash);
      const lookUp = async (): Promise<(string | null)[]> => {
        const { lookups, untilDown } = nodes.anyHost();
        try {
          return await accountsOfKeys(lookups, keyHashes, AbortSignal.any([signal, untilDown]));
        } catch (error) {
          if (signal.aborted || !untilDown.aborted) throw error;
          // Another host has the same rows.
          return lookUp();
        }
      };
      return observed(observer, 'accounts_of_keys', requests, lookUp);
    },
    sizeOf: () => 1,
    ...BATCHES,
  });

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
