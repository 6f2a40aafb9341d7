/** A total that all accounts share, of which each account gets at most a part. */

export interface Quota {
  /** In use by all accounts. */
  used(): number;
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
  /** Releases all of it. */
  close(): void;
}

/** @param accountMax the limit of one account */
export function createQuota(max: number, accountMax: number): Quota {
  const byAccount = new Map<string, number>();
  let used = 0;

  return {
    used: () => used,

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
          const more = amount - own;
          const ofAccount = byAccount.get(accountId) ?? 0;
          if (isClosed || used + more > totalMax || ofAccount + more > accountMax) return false;
          add(more);
          return true;
        },
        close() {
          add(-own);
          isClosed = true;
        },
      };
    },
  };
}
