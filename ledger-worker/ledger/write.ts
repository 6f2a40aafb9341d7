/**
 * The write: its entries, the statement with its parameters, and the outcomes. A value that the database refuses fails the whole group,
 * whose members are then executed alone (group-commit.ts).
 */
import type {
  Caller__Output as Caller,
  CreateEntriesRequest__Output as CreateEntriesRequest,
  CreateEntriesResponse,
} from '../../proto/contract.ts';
import { ENTRY_TEXTS, ENTRY_TYPES, type EntryTexts, isUuidV7, LIMITS } from '../../proto/domain.ts';
import { arrayText, bytesField, rowElement, textField } from '../database/array-literal.ts';
import type { Sql } from '../database/connection.ts';
import { UnexpectedResult } from '../database/errors.ts';
import { type Pool, queryRows } from '../database/pool.ts';
import type { RpcContext } from '../handler-types.ts';
import { requireDateFormat, requireOneOf } from '../input.ts';
import { invalidArgument } from '../status.ts';

export interface SentEntry extends EntryTexts {
  id: string;
  /** `YYYY-MM-DD` */
  date: string;
  type: string;
  amountPence: number;
}

/** The entries of one request: all of them are created, or none. */
export interface Write {
  caller: Caller;
  sourceId: string;
  /** The same in each attempt. */
  writeId: string;
  /** The output of `entryRows`, made once for all attempts. */
  entries: readonly string[];
  idempotency: CreateEntriesRequest['idempotency'];
  context: RpcContext;
}

/** An outcome of proto/ledger.proto, or `expired`: the timeout of the write has passed. */
export type Outcome = ResponseOutcome | { outcome: 'expired' };
type ResponseOutcome = CreateEntriesResponse & Required<Pick<CreateEntriesResponse, 'outcome'>>;

/** sql/functions/write/write_one.sql lists the outcomes and their details. */
interface Row {
  n: number;
  outcome: Outcome['outcome'] | 'lockUnavailable';
  newEntries: number;
  knownEntries: number;
  detail: object | string | null;
  knownJson: string | null;
}

/** The first parameter is an account of the group: a distributed database executes the call on its node. */
export const WRITE = `
  select n, outcome, new_entries as "newEntries", known_entries as "knownEntries", detail,
         known_json as "knownJson"
    from ledger.write_group($1, $2::ledger.write_request[], $3::ledger.sent_entry[], $4, $5, $6, $7)`;

/**
 * Executes a group of writes in one transaction, each of them whole or not at all. An entry whose externalRef is known in the account
 * is not created but reported as known. Repeating a call with the same write id changes nothing for two days, and neither does
 * repeating a request under the same idempotency key for 24 hours.
 * @param waitForLock wait for the account's lock; only for writes of one account
 * @returns an outcome for each write, in order; without `waitForLock` it is 'lockUnavailable' if another transaction holds the
 *   lock of the account
 */
export async function writeGroup(
  pool: Pool,
  writes: readonly Write[],
  waitForLock: boolean,
  signal: AbortSignal,
): Promise<(Outcome | 'lockUnavailable')[]> {
  const parameters = writeParameters(writes, waitForLock);
  const query = (sql: Sql) => sql.unsafe<Row[]>(WRITE, parameters, { prepare: true });
  const rows = await queryRows(pool, query, 'outcome', signal);
  const outcomes = new Map(rows.map((row) => [row.n, outcomeOf(row)]));
  return writes.map((_, index) => {
    const outcome = outcomes.get(index + 1);
    if (outcome === undefined) throw new UnexpectedResult();
    return outcome;
  });
}

function outcomeOf(row: Row): Outcome | 'lockUnavailable' {
  const { outcome, newEntries, knownEntries, detail, knownJson } = row;
  switch (outcome) {
    case 'lockUnavailable':
      return outcome;
    case 'expired':
      return { outcome };
    case 'created': {
      const known = knownJson !== null && { knownJson: Buffer.from(knownJson) };
      const created = { newEntries, knownEntries, ...(detail as object | null), ...known };
      return { outcome, created };
    }
    default:
      return { outcome, [outcome]: detail ?? {} };
  }
}

// Reserved for the insert, its commit and the response: a write that gets its lock later than this before its deadline
// would be stored after its client was told that it failed.
const COMMIT_MS = 100;

type Parameter = string | boolean | { toString: () => string };

/** The parameters of WRITE. */
export function writeParameters(writes: readonly Write[], waitForLock: boolean): Parameter[] {
  return [
    writes[0]?.caller.accountId ?? '',
    // postgres.js makes a parameter a text when it sends the statement, perhaps after a wait for a connection. The time left is
    // measured then.
    { toString: () => writesText(writes) },
    `{${writes.flatMap(({ entries }) => entries).join()}}`,
    String(LIMITS.entriesPerDay),
    `${LIMITS.dayWindowMs} ms`,
    `${LIMITS.idempotencyKeyMs} ms`,
    waitForLock,
  ];
}

/** The writes as ledger.write_request[]. */
function writesText(writes: readonly Write[]): string {
  let last = 0;
  return arrayText(writes, ({ caller, sourceId, writeId, context, idempotency, entries }) => {
    const first = last + 1;
    last += entries.length;
    return rowElement([
      caller.accountId,
      bytesField(caller.keyHash),
      sourceId,
      writeId,
      Math.floor(context.remainingMs() - COMMIT_MS),
      textField(idempotency?.key),
      bytesField(idempotency?.fingerprint),
      first,
      last,
    ]);
  });
}

const FINGERPRINT_BYTES = 32;

/** @throws StatusError INVALID_ARGUMENT */
export function idempotencyOf({ idempotency }: CreateEntriesRequest): Write['idempotency'] {
  if (!idempotency) return null;
  const { key, fingerprint } = idempotency;
  // U+FFFD may replace invalid UTF-8.
  if (key === '' || [...key].length > LIMITS.idempotencyKeyMax || key.includes('\ufffd')) {
    throw invalidArgument(`an idempotency key must have 1 to ${LIMITS.idempotencyKeyMax} characters`);
  }
  if (fingerprint.length !== FINGERPRINT_BYTES) {
    throw invalidArgument(`a fingerprint must have ${FINGERPRINT_BYTES} bytes`);
  }
  return idempotency;
}

/**
 * The entries of a request as elements of a ledger.sent_entry[]. Takes up to 50 ms for the longest texts.
 * @throws StatusError INVALID_ARGUMENT
 */
export function entryRows(entriesJson: Buffer): string[] {
  const sent = parseEntries(entriesJson);
  if (sent.length < 1 || sent.length > LIMITS.entriesPerRequest) {
    throw invalidArgument(`a request must have 1 to ${LIMITS.entriesPerRequest} entries`);
  }
  let before = '';
  for (const entry of sent) {
    requireWellFormed(entry);
    const id = entry.id.toLowerCase();
    if (id <= before) throw invalidArgument('the ids of a request must ascend and be unique');
    before = id;
  }
  return sent.map(({ id, date, type, amountPence, ...texts }) =>
    rowElement([id, date, type, amountPence, ...ENTRY_TEXTS.map((name) => textField(texts[name]))]),
  );
}

function requireWellFormed(entry: SentEntry): void {
  const { id, date, type } = entry;
  if (!isUuidV7(id)) throw invalidArgument('the id of an entry must be a UUIDv7');
  requireDateFormat(date);
  requireOneOf('type', type, ENTRY_TYPES);
  // JSON escapes can hold an unpaired surrogate, which would be stored as U+FFFD.
  if (ENTRY_TEXTS.some((name) => entry[name]?.isWellFormed() === false)) {
    throw invalidArgument('a text must not contain an unpaired surrogate');
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parseEntries(json: Buffer): SentEntry[] {
  try {
    const entries: unknown = JSON.parse(utf8.decode(json));
    if (Array.isArray(entries) && entries.every(isEntry)) return entries;
  } catch {
    // Reported below.
  }
  throw invalidArgument('entries_json must be a JSON array of entries in UTF-8');
}

/** Whether the members have the types of the contract. */
function isEntry(entry: unknown): entry is SentEntry {
  if (typeof entry !== 'object' || entry === null) return false;
  const members = entry as Partial<SentEntry>;
  return (
    [members.id, members.date, members.type].every((each) => typeof each === 'string') &&
    Number.isSafeInteger(members.amountPence) &&
    ENTRY_TEXTS.every((name) => members[name] === undefined || typeof members[name] === 'string')
  );
}
