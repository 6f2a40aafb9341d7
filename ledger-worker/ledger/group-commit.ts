/**
 * Group commit: requests that wait at the same time are executed together, in one statement and one commit. The requests of a
 * statement are a group; its members are writes, or queries for pages.
 *
 *   add() ──▶ waiting ── end of the event loop's turn ──▶ group ──▶ result | error
 *                ▲                                          │
 *                ├──── 'lockUnavailable': again in a group of its account that waits for the lock
 *                └──── the group failed: again alone, so that one bad member fails only itself
 */
import type { InFlightCounts } from '../../platform/metrics.ts';
import type { RpcContext } from '../handler-types.ts';

interface GroupOptions<Member, Result> {
  /**
   * Executes a group. Returns a result for each member, in order, or 'lockUnavailable' where another transaction holds the
   * lock of its account. With `waitForLock` all members have one account, and the work waits for its lock. `signal` aborts when
   * every member was cancelled.
   */
  execute(
    members: readonly Member[],
    waitForLock: boolean,
    signal: AbortSignal,
  ): Promise<(Result | 'lockUnavailable')[]>;
  /** Only one group per account runs at a time: others would wait for its lock in the database. */
  accountOf?(member: Member): string;
  /** The size of the member, in entries. */
  sizeOf(member: Member): number;
  /** Concurrent groups: while one waits for the disk, another one works. */
  groupsMax: number;
  /** Concurrent groups that wait for a lock, in addition: each holds a connection. */
  lockWaitersMax: number;
  /** Members in a group. */
  membersMax: number;
  /** Total size of a group: no member is larger. */
  sizeMax: number;
}

interface Waiting<Member, Result> {
  member: Member;
  account: string | undefined;
  result: PromiseWithResolvers<Result>;
  /** Its lock was unavailable: it joins only groups of the same account, which wait for the lock. */
  waitForLock: boolean;
  /** Its group failed: it gets a group of its own. */
  retryIndividually: boolean;
  isCancelled: boolean;
}

interface InFlight {
  waiting: number;
  groups: number;
  accounts: number;
}

export class GroupCommit<Member extends { context: RpcContext }, Result> {
  readonly #options: GroupOptions<Member, Result>;
  #waiting: Waiting<Member, Result>[] = [];
  /** The accounts of the running groups. */
  readonly #runningAccounts = new Set<string>();
  #groups = 0;
  #lockWaiters = 0;
  #isScheduled = false;

  constructor(options: GroupOptions<Member, Result>) {
    this.#options = options;
  }

  /**
   * Executes a member, in a group with the others that wait. Never waits for more members.
   * @throws what `execute` throws for the member alone, or the abort reason of the member's context
   */
  async add(member: Member): Promise<Result> {
    const waiting: Waiting<Member, Result> = {
      member,
      account: this.#options.accountOf?.(member),
      result: Promise.withResolvers(),
      waitForLock: false,
      retryIndividually: false,
      isCancelled: false,
    };
    this.#waiting.push(waiting);
    this.#schedule();

    const { signal } = member.context;
    const cancel = () => {
      waiting.isCancelled = true;
      waiting.result.reject(signal.reason);
    };
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      return await waiting.result.promise;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** The numbers of waiting requests, running groups, and accounts of running groups. */
  inFlight(): InFlight {
    return {
      waiting: this.#waiting.length,
      groups: this.#groups + this.#lockWaiters,
      accounts: this.#runningAccounts.size,
    };
  }

  /** Starts groups once per turn of the event loop, so that members and cancellations of one turn are seen together. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#startGroups();
    });
  }

  #startGroups(): void {
    for (let group = this.#nextGroup(); group.length > 0; group = this.#nextGroup()) void this.#run(group);
  }

  /** Takes the next group out of the waiting members, in order of arrival. Empty when none can start. */
  #nextGroup(): Waiting<Member, Result>[] {
    const group: Waiting<Member, Result>[] = [];
    const rest: Waiting<Member, Result>[] = [];
    // Members of one account keep their order.
    const blockedAccounts = new Set(this.#runningAccounts);
    for (const waiting of this.#waiting) {
      const { account, isCancelled } = waiting;
      if (isCancelled) continue;
      if (!(account !== undefined && blockedAccounts.has(account)) && this.#canJoin(group, waiting)) {
        group.push(waiting);
      } else {
        if (account !== undefined) blockedAccounts.add(account);
        rest.push(waiting);
      }
    }
    this.#waiting = rest;
    return group;
  }

  #canJoin(
    group: readonly Waiting<Member, Result>[],
    { member, account, waitForLock, retryIndividually }: Waiting<Member, Result>,
  ): boolean {
    const { sizeOf, groupsMax, lockWaitersMax, membersMax, sizeMax } = this.#options;
    const [first] = group;
    if (!first) return waitForLock ? this.#lockWaiters < lockWaitersMax : this.#groups < groupsMax;
    if (retryIndividually || first.retryIndividually || group.length === membersMax) return false;
    if ((waitForLock || first.waitForLock) && first.account !== account) return false;
    return group.reduce((sum, each) => sum + sizeOf(each.member), sizeOf(member)) <= sizeMax;
  }

  async #run(group: readonly Waiting<Member, Result>[]): Promise<void> {
    const accounts = group.flatMap(({ account }) => account ?? []);
    const waitForLock = group.some((each) => each.waitForLock);
    for (const account of accounts) this.#runningAccounts.add(account);
    if (waitForLock) this.#lockWaiters++;
    else this.#groups++;

    const retries = await this.#execute(group, waitForLock);

    if (waitForLock) this.#lockWaiters--;
    else this.#groups--;
    for (const account of accounts) this.#runningAccounts.delete(account);
    this.#waiting = [...retries, ...this.#waiting];
    this.#startGroups();
  }

  /** @returns the members to execute again */
  async #execute(
    group: readonly Waiting<Member, Result>[],
    waitForLock: boolean,
  ): Promise<Waiting<Member, Result>[]> {
    const members = group.map(({ member }) => member);
    const abort = new AbortController();
    const abortIfAllCancelled = () => {
      if (members.every(({ context }) => context.signal.aborted)) abort.abort();
    };
    for (const { context } of members)
      context.signal.addEventListener('abort', abortIfAllCancelled, { once: true });
    try {
      const results = await this.#options.execute(members, waitForLock, abort.signal);
      const retries: Waiting<Member, Result>[] = [];
      for (const [n, waiting] of group.entries()) {
        const result = results[n];
        if (result === 'lockUnavailable') retries.push(Object.assign(waiting, { waitForLock: true }));
        else waiting.result.resolve(result as Result);
      }
      return retries;
    } catch (error) {
      if (group.length > 1)
        return group.map((waiting) => Object.assign(waiting, { retryIndividually: true }));
      group[0]?.result.reject(error);
      return [];
    } finally {
      for (const { context } of members) context.signal.removeEventListener('abort', abortIfAllCancelled);
    }
  }
}

/** The sum of the usage of `commits`. */
export function inFlightCounts(groupCommits: () => readonly { inFlight(): InFlight }[]): InFlightCounts {
  const sum = (count: (counts: InFlight) => number) => () =>
    groupCommits().reduce((total, each) => total + count(each.inFlight()), 0);
  return {
    requests_waiting: sum(({ waiting }) => waiting),
    groups: sum(({ groups }) => groups),
    accounts_in_groups: sum(({ accounts }) => accounts),
  };
}
