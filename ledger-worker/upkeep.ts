/**
 * Retention and sealing: passes over all accounts in the background. Each worker checks every few seconds whether a pass is due, and one of
 * them makes it. A pass runs one statement at a time, so that a node that hangs takes one connection.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { LIMITS, NIL_UUID } from '../proto/domain.ts';
import { loggable } from './database/errors.ts';
import type { Nodes } from './database/nodes.ts';

/** Each statement gets a connection of its own, so that a pass takes none between them. */
type Database = Pick<Nodes, 'withConnection'>;

const CHECK_EVERY_MS = 5_000;
const RETENTION_EVERY_MS = 60 * 60 * 1000;
// A call takes a fraction of the statement timeout.
const DELETION = { accounts: 1_000, rows: 1_000 };
const SEALING = { accounts: 100, entries: 20_000 };

/** Deletes expired rows, every hour. @returns a function that stops it */
export const startRetention = (database: Database, log: Logger) =>
  startPasses(
    'retention',
    async (signal) => {
      const [row] = await database.withConnection(
        (sql) => sql<{ isDue: boolean }[]>`
          select ledger.begin_retention(${`${RETENTION_EVERY_MS} ms`}) as "isDue"`,
      );
      if (row?.isDue) await deleteExpired(database, signal);
    },
    log,
  );

/** Seals stored entries, once a day: docs/seals.md. @returns a function that stops it */
export const startSealing = (database: Database, log: Logger) =>
  startPasses(
    'sealing',
    async (signal) => {
      const [row] = await database.withConnection(
        (sql) => sql<{ day: string | null }[]>`
          select ledger.begin_sealing(${new Date().toISOString()}::text::timestamptz)::text as day`,
      );
      // If it fails, the next pass seals the rest.
      if (row?.day) await sealAccounts(database, row.day, log, signal);
    },
    log,
  );

/**
 * Starts the checks. Of failures in succession the first one is logged.
 * @param makeDuePass makes a pass if one is due
 */
function startPasses(name: string, makeDuePass: (signal: AbortSignal) => Promise<void>, log: Logger) {
  const stop = new AbortController();
  let isFailing = false;
  const loop = async () => {
    while (!stop.signal.aborted) {
      await sleep(CHECK_EVERY_MS, undefined, { signal: stop.signal }).catch(() => {});
      try {
        if (!stop.signal.aborted) await makeDuePass(stop.signal);
        if (isFailing) log.info(`${name} works again`);
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.warn({ err: loggable(error) }, `${name} failed`);
        isFailing = true;
      }
    }
  };
  const stopped = loop();
  return () => {
    stop.abort();
    return stopped;
  };
}

/** The ids of all accounts, ascending, until the signal. @param atOnce ids in each statement and each result */
async function* accounts(
  database: Database,
  atOnce: number,
  signal: AbortSignal,
): AsyncGenerator<string[], void> {
  let after: string | undefined = NIL_UUID;
  while (after !== undefined && !signal.aborted) {
    const previous: string = after;
    const rows: { id: string }[] = await database.withConnection(
      (sql) => sql<{ id: string }[]>`
        select account_id as id from ledger.account where account_id > ${previous} order by account_id limit ${atOnce}`,
    );
    yield rows.map(({ id }) => id);
    after = rows.at(-1)?.id;
  }
}

/** Deletes logged writes after twice the daily cap's window, and expired idempotency keys. */
export async function deleteExpired(database: Database, signal: AbortSignal): Promise<void> {
  for await (const ids of accounts(database, DELETION.accounts, signal)) {
    for (const id of ids) {
      let hasMore = true;
      while (hasMore && !signal.aborted) hasMore = await deleteSome(database, id);
    }
  }
}

/** @returns whether more rows of the account may have expired */
async function deleteSome(database: Database, accountId: string): Promise<boolean> {
  const [step] = await database.withConnection(
    (sql) => sql<{ hasMore: boolean }[]>`
      select ledger.delete_expired(${accountId}, ${`${LIMITS.writesKeptMs} ms`}, ${`${LIMITS.idempotencyKeyMs} ms`}, ${DELETION.rows})
          as "hasMore"`,
  );
  return step?.hasMore ?? false;
}

/** Logs the digest of the pass's seals, in the order of an export. */
async function sealAccounts(
  database: Database,
  day: string,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const digest = createHash('sha256');
  let seals = 0;
  for await (const ids of accounts(database, SEALING.accounts, signal)) {
    for (let left = ids; left.length > 0 && !signal.aborted; ) {
      const ids = `{${left.join()}}`;
      const [step] = await database.withConnection(
        (sql) => sql<[{ done: number; digests: string }]>`
          select done, array_to_string(array(select encode(digest, 'hex') from unnest(digests) as digest), ' ') as digests
            from ledger.seal_accounts(${ids}::text::uuid[], ${day}::text::date, ${SEALING.entries})`,
      );
      for (const each of step.digests.split(' ').filter(Boolean)) {
        digest.update(`${each}\n`);
        seals++;
      }
      left = left.slice(step.done);
    }
  }
  if (seals > 0) log.info({ day, seals, digest: digest.digest('hex') }, 'entries sealed');
}
