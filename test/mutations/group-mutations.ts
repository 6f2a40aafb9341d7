/** Mutations of the group commit, and writes of several accounts. */
import type { Mutation } from './mutations.ts';

const WRITE = 'ledger-worker/sql/functions/write/write.sql';
const LOCK = 'ledger-worker/sql/functions/write/lock_account.sql';
const GROUPS = 'ledger-worker/ledger/group-commit.ts';
const SERVICE = 'ledger-worker/ledger/service.ts';
const GROUPS_TEST = 'test/ledger-worker/ledger/group-commit.test.ts';

export const GROUP_MUTATIONS: Mutation[] = [
  {
    name: 'a group creates batches of accounts that another transaction has locked',
    breaks: ['I3', 'I9'],
    file: WRITE,
    edits: [['if v_plan is null and not p_wait_for_lock then', 'if false then']],
    tests: [GROUPS_TEST],
  },
  {
    name: 'a group waits for accounts that another transaction has locked',
    breaks: ['I8'],
    file: LOCK,
    edits: [[' skip locked;', ';']],
    tests: [GROUPS_TEST],
  },
  {
    name: 'groups start only after the writes that wait for an account',
    breaks: ['I8'],
    file: GROUPS,
    edits: [
      [
        'return waitForLock ? this.#lockWaiters < lockWaitersMax : this.#groups < groupsMax;',
        'return this.#lockWaiters + this.#groups < groupsMax;',
      ],
    ],
    tests: [GROUPS_TEST],
  },
  {
    name: 'writes that wait for an account use all connections',
    breaks: ['I8'],
    file: SERVICE,
    edits: [['Math.ceil(node.pool.size / 2)', 'node.pool.size']],
    tests: [GROUPS_TEST],
  },
  {
    name: 'when a shared call fails, all of its batches fail',
    breaks: ['I8'],
    file: GROUPS,
    edits: [
      ['if (group.length > 1) return', 'if (false) return'],
      ['group[0]?.result.reject(error);', 'for (const { result } of group) result.reject(error);'],
    ],
    tests: [GROUPS_TEST],
  },
  {
    name: 'a batch that was cancelled while it waited is created',
    breaks: ['I1'],
    file: GROUPS,
    edits: [['if (isCancelled) continue;', '']],
    tests: [GROUPS_TEST],
  },
  {
    name: 'a group takes any number of batches',
    breaks: ['I8'],
    file: GROUPS,
    edits: [[' || group.length === membersMax', '']],
    tests: [GROUPS_TEST],
  },
  {
    name: 'a group takes any number of entries',
    breaks: ['I8'],
    file: GROUPS,
    edits: [[' <= sizeMax;', ' < Number.POSITIVE_INFINITY;']],
    tests: [GROUPS_TEST],
  },
  {
    name: 'each request has its own commit',
    breaks: [],
    file: SERVICE,
    edits: [
      ['const WRITES = { groupsMax: 2, membersMax: 64', 'const WRITES = { groupsMax: 2, membersMax: 1'],
    ],
    tests: [GROUPS_TEST],
  },
  {
    name: 'a rejected batch fails its whole group',
    breaks: ['I1', 'I4'],
    file: WRITE,
    edits: [
      [
        "        return next;\n        continue;\n      end if;\n      outcome := 'stored';",
        "        raise exception 'a write is refused';\n      end if;\n      outcome := 'stored';",
      ],
    ],
    tests: ['test/ledger-worker/ledger/random-groups.test.ts'],
  },
];
