/** Seals stored entries, once a day: docs/seals.md. */
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { accounts, type Database, startPasses } from './passes.ts';

/** A call takes a fraction of the statement timeout. */
const ENTRIES_PER_CALL = 20_000;
const ACCOUNTS_PER_CALL = 100;

/** @returns a function that stops it */
export const startSealing = (database: Database, log: Logger) =>
  startPasses(
    'sealing',
    async (signal) => {
      const [row] = await database.sql<{ day: string | null }[]>`
        select ledger.begin_sealing(${new Date().toISOString()}::text::timestamptz)::text as day`;
      // If it fails, the next pass seals the rest.
      if (row?.day) await sealAccounts(database, row.day, log, signal);
    },
    log,
  );

/** A pass over all accounts. Logs the digest of its seals, in the order of an export. */
async function sealAccounts(
  database: Database,
  day: string,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const digest = createHash('sha256');
  let seals = 0;
  for await (const ids of accounts(database, ACCOUNTS_PER_CALL, signal)) {
    for (let left = ids; left.length > 0 && !signal.aborted; ) {
      const [step] = await database.sql<[{ done: number; digests: string }]>`
        select done, array_to_string(array(select encode(digest, 'hex') from unnest(digests) as digest), ' ') as digests
          from ledger.seal_accounts(${`{${left.join()}}`}::text::uuid[], ${day}::text::date, ${ENTRIES_PER_CALL})`;
      for (const each of step.digests.split(' ').filter(Boolean)) {
        digest.update(`${each}\n`);
        seals++;
      }
      left = left.slice(step.done);
    }
  }
  if (seals > 0) log.info({ day, seals, digest: digest.digest('hex') }, 'entries sealed');
}
