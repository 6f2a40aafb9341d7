/** The batchers of one node: each statement has requests of accounts of this node only. */

import type { Node } from '../database/node.ts';
import { observed, type StatementObserver } from '../database/statement-spans.ts';
import type { CallContext } from '../handlers.ts';
import { Batcher } from './batcher.ts';
import type { Caller } from './caller.ts';
import { authenticate, type Identity, listEntries, listSources, type PageQuery } from './reads.ts';
import { type Outcome, type Write, writeGroup } from './write.ts';

/** Called for each write. */
export interface WriteObserver {
  writeFinished(outcome: Outcome): void;
}

// Measured, see docs/decisions.md.
const WRITES = { batchesMax: 2, itemsMax: 64, sizeMax: 1_000 };
// Most entries take a quarter of it. A request of larger ones counts for more, and may exceed sizeMax.
const BYTES_PER_ENTRY = 1024;
const READS = { batchesMax: 2, lockWaitersMax: 0, itemsMax: 64, sizeMax: 1_000 };

type WithCall<Request> = Request & { call: CallContext };

export type NodeBatchers = ReturnType<typeof createNodeBatchers>;

export function createNodeBatchers(node: Node, observer: StatementObserver & WriteObserver) {
  const { isDistributed } = node;
  // An account on the node, by which Citus finds it.
  const accountOf = ([first]: readonly { accountId: string | null }[]) =>
    isDistributed && first ? first.accountId : null;

  const identities = new Batcher<WithCall<{ keyHash: Buffer; accountId: string | null }>, Identity>({
    execute: (requests, _, signal) =>
      observed(observer, 'authenticate', requests, () =>
        authenticate(node.pool, requests, signal, accountOf(requests)),
      ),
    sizeOf: () => 1,
    ...READS,
  });
  const sources = new Batcher({
    execute: (requests: readonly WithCall<{ caller: Caller }>[], _, signal) => {
      const callers = requests.map(({ caller }) => caller);
      return observed(observer, 'list_sources', requests, () =>
        listSources(node.pool, callers, signal, accountOf(callers)),
      );
    },
    sizeOf: () => 1,
    ...READS,
  });
  const pages = new Batcher({
    execute: (requests: readonly WithCall<PageQuery>[], _, signal) => {
      const accountId = accountOf(requests.map(({ caller }) => caller));
      return observed(observer, 'list_entries', requests, () =>
        listEntries(node.pool, requests, signal, accountId),
      );
    },
    sizeOf: ({ limit }) => limit,
    ...READS,
  });
  const writes = new Batcher<Write, Outcome>({
    async execute(group, waitForLock, signal) {
      const write = () => writeGroup(node.pool, group, waitForLock, signal);
      const outcomes = await observed(observer, 'write', group, write);
      for (const outcome of outcomes) if (outcome !== 'lockUnavailable') observer.writeFinished(outcome);
      return outcomes;
    },
    keyOf: ({ caller }) => caller.accountId,
    sizeOf: ({ entries, bytes = 0 }) => Math.max(entries.length, bytes / BYTES_PER_ENTRY),
    lockWaitersMax: Math.ceil(node.pool.size / 2),
    ...WRITES,
  });
  return { identities, sources, pages, writes };
}
