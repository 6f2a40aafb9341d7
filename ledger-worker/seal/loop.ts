/** Seals stored entries in the background: docs/seals.md. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Sql } from '../database/connection.ts';
import { loggable } from '../database/errors.ts';

// Once a day a pass is due. One of the workers makes it.
const CHECK_EVERY_MS = 5_000;
/** A call takes a fraction of the statement timeout. */
const ENTRIES_PER_CALL = 20_000;
const ACCOUNTS_PER_CALL = 100;
const BELOW_ALL_IDS = '00000000-0000-0000-0000-000000000000';

/** Starts the loop. @returns a function that stops it */
export function startSealing(nodes: { readonly sql: Sql }, log: Logger): () => Promise<void> {
  const stop = new AbortController();
  const loop = async () => {
    while (!stop.signal.aborted) {
      try {
        const [row] = await nodes.sql<{ day: string | null }[]>`
          select ledger.begin_sealing(${new Date().toISOString()}::text::timestamptz)::text as day`;
        if (row?.day) await sealAccounts(nodes, row.day, log, stop.signal);
      } catch (error) {
        // The next pass seals the rest.
        log.warn({ err: loggable(error) }, 'sealing failed');
      }
      await sleep(CHECK_EVERY_MS, undefined, { signal: stop.signal }).catch(() => {});
    }
  };
  const stopped = loop();
  return () => {
    stop.abort();
    return stopped;
  };
}

/** A pass over all accounts, one statement at a time. Logs the digest of its seals, in the order of an export. */
export async function sealAccounts(
  nodes: { readonly sql: Sql },
  day: string,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const digest = createHash('sha256');
  let seals = 0;
  for (let after: string | undefined = BELOW_ALL_IDS; after !== undefined && !signal.aborted; ) {
    const accounts: { id: string }[] = await nodes.sql`
      select account_id as id from ledger.account where account_id > ${after} order by account_id limit ${ACCOUNTS_PER_CALL}`;
    after = accounts.at(-1)?.id;
    for (let left = accounts; left.length > 0 && !signal.aborted; ) {
      const ids = `{${left.map(({ id }) => id).join()}}`;
      const [step] = await nodes.sql<[{ done: number; digests: string }]>`
        select done, array_to_string(array(select encode(digest, 'hex') from unnest(digests) as digest), ' ') as digests
          from ledger.seal_accounts(${ids}::text::uuid[], ${day}::text::date, ${ENTRIES_PER_CALL})`;
      for (const each of step.digests.split(' ').filter(Boolean)) {
        digest.update(`${each}\n`);
        seals++;
      }
      left = left.slice(step.done);
    }
  }
  if (seals > 0) log.info({ day, seals, digest: digest.digest('hex') }, 'entries sealed');
}
