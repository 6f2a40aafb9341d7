/** The account of each key that this process has seen, and whether the key can write. Neither ever changes. */
import { LRUCache } from 'lru-cache';
import type { Identity } from '../ledger/client.ts';

/**
 * With it, the keys of the limits in Redis are known without a request to the worker. It decides nothing: the worker checks the key in the
 * transaction that does the work.
 */
export interface KeyAccounts {
  /** @param identify gets the account from the worker if it is not remembered. @throws the error of `identify` */
  accountOf(keyHash: Buffer, identify: () => Promise<KeyAccount>): Promise<KeyAccount>;
  /** Called when the worker refuses the key. */
  forget(keyHash: Buffer): void;
}

export type KeyAccount = Pick<Identity, 'accountId' | 'readOnly'>;

const ACCOUNTS_MAX = 50_000;
const ACCOUNT_TTL_MS = 5 * 60 * 1000;

/** @param clock in ms. @param max keys; their memory is taken at once */
export function rememberKeyAccounts(clock: { now(): number } = performance, max = ACCOUNTS_MAX): KeyAccounts {
  const accounts = new LRUCache<string, KeyAccount>({
    max,
    ttl: ACCOUNT_TTL_MS,
    // Otherwise each lookup starts a timer.
    ttlResolution: 0,
    perf: clock,
  });
  const nameOf = (keyHash: Buffer) => keyHash.toString('base64');
  return {
    async accountOf(keyHash, identify) {
      const name = nameOf(keyHash);
      const remembered = accounts.get(name);
      if (remembered !== undefined) return remembered;
      const { accountId, readOnly } = await identify();
      const account = { accountId, readOnly };
      accounts.set(name, account);
      return account;
    },
    forget(keyHash) {
      accounts.delete(nameOf(keyHash));
    },
  };
}
