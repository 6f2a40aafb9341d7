/** The Ledger service: validates requests, batches them into statements, and returns their outcomes. */
import type { CallContext, LedgerHandlers, Source } from '../../proto/contract.ts';
import { cancelled, invalidArgument } from '../../proto/status-error.ts';
import { LIMITS } from '../../proto/vocabulary.ts';
import type { Pool } from '../database/pool.ts';
import { observed, type StatementObserver } from '../database/statement-spans.ts';
import { Batcher } from './batcher.ts';
import type { Caller } from './caller.ts';
import { type Batch, createBatches, type Outcome } from './create-batches.ts';
import { idempotencyOf, newEntries, requireCaller, requireDay, requireUuid } from './input.ts';
import { authenticate, listSources, type PageQuery } from './reads.ts';
import type { ReadPages } from './replica.ts';

/** Called for each request to create entries. */
export interface CreateObserver {
  batchFinished(outcome: Outcome): void;
}

// Measured, see test/bench/tried.md.
const WRITES = { batchesMax: 2, itemsMax: 64, sizeMax: 1_000 };
const READS = { batchesMax: 2, lockWaitersMax: 0, itemsMax: 64, sizeMax: 1_000 };

type WithCall<Request> = Request & { call: CallContext };

/** The handlers of proto/ledger.proto. */
export function ledgerService(
  pool: Pool,
  readPages: ReadPages,
  observer: StatementObserver & CreateObserver,
): LedgerHandlers {
  const identities = new Batcher({
    execute: (requests: readonly WithCall<{ keyHash: Buffer }>[], _, signal) => {
      const keyHashes = requests.map(({ keyHash }) => keyHash);
      return observed(observer, 'authenticate', requests, () => authenticate(pool, keyHashes, signal, null));
    },
    sizeOf: () => 1,
    ...READS,
  });
  const sources = new Batcher({
    execute: (requests: readonly WithCall<{ caller: Caller }>[], _, signal) => {
      const callers = requests.map(({ caller }) => caller);
      return observed(observer, 'list_sources', requests, () => listSources(pool, callers, signal, null));
    },
    sizeOf: () => 1,
    ...READS,
  });
  const pages = new Batcher({
    execute: (requests: readonly WithCall<PageQuery>[], _, signal) => readPages(requests, signal),
    sizeOf: ({ limit }) => limit,
    ...READS,
  });
  const writes = new Batcher<Batch, Outcome>({
    async execute(batches, waitForLock, signal) {
      const create = () => createBatches(pool, batches, waitForLock, signal);
      const outcomes = await observed(observer, 'create_batches', batches, create);
      for (const outcome of outcomes) if (outcome !== 'lockUnavailable') observer.batchFinished(outcome);
      return outcomes;
    },
    keyOf: ({ caller }) => caller.accountId,
    sizeOf: ({ entries }) => entries.length,
    lockWaitersMax: Math.ceil(pool.size / 2),
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
          throw cancelled();
        case 'sourceNotFound':
          return { sourceNotFound: {} };
        case 'rejected':
          return result;
      }
    },
  };
}
