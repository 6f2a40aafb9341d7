/** The Ledger service: messages in, questions to the books, messages out. */
import { setImmediate } from 'node:timers/promises';
import {
  type Caller__Output,
  type Entry,
  type Handlers,
  type LedgerDefinition,
  type Source,
  withoutNulls,
} from '../proto/ledger.ts';
import { LIMITS } from '../proto/vocabulary.ts';
import type { Sql } from './database.ts';
import { authenticate, type Caller, createEntries, listEntries, listSources } from './ledger.ts';
import { invalidArgument } from './status.ts';
import { Turns } from './turns.ts';

/** Answers the RPCs of proto/ledger.proto from the database. */
export function ledgerService(sql: Sql): Handlers<LedgerDefinition> {
  const writes = new Turns();
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
      // Postgres would also take "today" for a date.
      if (!entries.every(({ date }) => /^\d{4}-\d{2}-\d{2}$/.test(date))) {
        throw invalidArgument('a date is written YYYY-MM-DD');
      }
      const who = required(caller);
      // When this process stood still, calls and their cancellations arrive together: see the latter first.
      await setImmediate();
      const result = await writes.run(who.accountId, call.cancelled, () =>
        createEntries(sql, who, sourceId, entries, idempotency, call),
      );
      switch (result.outcome) {
        case 'created':
          return { created: result };
        case 'invalidCategories':
          return { invalidCategories: result };
        case 'dailyCapReached':
          return { dailyCapReached: result };
        case 'idempotencyKeyReused':
          return { idempotencyKeyReused: {} };
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
  return caller;
}
