/** Locks that stand in the way of the service, as somebody else's transaction would hold them, and who waits for them. */
import { openDatabase } from '../ledger-worker/database.ts';
import { sql, system } from './system.ts';

export interface Locks {
  /** The account's row: its writes wait. */
  account(accountId: string): Promise<void>;
  /** The rows of the account's sources. */
  sourcesOf(accountId: string): Promise<void>;
  /** A whole table: its reads wait, too. */
  table(name: 'ledger.entry' | 'ledger.source'): Promise<void>;
  /** Gives all of them back; without any it does nothing. */
  release(): Promise<void>;
  close(): Promise<void>;
}

/** The first lock begins the transaction that holds them all. */
export function openLocks(): Locks {
  const connection = openDatabase({ url: system.databaseUrl, poolMax: 1, statementTimeoutMs: 0 });
  let begun: Promise<unknown> | undefined;
  const begin = () => {
    // In a circle of waiting transactions it is the service's that has to give up.
    begun ??= connection.unsafe("begin; set local deadlock_timeout = '1min'");
    return begun;
  };
  return {
    async account(accountId) {
      await begin();
      await connection`select from ledger.account where account_id = ${accountId} for update`;
    },
    async sourcesOf(accountId) {
      await begin();
      await connection`select from ledger.source where account_id = ${accountId} for update`;
    },
    async table(name) {
      await begin();
      await connection`lock table ${connection(name)} in access exclusive mode`;
    },
    async release() {
      if (begun) await connection.unsafe('rollback');
      begun = undefined;
    },
    close: () => connection.end(),
  };
}

/** The backends whose statement waits for a lock and contains `text`. */
export async function backendsWaiting(text = 'ledger.create_batches'): Promise<number[]> {
  const rows = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity
     where wait_event_type = 'Lock' and query like ${`%${text}%`} and pid <> pg_backend_pid()`;
  return rows.map(({ pid }) => pid);
}
