/** Mutations of the write path: the database function and the group commit. */
import type { Mutation } from './mutations.ts';

const WRITE = 'ledger-worker/sql/functions/create_batches.sql';
const LOCK = 'ledger-worker/sql/functions/lock_accounts.sql';
const READ = 'ledger-worker/sql/functions/read_batches.sql';
const CATEGORIES = 'ledger-worker/sql/functions/check_categories.sql';
const CAP = 'ledger-worker/sql/functions/check_daily_cap.sql';
const INSERT = 'ledger-worker/sql/functions/insert_entries.sql';
const TABLES = 'ledger-worker/sql/migrations/0001_ledger.sql';
const SOURCES = 'ledger-worker/sql/functions/require_sources.sql';
const GROUPS = 'ledger-worker/ledger/batcher.ts';
const BATCHERS = 'ledger-worker/ledger/node-batchers.ts';
const GROUPS_TEST = 'test/ledger-worker/ledger/group-commit.test.ts';

export const WRITE_MUTATIONS: Mutation[] = [
  {
    name: 'writes of an account are not serial',
    breaks: ['I3', 'I9'],
    file: LOCK,
    edits: [
      [' where account_id = p_account_ids[1] for no key update', ' where account_id = p_account_ids[1]'],
      ['order by account_id for no key update skip locked', 'order by account_id'],
    ],
    tests: ['test/gateway/ledger/two-workers.slow.test.ts'],
  },
  {
    name: 'a write uses the snapshot from before its lock',
    breaks: ['I6'],
    file: WRITE,
    edits: [
      [
        'v_locked := ledger.lock_accounts(v_account_ids, p_wait_for_lock);',
        `v_locked := case when p_wait_for_lock then v_account_ids else ledger.lock_accounts(v_account_ids, false) end;`,
      ],
      [
        '    -- 3. Check',
        '    if p_wait_for_lock then perform ledger.lock_accounts(v_account_ids, true); end if;\n    -- 3. Check',
      ],
    ],
    tests: ['test/gateway/races.test.ts', GROUPS_TEST],
  },
  {
    name: 'the cap counts entries before they are deduplicated',
    breaks: ['I5'],
    file: CAP,
    edits: [['continue when v_creates = 0 or v_state.used + v_creates <= p_cap;', '']],
    tests: ['test/gateway/access/day.test.ts'],
  },
  {
    name: 'the database does not enforce the cap',
    breaks: ['I3'],
    file: CAP,
    edits: [['continue when v_creates = 0 or v_state.used + v_creates <= p_cap;', 'continue;']],
    tests: ['test/gateway/access/day.test.ts'],
  },
  {
    name: 'a write leaves the daily window too early',
    breaks: ['I3'],
    file: READ,
    edits: [['<= last.written_at - p_window', "<= last.written_at - p_window + interval '1 minute'"]],
    tests: ['test/gateway/access/day.test.ts'],
  },
  {
    name: 'a batch is created without its entries with an invalid category',
    breaks: ['I4'],
    file: CATEGORIES,
    edits: [["where p_states[batch].outcome = 'accepted'", 'where false']],
    also: [
      {
        file: INSERT,
        edits: [
          [
            "p_states[batch].outcome = 'accepted'\n    ),",
            `p_states[batch].outcome = 'accepted'
               and (category is null
                    or exists (select from ledger.category c
                                where c.source_type = p_states[batch].source_type and c.category = sent.category))
            ),`,
          ],
        ],
      },
    ],
    tests: ['test/gateway/create.test.ts', 'test/gateway/input/validation.test.ts'],
  },
  {
    name: 'a revoked key can still write',
    breaks: ['I6'],
    file: READ,
    edits: [[' and k.revoked_at is null', '']],
    tests: ['test/gateway/access/auth.test.ts', 'test/ledger-worker/ledger/contract.test.ts'],
  },
  {
    name: 'a key works for any account',
    breaks: ['I7'],
    file: READ,
    edits: [['where k.account_id = sent.account_id and k.key_hash', 'where k.key_hash']],
    tests: ['test/security/object-level.test.ts', 'test/ledger-worker/ledger/contract.test.ts'],
  },
  {
    name: 'the count of a source grows by the entries sent, not by those created',
    breaks: ['I9'],
    file: INSERT,
    edits: [
      [
        'set transaction_count = transaction_count + added',
        'set transaction_count = transaction_count + 1 + p_batches[batch].last_entry - p_batches[batch].first_entry',
      ],
    ],
    tests: ['test/gateway/create.test.ts'],
  },
  {
    name: 'a write is stored after its client got an error',
    breaks: ['I1'],
    file: READ,
    edits: [
      [
        "when clock_timestamp() - statement_timestamp() > timeout_ms * interval '1 ms' then",
        'when false then',
      ],
    ],
    tests: ['test/ledger-worker/database/robustness.slow.test.ts'],
  },
  {
    name: 'a group creates batches of accounts that another transaction has locked',
    breaks: ['I3', 'I9'],
    file: READ,
    edits: [["when account_id <> all (p_locked) then 'lock_unavailable'", '']],
    tests: [GROUPS_TEST],
  },
  {
    name: 'a group waits for accounts that another transaction has locked',
    breaks: ['I8'],
    file: LOCK,
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
    file: BATCHERS,
    edits: [['Math.ceil(node.pool.size / 2)', 'node.pool.size']],
    tests: [GROUPS_TEST],
  },
  {
    name: 'batches of one account in a group do not see each other',
    breaks: ['I3', 'I9'],
    file: WRITE,
    edits: [['cardinality(array_positions(v_account_ids, v_account_ids[n]))', '1']],
    tests: [GROUPS_TEST],
  },
  {
    name: 'a rejected batch fails its whole group',
    breaks: ['I1', 'I4'],
    file: INSERT,
    edits: [
      [
        "p_states[batch].outcome = 'accepted'\n    ),",
        "'accepted' = all (array(select outcome from unnest(p_states)))\n    ),",
      ],
    ],
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
    name: 'each request has its own commit',
    breaks: [],
    file: BATCHERS,
    edits: [['const WRITES = { batchesMax: 2, itemsMax: 64', 'const WRITES = { batchesMax: 2, itemsMax: 1']],
    tests: [GROUPS_TEST],
  },
  {
    name: 'two entries of a batch with the same reference are both created',
    breaks: ['I2'],
    file: INSERT,
    edits: [['ordinality in (select ordinality from first)', 'true']],
    // The unique index would reject the second one.
    also: [
      {
        file: TABLES,
        edits: [['create unique index entry_external_ref', 'create index entry_external_ref']],
      },
    ],
    tests: ['test/gateway/create.test.ts'],
  },
  {
    name: 'an entry without a reference is created again by the next attempt',
    breaks: ['I1', 'I5'],
    file: INSERT,
    edits: [
      [
        'when external_ref is null then batch not in (select batch from stored)',
        'when external_ref is null then true',
      ],
    ],
    also: [
      {
        // The unique index would reject the second one.
        file: TABLES,
        edits: [
          ['primary key (account_id, source_id, entry_date, entry_id)', 'check (true)'],
          ['create unique index entry_id on', 'create index entry_id on'],
        ],
      },
    ],
    tests: ['test/ledger-worker/ledger/contract.test.ts'],
  },
  {
    name: 'an entry may name a source of another account',
    breaks: ['I7', 'I9'],
    file: READ,
    edits: [['when source_type is null then', 'when false then']],
    also: [
      {
        file: SOURCES,
        edits: [
          [
            "\n    raise exception 'an entry names a source that its account does not have'",
            "\n    return null;\n    raise exception 'an entry names a source that its account does not have'",
          ],
        ],
      },
    ],
    tests: ['test/gateway/create.test.ts', 'test/security/object-level.test.ts'],
  },
  {
    name: 'an older worker replaces a function by its older version',
    breaks: ['I8'],
    file: 'ledger-worker/database/migrate.ts',
    edits: [['if (select max(version) from ledger.migration) >', 'if 0 >']],
    tests: ['test/ledger-worker/database/functions.test.ts'],
  },
];
