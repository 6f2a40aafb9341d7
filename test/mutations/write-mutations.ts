/** Ways to break the creating of entries, which the database and the group commit in front of it do together. */
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
const SERVICE = 'ledger-worker/ledger/service.ts';
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
    tests: ['test/gateway/ledger/two-workers.test.ts'],
  },
  {
    name: 'a write goes by what was so before it waited for its lock',
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
    name: 'the cap is not held by the database',
    breaks: ['I3'],
    file: CAP,
    edits: [['continue when v_creates = 0 or v_state.used + v_creates <= p_cap;', 'continue;']],
    tests: ['test/gateway/access/day.test.ts'],
  },
  {
    name: 'a write that leaves the window early makes room in the day',
    breaks: ['I3'],
    file: READ,
    edits: [['<= last.written_at - p_window', "<= last.written_at - p_window + interval '1 minute'"]],
    tests: ['test/gateway/access/day.test.ts'],
  },
  {
    name: 'a batch is created without its entries of a wrong category',
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
    name: 'a revoked key goes on writing',
    breaks: ['I6'],
    file: READ,
    edits: [[' and k.revoked_at is null', '']],
    tests: ['test/gateway/access/auth.test.ts', 'test/ledger-worker/ledger/contract.test.ts'],
  },
  {
    name: 'a key may name any account as its own',
    breaks: ['I7'],
    file: READ,
    edits: [['where k.account_id = sent.account_id and k.key_hash', 'where k.key_hash']],
    tests: ['test/security/object-level.test.ts', 'test/ledger-worker/ledger/contract.test.ts'],
  },
  {
    name: 'the count of a source grows by what was sent, not by what was created',
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
    name: 'a write is stored after its client was told that it failed',
    breaks: ['I1'],
    file: READ,
    edits: [
      [
        "when clock_timestamp() - statement_timestamp() > timeout_ms * interval '1 ms' then",
        'when false then',
      ],
    ],
    tests: ['test/ledger-worker/database/robustness.test.ts'],
  },
  {
    name: 'a group creates batches of accounts that somebody else holds',
    breaks: ['I3', 'I9'],
    file: READ,
    edits: [["when account_id <> all (p_locked) then 'lock_unavailable'", '']],
    tests: [GROUPS_TEST],
  },
  {
    name: 'a group waits for accounts that somebody else holds',
    breaks: ['I8'],
    file: LOCK,
    edits: [[' skip locked);', ');']],
    tests: [GROUPS_TEST],
  },
  {
    name: 'groups begin only when those that wait for an account have ended',
    breaks: ['I8'],
    file: GROUPS,
    edits: [
      [
        'return waits ? this.#waits < waitsMax : this.#groups < groupsMax;',
        'return this.#waits + this.#groups < groupsMax;',
      ],
    ],
    tests: [GROUPS_TEST],
  },
  {
    name: 'writes that wait for an account take all connections',
    breaks: ['I8'],
    file: SERVICE,
    edits: [['Math.ceil(sql.options.max / 2)', 'sql.options.max']],
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
    name: 'a refused batch keeps its group from being created',
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
      ['if (group.length > 1) return', 'if (false) return'],
      ['group[0]?.result.reject(error);', 'for (const { result } of group) result.reject(error);'],
    ],
    tests: [GROUPS_TEST],
  },
  {
    name: 'a batch that was given up while it waited is created',
    breaks: ['I1'],
    file: GROUPS,
    edits: [['if (isGone) continue;', '']],
    tests: [GROUPS_TEST],
  },
  {
    name: 'a group takes any number of batches',
    breaks: ['I8'],
    file: GROUPS,
    edits: [[' || group.length === itemsMax', '']],
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
    name: 'each request has a commit of its own',
    breaks: [],
    file: SERVICE,
    edits: [['const WRITES = { groupsMax: 2, itemsMax: 64', 'const WRITES = { groupsMax: 2, itemsMax: 1']],
    tests: [GROUPS_TEST],
  },
  {
    name: 'of two entries of a batch that have one reference both are created',
    breaks: ['I2'],
    file: INSERT,
    edits: [['ordinality in (select ordinality from first)', 'true']],
    // Its index would refuse the second.
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
        // Which would refuse the second.
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
    name: 'an older worker puts an old function back',
    breaks: ['I8'],
    file: 'ledger-worker/database/migrate.ts',
    edits: [['if (select max(version) from ledger.migration) >', 'if 0 >']],
    tests: ['test/ledger-worker/database/functions.test.ts'],
  },
];
