/** Schedules of the group commit: writes of three accounts, and a database that refuses, hangs, and loses responses after commits. */
import fc from 'fast-check';
import { GroupCommit } from '../../ledger-worker/ledger/group-commit.ts';
import { rule, type Schedule, schedulesOf } from './schedule.ts';

const LIMITS = { groupsMax: 2, lockWaitersMax: 1, membersMax: 3, sizeMax: 6 };

const plan = fc.record({
  writes: fc.array(
    fc.record({
      account: fc.constantFrom('A', 'B', 'C'),
      size: fc.integer({ min: 1, max: 6 }),
      isRefused: fc.boolean(),
      isCancelled: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  /** Of each statement in turn. Every later one commits and responds. */
  statements: fc.array(fc.constantFrom('responds', 'loses the response', 'fails', 'hangs'), { maxLength: 6 }),
  locked: fc.subarray(['A', 'B', 'C']),
});

interface Write {
  name: string;
  account: string;
  size: number;
  isRefused: boolean;
  context: { signal: AbortSignal; remainingMs: () => number };
}

/** The database: one transaction per statement, and a lock per account that another transaction may hold. */
class Database {
  /** The writes that it has created, in order. */
  readonly created: string[] = [];
  /** The writes of each statement. */
  readonly statements: {
    names: string[];
    /** It was cancelled while a write of it was not. */
    isShared?: boolean;
    end?: 'responded' | 'refused' | 'lost' | 'failed' | 'cancelled';
  }[] = [];
  readonly #locks = new Map<string, Promise<void>>();
  readonly #locked = new Set<string>();
  /** The writes of groups that have failed. */
  readonly #repeated = new Set<string>();
  #running: { waitForLock: boolean; accounts: string[] }[] = [];

  constructor(
    private readonly schedule: Schedule,
    private readonly behaviours: readonly string[],
    locked: readonly string[],
  ) {
    for (const account of locked) this.#locked.add(account);
  }

  /** Not before: the locks of several accounts are then waited for at once. */
  #expectRelease(account: string): void {
    if (this.#locks.has(account)) return;
    const released = this.schedule.happens(`another transaction releases the lock of ${account}`);
    this.#locks.set(
      account,
      released.then(() => void this.#locked.delete(account)),
    );
  }

  async execute(writes: readonly Write[], waitForLock: boolean, signal: AbortSignal) {
    const names = writes.map(({ name }) => name);
    const statement: Database['statements'][number] = { names };
    const n = this.statements.push(statement);
    const running = { waitForLock, accounts: [...new Set(writes.map(({ account }) => account))] };
    this.schedule.note(
      `statement ${n} has ${names.join(', ')}${waitForLock ? ', and waits for its lock' : ''}`,
    );
    this.#requireLimits(writes, running);
    this.#running.push(running);
    try {
      return await this.#transaction(n, statement, writes, waitForLock, signal);
    } finally {
      this.#running = this.#running.filter((each) => each !== running);
    }
  }

  #requireLimits(writes: readonly Write[], next: { waitForLock: boolean; accounts: string[] }): void {
    const isRepeated = writes.some(({ name }) => this.#repeated.has(name));
    rule(!isRepeated || writes.length === 1, 'a write whose group has failed shares a statement again');
    const size = writes.reduce((sum, write) => sum + write.size, 0);
    rule(writes.length <= LIMITS.membersMax && size <= LIMITS.sizeMax, 'a group exceeds its limits');
    const alike = this.#running.filter(({ waitForLock }) => waitForLock === next.waitForLock).length;
    rule(
      alike < (next.waitForLock ? LIMITS.lockWaitersMax : LIMITS.groupsMax),
      'too many statements at once',
    );
    rule(
      !next.waitForLock || next.accounts.length === 1,
      'a group that waits for a lock has several accounts',
    );
    for (const account of next.accounts)
      rule(
        !this.#running.some(({ accounts }) => accounts.includes(account)),
        `${account} has two statements at once`,
      );
  }

  async #transaction(
    n: number,
    statement: Database['statements'][number],
    writes: readonly Write[],
    waitForLock: boolean,
    signal: AbortSignal,
  ) {
    const cancelled = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => {
        statement.isShared = writes.some(({ context }) => !context.signal.aborted);
        statement.end ??= 'cancelled';
        reject(signal.reason);
      });
    });
    cancelled.catch(() => {});
    const fail = (end: 'refused' | 'lost' | 'failed'): never => {
      statement.end ??= end;
      if (writes.length > 1) for (const { name } of writes) this.#repeated.add(name);
      throw new Error(end);
    };
    const behaviour = this.behaviours[n - 1] ?? 'responds';
    if (behaviour === 'hangs') {
      await Promise.race([this.schedule.happens(`statement ${n}, which hangs, is ended`), cancelled]);
      fail('failed');
    }
    if (waitForLock) await Promise.race([this.#locks.get(`${writes[0]?.account}`), cancelled]);
    await Promise.race([this.schedule.happens(`statement ${n} ${behaviour}`), cancelled]);
    if (writes.some(({ isRefused }) => isRefused)) fail('refused');
    if (behaviour === 'fails') fail('failed');
    const outcomes = writes.map(({ name, account }) => {
      if (!waitForLock && this.#locked.has(account)) {
        this.#expectRelease(account);
        return 'lockUnavailable' as const;
      }
      if (!this.created.includes(name)) this.created.push(name);
      return `${name} is created`;
    });
    if (behaviour === 'loses the response') fail('lost');
    await Promise.race([this.schedule.happens(`the response to statement ${n} arrives`), cancelled]);
    statement.end ??= 'responded';
    return outcomes;
  }
}

export const groupCommit = schedulesOf({
  plan,
  async run(schedule, { writes, statements, locked }) {
    const database = new Database(schedule, statements, locked);
    let broken: Error | undefined;
    const commit = new GroupCommit<Write, string>({
      async execute(members, waitForLock, signal) {
        try {
          return await database.execute(members, waitForLock, signal);
        } catch (error) {
          if (/^(refused|lost|failed)$/.test((error as Error).message) || signal.aborted) throw error;
          broken ??= error as Error;
          // A group that failed would be executed again at once, without end.
          return new Promise(() => {});
        }
      },
      accountOf: ({ account }) => account,
      sizeOf: ({ size }) => size,
      ...LIMITS,
    });
    const arrived: string[] = [];
    const outcomes = new Map<string, string>();
    const cancelledUnsent = new Set<string>();
    for (const [n, { account, size, isRefused, isCancelled }] of writes.entries()) {
      const name = `${account}${n}`;
      const abort = new AbortController();
      const context = { signal: abort.signal, remainingMs: () => Number.POSITIVE_INFINITY };
      const settled = (outcome: string) => {
        schedule.note(`${name}: ${outcome}`);
        outcomes.set(name, outcome);
      };
      schedule.event(`${name} arrives${isRefused ? ', which the database refuses' : ''}`, () => {
        arrived.push(name);
        commit
          .add({ name, account, size, isRefused, context })
          .then(settled, (error) => settled(abort.signal.aborted ? 'cancelled' : (error as Error).message));
        if (!isCancelled) return;
        schedule.event(`the client of ${name} cancels`, () => {
          if (!database.statements.some(({ names }) => names.includes(name))) cancelledUnsent.add(name);
          abort.abort();
        });
      });
    }
    await schedule.run(() => outcomes.size === writes.length);
    if (broken) throw broken;

    for (const [n, { account }] of writes.entries()) {
      const name = `${account}${n}`;
      const outcome = outcomes.get(name);
      rule(outcome !== undefined, `${name} has no outcome`);
      const isCreated = database.created.includes(name);
      const ends = database.statements
        .filter(({ names }) => names.length === 1 && names[0] === name)
        .map(({ end }) => end);
      if (outcome.endsWith('is created'))
        rule(isCreated && outcome === `${name} is created`, `${name} gets the outcome of another write`);
      else if (outcome !== 'cancelled')
        rule(
          ends.includes(outcome as 'lost'),
          `${name} fails, although only a shared statement did: ${outcome}`,
        );
      rule(
        !cancelledUnsent.has(name) || !isCreated,
        `${name} is created, although it was cancelled while it waited`,
      );
    }
    for (const account of ['A', 'B', 'C']) {
      const inOrder = (names: readonly string[]) => names.filter((name) => name.startsWith(account)).join();
      const expected = inOrder(arrived.filter((name) => database.created.includes(name)));
      rule(
        inOrder(database.created) === expected,
        `${inOrder(database.created)} is not the order of arrival, ${expected}`,
      );
    }
    const lost = database.statements.find(({ isShared }) => isShared);
    rule(lost === undefined, `a statement is cancelled for some of its writes: ${lost?.names.join()}`);
    const left = Object.entries(commit.inFlight()).filter(([, count]) => count > 0);
    rule(left.length === 0, `left in use: ${left.join(' ')}`);
  },
});
