/** A total that requests share. Each account gets at most a part of it. */

export interface Quota {
  /** In use, by all. */
  used(): number;
  /** Whether the account and all together are within their limits. `force` can exceed them. */
  isWithin(accountId: string): boolean;
  /** Accounts that use some of it. */
  accounts(): number;
  /** A reservation of 0 for one request. @param accountId absent: of no account, or of one that is not known */
  open(accountId?: string): Reservation;
}

export interface Reservation {
  /** Raises the reservation to `amount`. @returns false when that exceeds a limit, or after `close` */
  raise(amount: number): boolean;
  /** Raises the reservation beyond the limits, for a response that can no longer be refused. Does nothing after `close`. */
  force(amount: number): void;
  /** Releases all of it. */
  close(): void;
}

/** @param accountMax the limit of one account */
export function createQuota(max: number, accountMax = max): Quota {
  const byAccount = new Map<string, number>();
  let used = 0;

  const exceeds = (accountId: string | undefined, more: number) =>
    used + more > max || (accountId !== undefined && (byAccount.get(accountId) ?? 0) + more > accountMax);

  return {
    used: () => used,
    isWithin: (accountId) => !exceeds(accountId, 0),
    accounts: () => byAccount.size,

    open(accountId) {
      let own = 0;
      let isClosed = false;
      const add = (amount: number) => {
        used += amount;
        own += amount;
        if (accountId === undefined) return;
        const ofAccount = (byAccount.get(accountId) ?? 0) + amount;
        if (ofAccount > 0) byAccount.set(accountId, ofAccount);
        else byAccount.delete(accountId);
      };
      return {
        raise(amount) {
          if (isClosed || exceeds(accountId, amount - own)) return false;
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
