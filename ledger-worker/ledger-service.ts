/** The Ledger service: messages in, questions to the books, messages out. */
import type {
  CallContext,
  Caller__Output,
  Entry,
  Handlers,
  LedgerDefinition,
  Source,
} from '../proto/ledger.ts';
import { isUuid } from '../proto/uuid.ts';
import { ENTRY_TYPES, LIMITS } from '../proto/vocabulary.ts';
import { type Batch, createBatches, type NewEntry, type Outcome } from './create-batches.ts';
import type { Sql } from './database.ts';
import { Groups } from './groups.ts';
import { authenticate, type Caller, listSources, type PageQuery } from './ledger.ts';
import type { Metrics } from './metrics.ts';
import { observe } from './observe.ts';
import type { ReadPages } from './replica.ts';
import { invalidArgument } from './status.ts';

// Measured, see test/bench/tried.md.
const WRITES = { groupsMax: 2, itemsMax: 64, sizeMax: 1_000 };
const READS = { groupsMax: 2, waitsMax: 0, itemsMax: 64, sizeMax: 1_000 };

/** Answers the RPCs of proto/ledger.proto from the database. */
export function ledgerService(sql: Sql, readPages: ReadPages, metrics: Metrics): Handlers<LedgerDefinition> {
  type Asks<Question> = Question & { call: CallContext };
  const identities = new Groups({
    work: (asked: readonly Asks<{ keyHash: Buffer }>[], _, gone) => {
      const keyHashes = asked.map(({ keyHash }) => keyHash);
      return observe(metrics, 'authenticate', asked, () => authenticate(sql, keyHashes, gone));
    },
    sizeOf: () => 1,
    ...READS,
  });
  const sources = new Groups({
    work: (asked: readonly Asks<{ caller: Caller }>[], _, gone) => {
      const callers = asked.map(({ caller }) => caller);
      return observe(metrics, 'list_sources', asked, () => listSources(sql, callers, gone));
    },
    sizeOf: () => 1,
    ...READS,
  });
  const pages = new Groups({
    work: (asked: readonly Asks<PageQuery>[], _, gone) => readPages(asked, gone),
    sizeOf: ({ limit }) => limit,
    ...READS,
  });
  const writes = new Groups<Batch, Outcome>({
    async work(batches, waits, gone) {
      const create = () => createBatches(sql, batches, waits, gone);
      const outcomes = await observe(metrics, 'create_batches', batches, create);
      for (const outcome of outcomes) if (outcome !== 'busy') metrics.batchDone(outcome);
      return outcomes;
    },
    keyOf: ({ caller }) => caller.accountId,
    sizeOf: ({ entries }) => entries.length,
    waitsMax: Math.ceil(sql.options.max / 2),
    ...WRITES,
  });

  return {
    async authenticate({ keyHash }, call) {
      const result = await identities.add({ keyHash, call });
      if (result.outcome === 'rejected') return result;
      return { identity: { accountId: result.accountId, plan: result.plan } };
    },

    async listSources({ caller }, call) {
      const result = await sources.add({ caller: required(caller), call });
      if (result.outcome === 'rejected') return result;
      return { sources: { sources: result.sources as Source[] } };
    },

    async listEntries({ caller, sourceId, from, to, after, limit, asJson }, call) {
      if (limit < 1 || limit > LIMITS.pageSizeMax) {
        throw invalidArgument(`limit must be 1 to ${LIMITS.pageSizeMax}`);
      }
      for (const date of [from, to, after?.date]) if (date !== undefined) requireDate(date);
      if (after) requireUuid(after.id);
      requireUuid(sourceId);
      const query = { caller: required(caller), sourceId, from, to, after: after ?? undefined, limit };
      const result = await pages.add({ ...query, call });
      switch (result.outcome) {
        case 'page':
          return {
            page: {
              ...(asJson
                ? { entriesJson: Buffer.from(result.entriesJson) }
                : { entries: entriesIn(result.entriesJson) }),
              hasMore: result.last !== null,
              last: result.last,
            },
          };
        case 'sourceNotFound':
          return { sourceNotFound: {} };
        case 'rejected':
          return result;
      }
    },

    async createEntries({ caller, sourceId, entries: messages, entriesJson, idempotency }, call) {
      const entries = entriesJson.length > 0 ? parseEntries(entriesJson) : messages;
      if (entries.length < 1 || entries.length > LIMITS.entriesPerRequest) {
        throw invalidArgument(`a request carries 1 to ${LIMITS.entriesPerRequest} entries`);
      }
      for (const entry of entries) requireWellFormed(entry);
      requireUuid(sourceId);
      const result = await writes.add({ caller: required(caller), sourceId, entries, idempotency, call });
      switch (result.outcome) {
        case 'created':
          return { created: result };
        case 'invalidCategories':
          return { invalidCategories: result };
        case 'dailyCapReached':
          return { dailyCapReached: result };
        case 'idempotencyKeyReused':
          return { idempotencyKeyReused: {} };
        case 'expired':
          throw new DOMException('nobody waits any more', 'AbortError');
        case 'sourceNotFound':
          return { sourceNotFound: {} };
        case 'rejected':
          return result;
      }
    },
  };
}

/** For who does not want them as JSON. What is null in it is left out of a message. */
function entriesIn(json: string): Entry[] {
  return JSON.parse(`[${json}]`);
}

// What is no free text is checked here, as the contract has it: one bad value would fail the statement of all.

function required(caller: Caller__Output | null): Caller {
  if (!caller) throw invalidArgument('caller is missing');
  requireUuid(caller.accountId);
  return caller;
}

function parseEntries(json: Buffer): NewEntry[] {
  try {
    const entries: unknown = JSON.parse(json.toString());
    if (Array.isArray(entries) && entries.every(isEntry)) return entries;
  } catch {
    // Said below.
  }
  throw invalidArgument('entries_json is no JSON array of entries');
}

/** Its members are of the types that those of a message have. */
function isEntry(entry: unknown): entry is NewEntry {
  if (typeof entry !== 'object' || entry === null) return false;
  const { id, date, type, amountPence, category, description, externalRef } = entry as Partial<NewEntry>;
  return (
    [id, date, type].every((each) => typeof each === 'string') &&
    Number.isSafeInteger(amountPence) &&
    [category, description, externalRef].every((each) => each === undefined || typeof each === 'string')
  );
}

function requireWellFormed({ id, date, type }: NewEntry): void {
  requireUuid(id);
  requireDate(date);
  if (!(ENTRY_TYPES as readonly string[]).includes(type)) {
    throw invalidArgument(`a type is one of ${ENTRY_TYPES.join(', ')}`);
  }
}

/** Postgres would also take "today". Whether there is such a day, it knows itself. */
function requireDate(date: string): void {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw invalidArgument('a date is written YYYY-MM-DD');
}

function requireUuid(id: string): void {
  if (!isUuid(id)) throw invalidArgument('an id is a uuid');
}
