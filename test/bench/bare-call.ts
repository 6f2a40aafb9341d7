/** The worker's statement for creating entries, with its parameters, for a session that sends only this statement. */
import { createParameters as parametersOf } from '../../ledger-worker/ledger/create-batches.ts';
import { LIMITS } from '../../proto/vocabulary.ts';
import type { Account } from './accounts.ts';
import type { NewEntry } from './entries.ts';

export { WRITE_ENTRIES as CREATE } from '../../ledger-worker/ledger/create-batches.ts';

/** The first column when entries were created or already existed. */
export const CREATED = 'created';

/**
 * The same statement for pgbench and single entries. pgbench cannot generate accounts and ids, so the account comes from
 * bench.account and the ids from the server.
 */
export const PGBENCH_CREATE = `
\\set n random(1, :accounts)
\\set day random(0, 729)
\\set pence random(500, 250000)
select outcome, detail
  from bench.account a,
       ledger.write_entries(
         a.account_id,
         array[row(a.account_id, a.key_hash, a.source_id, 10000, null, null, 1, 1)::ledger.batch],
         array[row(1, uuidv7(), date '2024-04-06' + :day::int, 'expense', :pence, 'repairsAndMaintenance',
                   'CARD PAYMENT TO SCREWFIX DIRECT', 'bank-' || uuidv7())::ledger.new_entry],
         ${LIMITS.entriesPerDay}, interval '${LIMITS.dayWindowMs} ms', interval '${LIMITS.idempotencyKeyMs} ms', true)
 where a.n = :n
`;

// Longer than any lock wait.
const CALL = { signal: new AbortController().signal, remainingMs: () => 10_000 };

/** The parameters for one batch in its own transaction. Entries without an id get one. */
export function createParameters(account: Account, entries: readonly NewEntry[]): (string | boolean)[] {
  const batch = {
    caller: { accountId: account.accountId, keyHash: Buffer.from(account.keyHash, 'hex') },
    sourceId: account.sourceId,
    entries: entries.map((entry) => ({ id: Bun.randomUUIDv7(), ...entry })),
    idempotency: null,
    call: CALL,
  };
  return [...parametersOf([batch], true), account.accountId];
}
