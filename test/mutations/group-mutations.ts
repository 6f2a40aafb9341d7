/** Mutations of the group commit: the batcher, and the creation of batches of several accounts. */
import type { Mutation } from './mutations.ts';

const BATCHES = 'ledger-worker/sql/functions/write/write_batches.sql';
const LOCKS = 'ledger-worker/sql/functions/write/lock_accounts.sql';
const INSERT = 'ledger-worker/sql/functions/write/insert_new_batches.sql';
const TABLES = 'ledger-worker/sql/migrations/0001_ledger.sql';
const GROUPS = 'ledger-worker/ledger/batcher.ts';
const SERVICE = 'ledger-worker/ledger/node-batchers.ts';
const GROUPS_TEST = 'test/ledger-worker/ledger/group-commit.test.ts';
const ACCOUNTS_TEST = 'test/ledger-worker/ledger/several-accounts.test.ts';

export const GROUP_MUTATIONS: Mutation[] = [
  {
    name: 'a group creates batches of accounts that another transaction has locked',
    breaks: ['I3', 'I9'],
    file: BATCHES,
    edits: [['elsif v_batch.account_id = any (v_locked) then', 'elsif true then']],
    tests: [GROUPS_TEST],
  },
  {
    name: 'a group waits for accounts that another transaction has locked',
    breaks: ['I8'],
    file: LOCKS,
    edits: [[' skip locked);', ');']],
    tests: [GROUPS_TEST],
  },
  {
    name: 'groups start only after the writes that wait for an account',
    breaks: ['I8'],
    file: GROUPS,
    edits: [
      [
        'return waitForLock ? this.#lockWaiters < lockWaitersMax : this.#batches < batchesMax;',
        'return this.#lockWaiters + this.#batches < batchesMax;',
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
      ['if (batch.length > 1) return', 'if (false) return'],
      ['batch[0]?.result.reject(error);', 'for (const { result } of batch) result.reject(error);'],
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
    edits: [[' || batch.length === itemsMax', '']],
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
    name: 'requests with a megabyte of entries take every round',
    breaks: ['I8'],
    file: GROUPS,
    edits: [['this.#oversized > 0', 'false']],
    tests: ['test/ledger-worker/ledger/large-batches.test.ts'],
  },
  {
    name: 'each request has its own commit',
    breaks: [],
    file: SERVICE,
    edits: [['const WRITES = { batchesMax: 2, itemsMax: 64', 'const WRITES = { batchesMax: 2, itemsMax: 1']],
    tests: [GROUPS_TEST],
  },
  {
    name: 'in a group, a revoked key can still write',
    breaks: ['I6'],
    file: INSERT,
    edits: [[' and k.revoked_at is null', '']],
    tests: [ACCOUNTS_TEST],
  },
  {
    name: 'in a group, a key works for any account',
    breaks: ['I7'],
    file: INSERT,
    edits: [['where k.account_id = sent.account_id and k.key_hash', 'where k.key_hash']],
    tests: [ACCOUNTS_TEST],
  },
  {
    name: 'in a group, a plan without API access can write',
    breaks: [],
    file: INSERT,
    edits: [['where api_access and source_type', 'where source_type']],
    tests: [ACCOUNTS_TEST],
  },
  {
    name: 'in a group, a removed source takes entries',
    breaks: [],
    file: INSERT,
    edits: [[' and s.removed_at is null', '']],
    tests: [ACCOUNTS_TEST],
  },
  {
    name: 'in a group, a category is not checked',
    breaks: ['I1'],
    file: INSERT,
    edits: [['where category is not null and type', 'where false and type']],
    tests: [ACCOUNTS_TEST],
  },
  {
    name: 'in a group, a category is checked without the type of its entry',
    breaks: ['I1'],
    file: INSERT,
    edits: [
      [
        "type || ' ' || category <> all (ledger.categories_of(source_type))",
        "'income ' || category <> all (ledger.categories_of(source_type)) and 'expense ' || category <> all (ledger.categories_of(source_type))",
      ],
    ],
    tests: [ACCOUNTS_TEST],
  },
  {
    name: 'in a group, a known reference is created again',
    breaks: ['I2'],
    file: INSERT,
    edits: [['or external_ref is not null\n', 'or false\n']],
    also: [
      {
        file: TABLES,
        edits: [['create unique index entry_external_ref', 'create index entry_external_ref']],
      },
    ],
    tests: [ACCOUNTS_TEST],
  },
  {
    name: 'in a group, two entries of a batch with the same reference are both created',
    breaks: ['I2'],
    file: INSERT,
    edits: [['where has_duplicates\n', 'where false\n']],
    also: [
      {
        file: TABLES,
        edits: [['create unique index entry_external_ref', 'create index entry_external_ref']],
      },
    ],
    tests: [ACCOUNTS_TEST],
  },
  {
    name: 'in a group, an entry without a reference is created again by the next attempt',
    breaks: ['I1', 'I5'],
    file: INSERT,
    edits: [
      [
        'entry_id = p_entries[without_ref].entry_id)',
        'entry_id = p_entries[without_ref].entry_id and false)',
      ],
    ],
    also: [
      {
        file: TABLES,
        edits: [
          ['primary key (account_id, source_id, entry_date, entry_id)', 'check (true)'],
          ['create unique index entry_id on', 'create index entry_id on'],
        ],
      },
    ],
    tests: [ACCOUNTS_TEST],
  },
  {
    name: 'a known reference in a group fails the whole call',
    breaks: ['I8'],
    file: INSERT,
    edits: [['or external_ref is not null\n', 'or false\n']],
    tests: [ACCOUNTS_TEST],
  },
  {
    name: 'in a group, an idempotency key is not looked up',
    breaks: ['I5'],
    file: INSERT,
    edits: [['and idempotency_key is null', '']],
    tests: [ACCOUNTS_TEST],
  },
  {
    name: 'in a group, the cap is not enforced',
    breaks: ['I3'],
    file: INSERT,
    edits: [[' and total - total_before_window + size <= p_cap', '']],
    tests: [ACCOUNTS_TEST],
  },
  {
    name: 'in a group, one entry more than the cap is created',
    breaks: ['I3'],
    file: INSERT,
    edits: [['+ size <= p_cap', '+ size <= p_cap + 1']],
    tests: [ACCOUNTS_TEST],
  },
  {
    name: 'in a group, a write leaves the daily window too early',
    breaks: ['I3'],
    file: INSERT,
    edits: [['<= last.written_at - p_window', "<= last.written_at - p_window + interval '1 minute'"]],
    tests: [ACCOUNTS_TEST],
  },
  {
    name: 'in a group, a write is dated before the last one when the clock was set back',
    breaks: ['I3'],
    file: INSERT,
    edits: [['greatest(clock_timestamp(), max(written_at))', 'clock_timestamp()']],
    tests: [ACCOUNTS_TEST],
  },
  {
    name: 'in a group, the log has only the entries of the write itself',
    breaks: ['I3'],
    file: INSERT,
    edits: [
      [
        'select account_id, written_at, size, total + size from',
        'select account_id, written_at, size, size from',
      ],
    ],
    tests: [ACCOUNTS_TEST],
  },
  {
    name: 'in a group, the count of a source grows by one',
    breaks: ['I9'],
    file: INSERT,
    edits: [
      ['set transaction_count = transaction_count + size', 'set transaction_count = transaction_count + 1'],
    ],
    tests: [ACCOUNTS_TEST],
  },
  {
    name: 'batches of one account in a group do not see each other',
    breaks: ['I3', 'I9'],
    file: INSERT,
    edits: [['ordinality = array_position(v_account_ids, account_id)', 'true']],
    tests: [GROUPS_TEST, ACCOUNTS_TEST],
  },
  {
    name: 'a group inserts batches of accounts that another transaction has locked',
    breaks: ['I3', 'I9'],
    file: INSERT,
    edits: [[' and account_id = any (p_locked)', '']],
    tests: [GROUPS_TEST],
  },
  {
    name: 'a group inserts a batch whose client got an error',
    breaks: ['I1'],
    file: INSERT,
    edits: [["and clock_timestamp() - statement_timestamp() <= timeout_ms * interval '1 ms'", '']],
    tests: ['test/ledger-worker/database/robustness.slow.test.ts'],
  },
  {
    name: 'a rejected batch fails its whole group',
    breaks: ['I1', 'I4'],
    file: BATCHES,
    edits: [
      [
        '    return next;',
        `    if outcome <> 'created' then
             raise exception 'a batch is rejected';
           end if;
           return next;`,
      ],
    ],
    tests: [GROUPS_TEST],
  },
];
