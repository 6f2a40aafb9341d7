/** A total that all accounts share, of which each account gets at most a part. */

export interface Quota {
  /** In use by all accounts. */
  used(): number;
  /** Whether any reservation of the account can be raised now. */
  hasRoom(accountId: string): boolean;
  /** Accounts that use some of it. */
  accounts(): number;
  /** A reservation of 0 for one request. */
  open(accountId: string): Reservation;
}

export interface Reservation {
  /**
   * Raises the reservation to `amount`.
   * @param totalMax a limit of all reservations together that is lower for this one
   * @returns false when that exceeds a limit, or after `close`
   */
  raise(amount: number, totalMax?: number): boolean;
  /** Raises the reservation whatever the limits are: for what can no longer be refused. Does nothing after `close`. */
  force(amount: number): void;
  /** Releases all of it. */
  close(): void;
}

/** @param accountMax the limit of one account */
export function createQuota(max: number, accountMax: number): Quota {
  const byAccount = new Map<string, number>();
  let used = 0;

  const exceeds = (accountId: string, more: number, totalMax: number) =>
    used + more > totalMax || (byAccount.get(accountId) ?? 0) + more > accountMax;

  return {
    used: () => used,
    hasRoom: (accountId) => !exceeds(accountId, 1, max),
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
        raise(amount, totalMax = max) {
          if (isClosed || exceeds(accountId, amount - own, totalMax)) return false;
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
