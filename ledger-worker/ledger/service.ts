/** The Ledger service: validates requests, executes them at the nodes of their accounts, and returns their outcomes. */
import { LRUCache } from 'lru-cache';
import type { InFlightObserver } from '../../platform/metrics.ts';
import { createQuota, type Quota } from '../../platform/quota.ts';
import type { Caller__Output as Caller } from '../../proto/contract.ts';
import { LIMITS } from '../../proto/domain.ts';
import { kindOf } from '../database/errors.ts';
import type { Node, Nodes } from '../database/nodes.ts';
import type { Pool } from '../database/pool.ts';
import type { LedgerHandlers, RpcContext } from '../handler-types.ts';
import { requirePageSize, requireRealDate, requireUuid } from '../input.ts';
import { createNodeQuota, withReservations } from '../quotas.ts';
import { cancelled, invalidArgument, unavailable } from '../status.ts';
import { GroupCommit, inFlightCounts } from './group-commit.ts';
import { observeStatement, type StatementObserver } from './observe-statement.ts';
import {
  accountOfKey,
  authenticate,
  INVALID_KEY,
  listEntries,
  listSources,
  type PageQuery,
} from './reads.ts';
import { entryRows, idempotencyOf, type Outcome, type Write, writeGroup } from './write.ts';

export interface LedgerObserver extends StatementObserver, InFlightObserver {
  /** Called for each write. */
  writeFinished(outcome: Outcome): void;
}

interface LedgerOptions {
  nodes: Nodes;
  /** Requests in flight; more are refused at once. */
  requestsInFlightMax: number;
  observer: LedgerObserver;
}

const KEYS_MAX = 100_000;

// Measured, see docs/decisions.md.
const WRITES = { groupsMax: 2, membersMax: 64, sizeMax: 1_000 };
const PAGES = { groupsMax: 2, lockWaitersMax: 0, membersMax: 64, sizeMax: 1_000 };

/** The handlers of proto/ledger.proto. @param keysMax keys that are remembered; their memory is taken at once */
export function ledgerService(
  { nodes, requestsInFlightMax, observer }: LedgerOptions,
  keysMax = KEYS_MAX,
): LedgerHandlers {
  // A key never gets another account.
  const accounts = new LRUCache<string, string>({ max: keysMax });
  const requests = createQuota(requestsInFlightMax);
  const perNode = new WeakMap<Node, NodeState>();

  function stateOf(node: Node): NodeState {
    const known = perNode.get(node);
    if (known) return known;
    const quota = createNodeQuota(requestsInFlightMax, node.groupId === undefined);
    const created = { pool: node.pool, quota, ...nodeGroups(node, observer) };
    perNode.set(node, created);
    return created;
  }

  observer.registerInFlight({
    ledger_requests: requests.used,
    ...inFlightCounts(() =>
      [...nodes].flatMap((node) => {
        const { writes, pages } = stateOf(node);
        return [writes, pages];
      }),
    ),
  });

  /** The account of a key decides which node can authenticate it. Null without such a key. */
  async function findAccount(keyHash: Buffer, context: RpcContext): Promise<string | null> {
    const name = keyHash.toString('base64');
    const known = accounts.get(name);
    if (known !== undefined) return known;
    const accountId = await observeStatement(observer, 'account_of_key', [{ context }], () =>
      nodes.readAnywhere((pool, signal) => accountOfKey(pool, keyHash, signal), context.signal),
    );
    if (accountId !== null) accounts.set(name, accountId);
    return accountId;
  }

  /** Runs a request of an account at the account's node. */
  async function runAt<Result>(
    accountId: string,
    work: (state: NodeState) => Promise<Result>,
    isWrite = false,
  ): Promise<Result> {
    const node = nodes.of(accountId);
    requireUp(node.isUp);
    const state = stateOf(node);
    const reservations = [requests.open(), state.quota.open(isWrite ? accountId : undefined)];
    return withReservations(reservations, async () => {
      try {
        return await work(state);
      } catch (error) {
        // The node may be unavailable, or the account may have moved to another one.
        if (kindOf(error) === 'unavailable') void nodes.check();
        throw error;
      }
    });
  }

  /** Runs a read, which is one statement, at the node of the caller's account. */
  function read<Result>(
    statement: string,
    { accountId }: Caller,
    context: RpcContext,
    query: (pool: Pool) => Promise<Result>,
  ): Promise<Result> {
    return runAt(accountId, ({ pool }) =>
      observeStatement(observer, statement, [{ context }], () => query(pool)),
    );
  }

  return {
    async authenticate({ keyHash }, context) {
      requireUp([...nodes].some(({ isUp }) => isUp));
      const accountId = await withReservations([requests.open()], () => findAccount(keyHash, context));
      if (accountId === null) return INVALID_KEY;
      const caller = { accountId, keyHash };
      return read('authenticate', caller, context, (pool) => authenticate(pool, caller, context.signal));
    },

    async listSources(request, context) {
      const caller = requireCaller(request.caller);
      return read('list_sources', caller, context, (pool) => listSources(pool, caller, context.signal));
    },

    async listEntries(request, context) {
      const { sourceId, from, to, after, limit } = request;
      requirePageSize(limit, LIMITS.pageSizeMax);
      for (const date of [from, to, after?.date]) if (date !== undefined) requireRealDate(date);
      if (after) requireUuid('after', after.id);
      requireUuid('source', sourceId);
      const caller = requireCaller(request.caller);
      return runAt(caller.accountId, ({ pages }) => pages.add({ ...request, caller, context }));
    },

    async createEntries(request, context) {
      const { sourceId, writeId } = request;
      const idempotency = idempotencyOf(request);
      requireUuid('source', sourceId);
      const caller = requireCaller(request.caller);
      requireUuid('write', writeId);
      const result = await runAt(
        caller.accountId,
        ({ writes }) => {
          const entries = entryRows(request.entriesJson);
          return writes.add({ caller, sourceId, writeId, entries, idempotency, context });
        },
        true,
      );
      if (result.outcome === 'expired') throw cancelled();
      return result;
    },
  };
}

function requireCaller(caller: Caller | null): Caller {
  if (!caller) throw invalidArgument('caller is missing');
  requireUuid('account', caller.accountId);
  return caller;
}

function requireUp(isUp: boolean): void {
  if (!isUp) throw unavailable('the database is unavailable');
}

type NodeState = ReturnType<typeof nodeGroups> & { pool: Pool; quota: Quota };

/** The requests that share statements at one node: writes, and pages. */
function nodeGroups(node: Node, observer: LedgerObserver) {
  const writes = new GroupCommit<Write, Outcome>({
    async execute(group, waitForLock, signal) {
      const write = () => writeGroup(node.pool, group, waitForLock, signal);
      const outcomes = await observeStatement(observer, 'write', group, write);
      for (const outcome of outcomes) if (outcome !== 'lockUnavailable') observer.writeFinished(outcome);
      return outcomes;
    },
    accountOf: ({ caller }) => caller.accountId,
    sizeOf: ({ entries }) => entries.length,
    lockWaitersMax: Math.ceil(node.pool.size / 2),
    ...WRITES,
  });
  const pages = new GroupCommit({
    execute: (queries: readonly (PageQuery & { context: RpcContext })[], _, signal) =>
      observeStatement(observer, 'list_entries', queries, () => listEntries(node.pool, queries, signal)),
    sizeOf: ({ limit }) => limit,
    ...PAGES,
  });
  return { writes, pages };
}
