/** The Ledger service: validates requests, executes them at the nodes of their accounts, and returns their outcomes. */

import type { Source } from '../../proto/contract.ts';
import { LIMITS } from '../../proto/vocabulary.ts';
import { kindOf } from '../database/errors.ts';
import type { Node, Nodes } from '../database/nodes.ts';
import type { Pool } from '../database/pool.ts';
import { observed, type StatementObserver } from '../database/statement-spans.ts';
import {
  type CallContext,
  cancelled,
  invalidArgument,
  type LedgerHandlers,
  unavailable,
} from '../handlers.ts';
import { accountsByKey } from './account-of-key.ts';
import { type Caller, INVALID_KEY } from './caller.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import { type HeldObserver, heldBy } from './group-commit.ts';
import { idempotencyOf, newEntries, requireCaller, requireDay, requireUuid } from './input.ts';
import { createNodeGroups, type NodeGroups, type WriteObserver } from './node-groups.ts';
import { authenticate, listSources } from './reads.ts';
import { entryRow } from './write.ts';

export interface LedgerObserver extends StatementObserver, WriteObserver, HeldObserver {}

export interface LedgerOptions {
  nodes: Nodes;
  /** Requests in flight; more are refused at once. */
  callsMax: number;
  observer: LedgerObserver;
}

// One node of several that hangs must not hold all calls of the worker.
const NODE_PART = 1 / 2;
// Of the calls of its node. Writes of one account that wait for its lock leave most of them to others, however many gateways send them.
const ACCOUNT_PART = 1 / 8;

/** The handlers of proto/ledger.proto. */
export function ledgerService({ nodes, callsMax, observer }: LedgerOptions): LedgerHandlers {
  const accountOfKey = accountsByKey(nodes, observer);
  const limit = createConcurrencyLimit(callsMax);
  const perNode = new WeakMap<Node, NodeGroups>();

  function groupsOf(node: Node): NodeGroups {
    const groups = perNode.get(node) ?? createNodeGroups(node, observer);
    perNode.set(node, groups);
    return groups;
  }

  observer.registerHeld({
    ledger_requests: limit.inFlight,
    ...heldBy(() => [...nodes].flatMap((node) => Object.values(perNode.get(node) ?? {}))),
  });

  /** Runs a request of an account at the account's node. */
  async function atNode<Result>(
    accountId: string,
    work: (at: { pool: Pool; groups: NodeGroups }) => Promise<Result>,
    isWrite = false,
  ): Promise<Result> {
    const node = nodes.of(accountId);
    requireUp(node.isUp);
    const { groupId } = node;
    const part = groupId === undefined ? 1 : NODE_PART;
    const ofNode = { name: `node ${groupId}`, part };
    const ofAccount = { name: `account ${accountId}`, part: part * ACCOUNT_PART };
    return limit.run(
      async () => {
        try {
          return await work({ pool: node.pool, groups: groupsOf(node) });
        } catch (error) {
          // The node may be unavailable, or the account may have moved to another one.
          if (kindOf(error) === 'unavailable') void nodes.check();
          throw error;
        }
      },
      isWrite ? [ofNode, ofAccount] : [ofNode],
    );
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
      requireUp([...nodes].some(({ isUp }) => isUp));
      const accountId = await limit.run(() => accountOfKey(keyHash, call));
      if (accountId === null) return INVALID_KEY;
      const caller = { accountId, keyHash };
      const result = await read('authenticate', caller, call, (pool) =>
        authenticate(pool, caller, call.signal),
      );
      return result.outcome === 'refused' ? result : { identity: { accountId, plan: result.plan } };
    },

    async listSources(request, call) {
      const caller = requireCaller(request.caller);
      const result = await read('list_sources', caller, call, (pool) =>
        listSources(pool, caller, call.signal),
      );
      return result.outcome === 'refused' ? result : { sources: { sources: result.sources as Source[] } };
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
        case 'refused':
          return result;
      }
    },

    async createEntries(request, call) {
      const { sourceId } = request;
      const idempotency = idempotencyOf(request);
      requireUuid(sourceId);
      const caller = requireCaller(request.caller);
      const result = await atNode(
        caller.accountId,
        ({ groups }) => {
          const entries = newEntries(request.entriesJson).map(entryRow);
          return groups.writes.add({ caller, sourceId, entries, idempotency, call });
        },
        true,
      );
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
        case 'refused':
          return result;
      }
    },
  };
}

function requireUp(isUp: boolean): void {
  if (!isUp) throw unavailable('the database is unavailable');
}
