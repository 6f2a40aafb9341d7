/** The Ledger service: validates requests, batches them into statements, and returns their outcomes. */

import { inTurns, untilDone } from '../../platform/turns.ts';
import type { Source } from '../../proto/contract.ts';
import { LIMITS } from '../../proto/vocabulary.ts';
import { kindOf } from '../database/errors.ts';
import type { Node } from '../database/node.ts';
import type { Nodes } from '../database/nodes.ts';
import type { StatementObserver } from '../database/statement-spans.ts';
import { cancelled, invalidArgument, type LedgerHandlers } from '../handlers.ts';
import { type HeldObserver, heldBy } from './batcher.ts';
import { INVALID_KEY } from './caller.ts';
import { idempotencyOf, newEntries, requireCaller, requireDay, requireUuid } from './input.ts';
import { keyAccounts } from './key-accounts.ts';
import { createNodeBatchers, type NodeBatchers, type WriteObserver } from './node-batchers.ts';
import { entryRows } from './write.ts';

/** Limits the requests in progress at one node, and those of them that are writes of one account. */
export interface NodeLimit {
  /** @throws UNAVAILABLE while the node is down, RESOURCE_EXHAUSTED at a limit */
  run<Result>(work: () => Promise<Result>, writer?: string): Promise<Result>;
  inFlight(): number;
}

export interface LedgerObserver extends StatementObserver, WriteObserver, HeldObserver {}

export interface LedgerOptions {
  nodes: Nodes;
  newLimit(node: Node): NodeLimit;
  observer: LedgerObserver;
}

// Larger entries are read in turns, so that other requests proceed in between.
const LARGE_BYTES = 256 * 1024;

/** The handlers of proto/ledger.proto. */
export function ledgerService({ nodes, newLimit, observer }: LedgerOptions): LedgerHandlers {
  const accountOfKey = keyAccounts(nodes, observer);
  const perNode = new WeakMap<Node, { limit: NodeLimit; batchers: NodeBatchers }>();

  function ownOf(node: Node) {
    const own = perNode.get(node) ?? {
      limit: newLimit(node),
      batchers: createNodeBatchers(node, observer),
    };
    perNode.set(node, own);
    return own;
  }

  const inUse = () => [...nodes].flatMap((node) => perNode.get(node) ?? []);
  observer.registerHeld({
    node_requests: () => inUse().reduce((sum, { limit }) => sum + limit.inFlight(), 0),
    ...heldBy(() => inUse().flatMap(({ batchers }) => Object.values(batchers))),
  });

  /** Runs a request of an account at the account's node. @param writer the account again, for a write */
  async function atNode<Result>(
    accountId: string,
    work: (batchers: NodeBatchers) => Promise<Result>,
    writer?: string,
  ): Promise<Result> {
    const node = nodes.of(accountId);
    const { limit, batchers } = ownOf(node);
    return limit.run(async () => {
      try {
        return await work(batchers);
      } catch (error) {
        // The node may be down, or the account may have moved to another one.
        if (node.isDistributed && kindOf(error) === 'unavailable') void nodes.check();
        throw error;
      }
    }, writer);
  }

  return {
    async authenticate({ keyHash }, call) {
      const accountId = nodes.isDistributed ? await accountOfKey(keyHash, call) : null;
      if (nodes.isDistributed && accountId === null) return INVALID_KEY;
      const result = await atNode(accountId ?? '', ({ identities }) =>
        identities.add({ keyHash, accountId, call }),
      );
      if (result.outcome === 'rejected') return result;
      return { identity: { accountId: result.accountId, plan: result.plan } };
    },

    async listSources({ caller }, call) {
      const item = { caller: requireCaller(caller), call };
      const result = await atNode(item.caller.accountId, ({ sources }) => sources.add(item));
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
      const result = await atNode(query.caller.accountId, ({ pages }) => pages.add({ ...query, call }));
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
      const idempotency = idempotencyOf(request);
      requireUuid(sourceId);
      const caller = requireCaller(request.caller);
      const { entriesJson } = request;
      const read =
        entriesJson.length > LARGE_BYTES
          ? await inTurns(largeEntries(entriesJson))
          : { entries: untilDone(newEntries(entriesJson)) };
      const write = { caller, sourceId, ...read, bytes: entriesJson.length, idempotency, call };
      const { accountId } = caller;
      const result = await atNode(accountId, ({ writes }) => writes.add(write), accountId);
      switch (result.outcome) {
        case 'created':
          return { created: result.created };
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

/** Yields between steps. */
function* largeEntries(entriesJson: Buffer) {
  const entries = yield* newEntries(entriesJson);
  return { entries, rows: yield* entryRows(entries) };
}
