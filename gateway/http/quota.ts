/** A total that all accounts share. Each account gets at most a part of it. */
import { LIMITS } from '../../proto/domain.ts';

export interface Quota {
  /** In use by all accounts. */
  used(): number;
  /** Whether the account and all accounts together are within their limits. `force` can exceed them. */
  isWithin(accountId: string): boolean;
  /** Accounts that use some of it. */
  accounts(): number;
  /** A reservation of 0 for one request. */
  open(accountId: string): Reservation;
}

export interface Reservation {
  amount(): number;
  /**
   * Raises the reservation to `amount`.
   * @param makeRoom called while all accounts together are at their limit; releases another reservation, or returns false
   * @returns false when that exceeds a limit, or after `close`
   */
  raise(amount: number, makeRoom?: () => boolean): boolean;
  /** Raises the reservation beyond the limits, for a response that can no longer be refused. Does nothing after `close`. */
  force(amount: number): void;
  /** Releases all of it. */
  close(): void;
}

/** A quota of bytes. One account gets an eighth, or one body of the largest size. */
export function createByteQuota(bytesMax: number): Quota {
  return createQuota(bytesMax, Math.max(bytesMax / 8, LIMITS.bodyBytesMax));
}

/** @param accountMax the limit of one account */
export function createQuota(max: number, accountMax: number): Quota {
  const byAccount = new Map<string, number>();
  let used = 0;

  const exceedsShare = (accountId: string, more: number) =>
    (byAccount.get(accountId) ?? 0) + more > accountMax;

  return {
    used: () => used,
    isWithin: (accountId) => used <= max && !exceedsShare(accountId, 0),
    accounts: () => byAccount.size,

    open(accountId) {
      let own = 0;
      let isClosed = false;
      const add = (amount: number) => {
        const ofAccount = (byAccount.get(accountId) ?? 0) + amount;
        if (ofAccount > 0) byAccount.set(accountId, ofAccount);
        else byAccount.delete(accountId);
        used += amount;
        own += amount;
      };
      return {
        amount: () => own,
        raise(amount, makeRoom = () => false) {
          if (isClosed || exceedsShare(accountId, amount - own)) return false;
          while (used + amount - own > max) if (!makeRoom()) return false;
          // `makeRoom` may have released this reservation.
          if (isClosed) return false;
          add(amount - own);
          return true;
        },
        force(amount) {
          if (!isClosed) add(amount - own);
        },
        close() {
          add(-own);
          isClosed = true;
        },
      };
    },
  };
}
