/** The Ledger service: messages in, questions to the books, messages out. */
import {
  type Caller__Output,
  type Entry,
  type Entry__Output,
  type Handlers,
  type LedgerDefinition,
  type Source,
  withoutNulls,
} from '../proto/ledger.ts';
import { ENTRY_TYPES, LIMITS } from '../proto/vocabulary.ts';
import { createBatches } from './create-batches.ts';
import type { Sql } from './database.ts';
import { GroupCommit } from './group-commit.ts';
import { authenticate, type Caller, listEntries, listSources } from './ledger.ts';
import { invalidArgument } from './status.ts';

// Measured, see test/bench/tried.md.
const GROUPS = { groupsMax: 2, batchesMax: 64, entriesMax: 1_000 };

/** Answers the RPCs of proto/ledger.proto from the database. */
export function ledgerService(sql: Sql): Handlers<LedgerDefinition> {
  const writes = new GroupCommit({
    commit: (batches, waits, gone) => createBatches(sql, batches, waits, gone),
    waitsMax: Math.ceil(sql.options.max / 2),
    ...GROUPS,
  });
  return {
    async authenticate({ keyHash }, call) {
      const result = await authenticate(sql, keyHash, call);
      if (result.outcome === 'rejected') return result;
      return { identity: { accountId: result.accountId, plan: result.plan } };
    },

    async listSources({ caller }, call) {
      const result = await listSources(sql, required(caller), call);
      if (result.outcome === 'rejected') return result;
      return { sources: { sources: result.sources.map(withoutNulls<Source>) } };
    },

    async listEntries({ caller, sourceId, from, to, after, limit }, call) {
      if (limit < 1 || limit > LIMITS.pageSizeMax) {
        throw invalidArgument(`limit must be 1 to ${LIMITS.pageSizeMax}`);
      }
      const query = { sourceId, from, to, after: after ?? undefined, limit };
      const result = await listEntries(sql, required(caller), query, call);
      switch (result.outcome) {
        case 'page':
          return { page: { entries: result.entries.map(withoutNulls<Entry>), hasMore: result.hasMore } };
        case 'sourceNotFound':
          return { sourceNotFound: {} };
        case 'rejected':
          return result;
      }
    },

    async createEntries({ caller, sourceId, entries, idempotency }, call) {
      if (entries.length < 1 || entries.length > LIMITS.entriesPerRequest) {
        throw invalidArgument(`a request carries 1 to ${LIMITS.entriesPerRequest} entries`);
      }
      for (const entry of entries) requireWellFormed(entry);
      const result = await writes.create({
        caller: required(caller),
        sourceId: uuid(sourceId),
        entries,
        idempotency,
        call,
      });
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

function required(caller: Caller__Output | null): Caller {
  if (!caller) throw invalidArgument('caller is missing');
  return { ...caller, accountId: uuid(caller.accountId) };
}

/** @throws INVALID_ARGUMENT unless the members that are no free text are written as the contract has them */
function requireWellFormed({ id, date, type }: Entry__Output): void {
  uuid(id);
  // Postgres would also take "today".
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw invalidArgument('a date is written YYYY-MM-DD');
  if (!(ENTRY_TYPES as readonly string[]).includes(type)) {
    throw invalidArgument(`a type is one of ${ENTRY_TYPES.join(', ')}`);
  }
}

function uuid(id: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) throw invalidArgument('an id is a uuid');
  return id;
}
