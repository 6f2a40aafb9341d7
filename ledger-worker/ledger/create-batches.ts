/** Creating entries: the statement, its parameters, and what its rows mean. */
import type { CallContext } from '../../proto/contract.ts';
import { LIMITS, type SourceType } from '../../proto/vocabulary.ts';
import { arrayText, bytesElement, textElement } from '../database/array-literal.ts';
import type { Sql } from '../database/connection.ts';
import { UnexpectedResult } from '../database/errors.ts';
import type { Pool } from '../database/pool.ts';
import { queryRows } from '../database/query.ts';
import { type Caller, INVALID_KEY, type Rejected, SOURCE_NOT_FOUND, UPGRADE_REQUIRED } from './caller.ts';

export interface NewEntry {
  id: string;
  /** `YYYY-MM-DD` */
  date: string;
  type: string;
  amountPence: number;
  category?: string;
  description?: string;
  externalRef?: string;
}

/** The client's name for its request, and the SHA-256 of what it asks for. */
interface Idempotency {
  key: string;
  fingerprint: Buffer;
}

/** What one request wants to have created: all of it, or nothing. */
export interface Batch {
  caller: Caller;
  sourceId: string;
  entries: readonly NewEntry[];
  idempotency: Idempotency | null;
  call: CallContext;
}

interface Existing {
  index: number;
  id: string;
  differingFields: string[];
}

export type Outcome =
  | { outcome: 'created'; added: number; ids: string[]; existing: Existing[] }
  | { outcome: 'idempotencyKeyReused' }
  | { outcome: 'invalidCategories'; sourceType: SourceType; indexes: number[] }
  | { outcome: 'dailyCapReached'; fitsNow: number; retryAfterMs: number }
  | { outcome: 'expired' }
  | typeof SOURCE_NOT_FOUND
  | Rejected;

/** A row of ledger.create_batches: its outcomes and their details are listed in sql/functions/create_batches.sql. */
type Row = { batch: number; added: number } & (
  | { outcome: 'created'; detail: { ids: string[] | null; existing: Existing[] } | null }
  | { outcome: 'invalid_categories'; detail: { sourceType: SourceType; indexes: number[] } }
  | { outcome: 'daily_cap'; detail: { fitsNow: number; retryAfterMs: number } }
  | {
      outcome:
        | 'invalid_key'
        | 'upgrade_required'
        | 'source_not_found'
        | 'idempotency_key_reused'
        | 'expired'
        | 'busy';
      detail: null;
    }
);

export const CREATE_BATCHES = `
  select outcome, batch, added, detail
    from ledger.create_batches(
      $1::uuid[], $2::bytea[], $3::uuid[], $4::integer[], $5::text[], $6::bytea[], $7::integer[],
      $8::integer[], $9::uuid[], $10::date[], $11::ledger.entry_type[], $12::bigint[], $13::text[], $14::text[],
      $15::text[], $16, $17, $18, $19)`;

/**
 * Creates batches of entries in one transaction, each of them whole or not at all (specification: POST transactions). An
 * entry whose externalRef is known in the account is not created but reported as existing. Repeating a call with the
 * same ids changes nothing, and neither does repeating a request under the same idempotency key.
 * @param waitForLock wait for the account's lock; only for batches of one account
 * @returns an outcome for each batch, in order; without `waitForLock` it is 'lockUnavailable' if another transaction holds the
 *   lock of the account
 */
export async function createBatches(
  pool: Pool,
  batches: readonly Batch[],
  waitForLock: boolean,
  signal: AbortSignal,
): Promise<(Outcome | 'lockUnavailable')[]> {
  const query = (sql: Sql) =>
    sql.unsafe<Row[]>(CREATE_BATCHES, createParameters(batches, waitForLock), { prepare: true });
  const rows = await queryRows(pool, query, 'outcome', signal);
  const outcomes = new Map(rows.map((row) => [row.batch, outcomeOf(row)]));
  return batches.map((_, index) => {
    const outcome = outcomes.get(index + 1);
    if (outcome === undefined) throw new UnexpectedResult();
    return outcome;
  });
}

function outcomeOf(row: Row): Outcome | 'lockUnavailable' {
  switch (row.outcome) {
    case 'created': {
      const { ids, existing } = row.detail ?? { ids: null, existing: [] };
      return { outcome: 'created', added: row.added, ids: ids ?? [], existing };
    }
    case 'invalid_categories':
      return { outcome: 'invalidCategories', ...row.detail };
    case 'daily_cap':
      return { outcome: 'dailyCapReached', ...row.detail };
    case 'invalid_key':
      return INVALID_KEY;
    case 'upgrade_required':
      return UPGRADE_REQUIRED;
    case 'source_not_found':
      return SOURCE_NOT_FOUND;
    case 'idempotency_key_reused':
      return { outcome: 'idempotencyKeyReused' };
    case 'expired':
      return { outcome: 'expired' };
    case 'busy':
      return 'lockUnavailable';
  }
}

// Kept for the insert, its commit and the way back: a write that gets its lock later than this before its deadline
// would be stored after its client was told that it failed.
const COMMIT_MS = 100;
// Without a deadline it is one that nobody reaches.
const PATIENCE_MS_MAX = 60 * 60 * 1000;

/** The parameters of CREATE_BATCHES. */
export function createParameters(batches: readonly Batch[], waits: boolean): (string | boolean)[] {
  const entries = batches.flatMap((batch) => batch.entries);
  // Worded only when the statement is sent: it may have waited for a connection.
  const patience = {
    toString: () =>
      arrayText(batches, ({ call }) =>
        Math.floor(Math.min(call.remainingMs() - COMMIT_MS, PATIENCE_MS_MAX)).toString(),
      ),
  };
  return [
    arrayText(batches, ({ caller }) => caller.accountId),
    arrayText(batches, ({ caller }) => bytesElement(caller.keyHash)),
    arrayText(batches, ({ sourceId }) => sourceId),
    patience as string,
    arrayText(batches, ({ idempotency }) => textElement(idempotency?.key)),
    arrayText(batches, ({ idempotency }) => (idempotency ? bytesElement(idempotency.fingerprint) : 'NULL')),
    arrayText(batches, ({ entries }) => String(entries.length)),
    `{${batches.map(({ entries }, index) => Array(entries.length).fill(index + 1)).join()}}`,
    arrayText(entries, ({ id }) => id),
    arrayText(entries, ({ date }) => date),
    arrayText(entries, ({ type }) => type),
    arrayText(entries, ({ amountPence }) => String(amountPence)),
    arrayText(entries, ({ category }) => textElement(category)),
    arrayText(entries, ({ description }) => textElement(description)),
    arrayText(entries, ({ externalRef }) => textElement(externalRef)),
    String(LIMITS.entriesPerDay),
    `${LIMITS.dayWindowMs} ms`,
    `${LIMITS.idempotencyKeyMs} ms`,
    waits,
  ];
}
