/** The Ledger service: validates requests, executes them at the nodes of their accounts, and returns their outcomes. */

import { inTurns, untilDone } from '../../platform/turns.ts';
import type { Source } from '../../proto/contract.ts';
import { LIMITS } from '../../proto/vocabulary.ts';
import { kindOf } from '../database/errors.ts';
import type { Node } from '../database/node.ts';
import type { Nodes } from '../database/nodes.ts';
import type { Pool } from '../database/pool.ts';
import { observed, type StatementObserver } from '../database/statement-spans.ts';
import { type CallContext, cancelled, invalidArgument, type LedgerHandlers } from '../handlers.ts';
import { accountsByKey } from './account-of-key.ts';
import { type HeldObserver, heldBy } from './batcher.ts';
import { type Caller, INVALID_KEY } from './caller.ts';
import { idempotencyOf, newEntries, requireCaller, requireDay, requireUuid } from './input.ts';
import { createNodeGroups, type NodeGroups, type WriteObserver } from './node-groups.ts';
import { authenticate, listSources } from './reads.ts';
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
  const accountOfKey = accountsByKey(nodes, observer);
  const perNode = new WeakMap<Node, { limit: NodeLimit; groups: NodeGroups }>();

  function ownOf(node: Node) {
    const own = perNode.get(node) ?? { limit: newLimit(node), groups: createNodeGroups(node, observer) };
    perNode.set(node, own);
    return own;
  }

  const inUse = () => [...nodes].flatMap((node) => perNode.get(node) ?? []);
  observer.registerHeld({
    node_requests: () => inUse().reduce((sum, { limit }) => sum + limit.inFlight(), 0),
    ...heldBy(() => inUse().flatMap(({ groups }) => Object.values(groups))),
  });

  /** Runs a request of an account at the account's node. @param writer the account again, for a write */
  async function atNode<Result>(
    accountId: string,
    work: (at: { pool: Pool; groups: NodeGroups }) => Promise<Result>,
    writer?: string,
  ): Promise<Result> {
    const node = nodes.of(accountId);
    const { limit, groups } = ownOf(node);
    return limit.run(async () => {
      try {
        return await work({ pool: node.pool, groups });
      } catch (error) {
        // The node may be down, or the account may have moved to another one.
        if (node.isDistributed && kindOf(error) === 'unavailable') void nodes.check();
        throw error;
      }
    }, writer);
  }

  /** Runs a read, which is one statement, at the node of the caller's account. */
  function read<Result>(
    statement: string,
    { accountId }: Caller,
    call: CallContext,
    query: (pool: Pool) => Promise<Result>,
  ): Promise<Result> {
    return atNode(accountId, ({ pool }) => observed(observer, statement, [{ call }], () => query(pool)));
  }

  return {
    async authenticate({ keyHash }, call) {
      const accountId = await accountOfKey(keyHash, call);
      if (accountId === null) return INVALID_KEY;
      const caller = { accountId, keyHash };
      const result = await read('authenticate', caller, call, (pool) =>
        authenticate(pool, caller, call.signal),
      );
      return result.outcome === 'rejected' ? result : { identity: { accountId, plan: result.plan } };
    },

    async listSources(request, call) {
      const caller = requireCaller(request.caller);
      const result = await read('list_sources', caller, call, (pool) =>
        listSources(pool, caller, call.signal),
      );
      return result.outcome === 'rejected' ? result : { sources: { sources: result.sources as Source[] } };
    },

    async listEntries(request, call) {
      const { sourceId, from, to, after, limit } = request;
      if (limit < 1 || limit > LIMITS.pageSizeMax) {
        throw invalidArgument(`limit must be 1 to ${LIMITS.pageSizeMax}`);
      }
      for (const date of [from, to, after?.date]) if (date !== undefined) requireDay(date);
      if (after) requireUuid(after.id);
      requireUuid(sourceId);
      const caller = requireCaller(request.caller);
      const page = { caller, sourceId, from, to, after: after ?? undefined, limit, call };
      const result = await atNode(caller.accountId, ({ groups }) => groups.pages.add(page));
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
      const result = await atNode(accountId, ({ groups }) => groups.writes.add(write), accountId);
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
