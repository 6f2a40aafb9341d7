/** What shares statements at one node: writes, and pages. Each statement has requests of accounts of this node only. */

import type { Node } from '../database/nodes.ts';
import { observed, type StatementObserver } from '../database/statement-spans.ts';
import type { CallContext } from '../handlers.ts';
import { GroupCommit } from './group-commit.ts';
import { listEntries, type PageQuery } from './reads.ts';
import { type Outcome, type Write, writeGroup } from './write.ts';

/** Called for each write. */
export interface WriteObserver {
  writeFinished(outcome: Outcome): void;
}

// Measured, see docs/decisions.md.
const WRITES = { groupsMax: 2, membersMax: 64, sizeMax: 1_000 };
const PAGES = { groupsMax: 2, lockWaitersMax: 0, membersMax: 64, sizeMax: 1_000 };

export type NodeGroups = ReturnType<typeof createNodeGroups>;

export function createNodeGroups(node: Node, observer: StatementObserver & WriteObserver) {
  const writes = new GroupCommit<Write, Outcome>({
    async execute(group, waitForLock, signal) {
      const write = () => writeGroup(node.pool, group, waitForLock, signal);
      const outcomes = await observed(observer, 'write', group, write);
      for (const outcome of outcomes) if (outcome !== 'lockUnavailable') observer.writeFinished(outcome);
      return outcomes;
    },
    accountOf: ({ caller }) => caller.accountId,
    sizeOf: ({ entries }) => entries.length,
    lockWaitersMax: Math.ceil(node.pool.size / 2),
    ...WRITES,
  });
  const pages = new GroupCommit({
    execute: (queries: readonly (PageQuery & { call: CallContext })[], _, signal) =>
      observed(observer, 'list_entries', queries, () => listEntries(node.pool, queries, signal)),
    sizeOf: ({ limit }) => limit,
    ...PAGES,
  });
  return { writes, pages };
}
