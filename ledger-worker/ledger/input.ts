/**
 * Validates requests by the contract (proto/ledger.proto), where the database would accept or misread an invalid value. A value
 * that the database refuses fails the whole group, whose members are then executed alone (group-commit.ts).
 */

import type {
  Caller__Output as Caller,
  CreateEntriesRequest__Output as CreateEntriesRequest,
} from '../../proto/contract.ts';
import { ENTRY_TEXTS, ENTRY_TYPES, isUuid, isUuidV7, LIMITS } from '../../proto/domain.ts';
import { invalidArgument } from '../status.ts';
import type { SentEntry, Write } from './write.ts';

const FINGERPRINT_BYTES = 32;

export function requireCaller(caller: Caller | null): Caller {
  if (!caller) throw invalidArgument('caller is missing');
  requireUuid(caller.accountId);
  return caller;
}

export function requireUuid(id: string): void {
  if (!isUuid(id)) throw invalidArgument('an id must be a uuid');
}

/** Postgres also accepts "today". It checks itself whether the day exists. */
function requireDate(date: string): void {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw invalidArgument('a date must have the form YYYY-MM-DD');
}

/** Checks a date that may not reach the database: a page uses only the later of two bounds. */
export function requireDay(date: string): void {
  requireDate(date);
  const day = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(day.valueOf()) || !day.toISOString().startsWith(date)) {
    throw invalidArgument('the date does not exist');
  }
}

/** Takes up to 50 ms for the longest texts. */
export function newEntries(entriesJson: Buffer): readonly SentEntry[] {
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
  return sent;
}

function requireWellFormed(entry: SentEntry): void {
  const { id, date, type } = entry;
  if (!isUuidV7(id)) throw invalidArgument('the id of an entry must be a UUIDv7');
  requireDate(date);
  if (!(ENTRY_TYPES as readonly string[]).includes(type)) {
    throw invalidArgument(`a type must be one of ${ENTRY_TYPES.join(', ')}`);
  }
  // JSON escapes can hold an unpaired surrogate, which would be stored as U+FFFD.
  if (ENTRY_TEXTS.some((name) => entry[name]?.isWellFormed() === false)) {
    throw invalidArgument('a text must not contain an unpaired surrogate');
  }
}

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
