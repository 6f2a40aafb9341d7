/** The Ledger service: messages in, questions to the books, messages out. */
import type { CallContext, LedgerHandlers, Source } from '../../proto/client.ts';
import { LIMITS } from '../../proto/vocabulary.ts';
import type { Sql } from '../database/pool.ts';
import { observe } from '../database/statement-spans.ts';
import { invalidArgument } from '../grpc/status.ts';
import type { Metrics } from '../metrics.ts';
import { Groups } from './batcher.ts';
import type { Caller } from './caller.ts';
import { type Batch, createBatches, type Outcome } from './create-batches.ts';
import { idempotencyOf, newEntries, requireCaller, requireDay, requireUuid } from './input.ts';
import { authenticate, listSources, type PageQuery } from './reads.ts';
import type { ReadPages } from './replica.ts';

// Measured, see test/bench/tried.md.
const WRITES = { groupsMax: 2, itemsMax: 64, sizeMax: 1_000 };
const READS = { groupsMax: 2, waitsMax: 0, itemsMax: 64, sizeMax: 1_000 };

/** Answers the questions of proto/ledger.proto from the database. */
export function ledgerService(sql: Sql, readPages: ReadPages, metrics: Metrics): LedgerHandlers {
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
      const result = await sources.add({ caller: requireCaller(caller), call });
      if (result.outcome === 'rejected') return result;
      return { sources: { sources: result.sources as Source[] } };
    },

    async listEntries({ caller, sourceId, from, to, after, limit }, call) {
      if (limit < 1 || limit > LIMITS.pageSizeMax) {
        throw invalidArgument(`limit must be 1 to ${LIMITS.pageSizeMax}`);
      }
      for (const date of [from, to, after?.date]) if (date !== undefined) requireDay(date);
      if (after) requireUuid(after.id);
      requireUuid(sourceId);
      const query = { caller: requireCaller(caller), sourceId, from, to, after: after ?? undefined, limit };
      const result = await pages.add({ ...query, call });
      switch (result.outcome) {
        case 'page':
          return { page: { entriesJson: Buffer.from(result.entriesJson), last: result.last } };
        case 'sourceNotFound':
          return { sourceNotFound: {} };
        case 'rejected':
          return result;
      }
    },

    async createEntries(request, call) {
      const { sourceId } = request;
      const [entries, idempotency] = [newEntries(request.entriesJson), idempotencyOf(request)];
      requireUuid(sourceId);
      const caller = requireCaller(request.caller);
      const result = await writes.add({ caller, sourceId, entries, idempotency, call });
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
