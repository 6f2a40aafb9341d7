/** An amount that all accounts have together, and of which each may take no more than a share. */

export interface Quota {
  /** By all accounts, now. */
  taken(): number;
  /** What one request takes of it: nothing yet. */
  open(accountId: string): Share;
}

export interface Share {
  /** Takes as much as makes `amount` in all. @returns false when there is not so much, or the share is closed */
  grow(amount: number): boolean;
  /** Gives everything back. */
  close(): void;
}

/** @param accountMax the largest share of one account */
export function createQuota(max: number, accountMax: number): Quota {
  const byAccount = new Map<string, number>();
  let taken = 0;

  return {
    taken: () => taken,

    open(accountId) {
      let own = 0;
      let isClosed = false;
      const add = (amount: number) => {
        const ofAccount = (byAccount.get(accountId) ?? 0) + amount;
        if (ofAccount > 0) byAccount.set(accountId, ofAccount);
        else byAccount.delete(accountId);
        taken += amount;
        own += amount;
      };
      return {
        grow(amount) {
          const more = amount - own;
          const ofAccount = byAccount.get(accountId) ?? 0;
          if (isClosed || taken + more > max || ofAccount + more > accountMax) return false;
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
