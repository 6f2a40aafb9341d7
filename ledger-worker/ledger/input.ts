/**
 * What the gateway sends, checked as the contract has it (proto/ledger.proto): whatever the database would take, or take for
 * something else. What it refuses itself fails the statement of a group, whose requests are then tried alone (batcher.ts).
 */
import type {
  Caller__Output,
  CreateEntriesRequest__Output as CreateEntriesRequest,
} from '../../proto/client.ts';
import { isUuid, isUuidV7 } from '../../proto/uuid.ts';
import { ENTRY_TYPES, LIMITS } from '../../proto/vocabulary.ts';
import { invalidArgument } from '../grpc/status.ts';
import type { Caller } from './caller.ts';
import type { Batch, NewEntry } from './create-batches.ts';

const FINGERPRINT_BYTES = 32;

export function requireCaller(caller: Caller__Output | null): Caller {
  if (!caller) throw invalidArgument('caller is missing');
  requireUuid(caller.accountId);
  return caller;
}

export function requireUuid(id: string): void {
  if (!isUuid(id)) throw invalidArgument('an id is a uuid');
}

/** Postgres would also take "today". Whether there is such a day, it knows itself. */
function requireDate(date: string): void {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw invalidArgument('a date is written YYYY-MM-DD');
}

/** For a date that the database may never see: the bound of a page is one of two. */
export function requireDay(date: string): void {
  requireDate(date);
  const day = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(day.valueOf()) || !day.toISOString().startsWith(date)) {
    throw invalidArgument('there is no such day');
  }
}

export function newEntries(entriesJson: Buffer): readonly NewEntry[] {
  const sent = parseEntries(entriesJson);
  if (sent.length < 1 || sent.length > LIMITS.entriesPerRequest) {
    throw invalidArgument(`a request carries 1 to ${LIMITS.entriesPerRequest} entries`);
  }
  let before = '';
  for (const entry of sent) {
    requireWellFormed(entry);
    const id = entry.id.toLowerCase();
    if (id <= before) throw invalidArgument('the ids of a request ascend, and each is there once');
    before = id;
  }
  return sent;
}

function requireWellFormed({
  id,
  date,
  type,
  category = '',
  description = '',
  externalRef = '',
}: NewEntry): void {
  if (!isUuidV7(id)) throw invalidArgument('the id of an entry is a UUIDv7');
  requireDate(date);
  if (!(ENTRY_TYPES as readonly string[]).includes(type)) {
    throw invalidArgument(`a type is one of ${ENTRY_TYPES.join(', ')}`);
  }
  // The escapes of JSON can name half of a surrogate pair, in whose place U+FFFD would be stored.
  if (!(category.isWellFormed() && description.isWellFormed() && externalRef.isWellFormed())) {
    throw invalidArgument('a text is Unicode: no half of a surrogate pair');
  }
}

export function idempotencyOf({ idempotency }: CreateEntriesRequest): Batch['idempotency'] {
  if (!idempotency) return null;
  const { key, fingerprint } = idempotency;
  // U+FFFD may stand for anything that was no UTF-8.
  if (key === '' || [...key].length > LIMITS.idempotencyKeyMax || key.includes('\ufffd')) {
    throw invalidArgument(`an idempotency key has 1 to ${LIMITS.idempotencyKeyMax} characters`);
  }
  if (fingerprint.length !== FINGERPRINT_BYTES) {
    throw invalidArgument(`a fingerprint has ${FINGERPRINT_BYTES} bytes`);
  }
  return idempotency;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parseEntries(json: Buffer): NewEntry[] {
  try {
    const entries: unknown = JSON.parse(utf8.decode(json));
    if (Array.isArray(entries) && entries.every(isEntry)) return entries;
  } catch {
    // Said below.
  }
  throw invalidArgument('entries_json is no JSON array of entries in UTF-8');
}

/** Whether its members have the types that the contract names. */
function isEntry(entry: unknown): entry is NewEntry {
  if (typeof entry !== 'object' || entry === null) return false;
  const { id, date, type, amountPence, category, description, externalRef } = entry as Partial<NewEntry>;
  return (
    [id, date, type].every((each) => typeof each === 'string') &&
    Number.isSafeInteger(amountPence) &&
    [category, description, externalRef].every((each) => each === undefined || typeof each === 'string')
  );
}
