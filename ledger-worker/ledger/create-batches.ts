/** Creating entries: the statement, its parameters, and its result. */
import type { CallContext } from '../../proto/contract.ts';
import { LIMITS, type SourceType } from '../../proto/vocabulary.ts';
import { arrayText, bytesField, rowElement, textField } from '../database/array-literal.ts';
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

/** The client's idempotency key, and the SHA-256 of its request. */
interface Idempotency {
  key: string;
  fingerprint: Buffer;
}

/** The entries of one request: all of them are created, or none. */
export interface Batch {
  caller: Caller;
  sourceId: string;
  entries: readonly NewEntry[];
  /** The entries as `entryRows` formats them. Absent: they are formatted with the statement. */
  rows?: readonly string[];
  /** Size of the entries as JSON. */
  bytes?: number;
  idempotency: Idempotency | null;
  call: CallContext;
}

export interface CreatedBatch {
  outcome: 'created';
  added: number;
  /** How many references were known. */
  deduplicated: number;
  /** The response as JSON (specification: CreateResult). Null if all entries are new. */
  result: string | null;
}

export type Outcome =
  | CreatedBatch
  | { outcome: 'idempotencyKeyReused' }
  | { outcome: 'invalidCategories'; sourceType: SourceType; indexes: number[] }
  | { outcome: 'dailyCapReached'; fitsNow: number; retryAfterMs: number }
  | { outcome: 'expired' }
  | typeof SOURCE_NOT_FOUND
  | Rejected;

/** A row of both statements below: sql/functions/write/write_batches.sql lists the outcomes and their details. */
type Row = { batch: number; added: number; deduplicated: number; result: string | null } & (
  | { outcome: 'created'; detail: null }
  | { outcome: 'invalid_categories'; detail: { sourceType: SourceType; indexes: number[] } }
  | { outcome: 'daily_cap'; detail: { fitsNow: number; retryAfterMs: number } }
  | {
      outcome:
        | 'invalid_key'
        | 'upgrade_required'
        | 'source_not_found'
        | 'idempotency_key_reused'
        | 'expired'
        | 'lock_unavailable';
      detail: null;
    }
);

const COLUMNS = 'outcome, batch, added, detail, deduplicated, result';

export const WRITE_BATCHES = `
  select ${COLUMNS}
    from ledger.write_batches($1::ledger.batch[], $2::ledger.new_entry[], $3, $4, $5, $6)`;

/** The last parameter is an account on the node of all batches, or null where the books are not distributed. */
export const WRITE_ENTRIES = `
  select ${COLUMNS}
    from ledger.write_entries($7, $1::ledger.batch[], $2::ledger.new_entry[], $3, $4, $5, $6)`;

/**
 * Creates batches of entries in one transaction, each of them whole or not at all (specification: POST transactions). An
 * entry whose externalRef is known in the account is not created but reported as existing. Repeating a call with the
 * same ids changes nothing, and neither does repeating a request under the same idempotency key.
 * @param waitForLock wait for the account's lock; only for batches of one account
 * @param accountId on distributed books, an account on the node of all batches; otherwise null
 * @returns an outcome for each batch, in order; without `waitForLock` it is 'lockUnavailable' if another transaction holds the
 *   lock of the account
 */
export async function createBatches(
  pool: Pool,
  batches: readonly Batch[],
  waitForLock: boolean,
  signal: AbortSignal,
  accountId: string | null,
): Promise<(Outcome | 'lockUnavailable')[]> {
  const isOneAccount = batches.every(({ caller }) => caller.accountId === batches[0]?.caller.accountId);
  const parameters = createParameters(batches, waitForLock);
  const query = (sql: Sql) =>
    isOneAccount || accountId !== null
      ? sql.unsafe<Row[]>(WRITE_ENTRIES, [...parameters, accountId], { prepare: true })
      : sql.unsafe<Row[]>(WRITE_BATCHES, parameters, { prepare: true });
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
    case 'created':
      return { outcome: 'created', added: row.added, deduplicated: row.deduplicated, result: row.result };
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
    case 'lock_unavailable':
      return 'lockUnavailable';
  }
}

// Reserved for the insert, its commit and the response: a write that gets its lock later than this before its deadline
// would be stored after its client was told that it failed.
const COMMIT_MS = 100;
// Of a call without a deadline.
const TIMEOUT_MS_MAX = 60 * 60 * 1000;

/** The parameters of WRITE_BATCHES, and the first ones of WRITE_ENTRIES. */
export function createParameters(batches: readonly Batch[], waitForLock: boolean): (string | boolean)[] {
  // Formatted when the statement is sent: the time left is measured then, and a statement may wait for a connection.
  const sent = { toString: () => batchesText(batches) };
  return [
    sent as string,
    entriesText(batches),
    String(LIMITS.entriesPerDay),
    `${LIMITS.dayWindowMs} ms`,
    `${LIMITS.idempotencyKeyMs} ms`,
    waitForLock,
  ];
}

/** As ledger.batch[]. */
function batchesText(batches: readonly Batch[]): string {
  let last = 0;
  return arrayText(batches, ({ caller, sourceId, call, idempotency, entries }) => {
    const first = last + 1;
    last += entries.length;
    return rowElement([
      caller.accountId,
      bytesField(caller.keyHash),
      sourceId,
      Math.floor(Math.min(call.remainingMs() - COMMIT_MS, TIMEOUT_MS_MAX)),
      textField(idempotency?.key),
      bytesField(idempotency?.fingerprint),
      first,
      last,
    ]);
  });
}

// A step takes less than a millisecond.
const STEP_ENTRIES = 50;

/** The entries of one request as ledger.new_entry, without the first field: the number of their batch. Yields between steps. */
export function* entryRows(entries: readonly NewEntry[]): Generator<void, string[]> {
  const rows: string[] = [];
  for (let first = 0; first < entries.length; first += STEP_ENTRIES) {
    rows.push(...entries.slice(first, first + STEP_ENTRIES).map((entry) => fieldsOf(entry).join()));
    yield;
  }
  return rows;
}

function fieldsOf(entry: NewEntry): (string | number)[] {
  const { id, date, type, amountPence, category, description, externalRef } = entry;
  return [id, date, type, amountPence, textField(category), textField(description), textField(externalRef)];
}

/** As ledger.new_entry[], in the order of the batches. */
function entriesText(batches: readonly Batch[]): string {
  const elements = batches.flatMap(
    ({ entries, rows }, index) =>
      rows?.map((row) => rowElement([index + 1, row])) ??
      entries.map((entry) => rowElement([index + 1, ...fieldsOf(entry)])),
  );
  return `{${elements.join()}}`;
}
