/** Mutations of the write path: the functions that create batches. */
import type { Mutation } from './mutations.ts';

const WRITE = 'ledger-worker/sql/functions/write/write.sql';
const LOCK = 'ledger-worker/sql/functions/write/lock_account.sql';
const AUTHENTICATE = 'ledger-worker/sql/functions/read/authenticate.sql';
const VOCABULARY = 'ledger-worker/database/vocabulary-functions.ts';
const GROUPS_TEST = 'test/ledger-worker/ledger/group-commit.test.ts';

export const WRITE_MUTATIONS: Mutation[] = [
  {
    name: 'writes of an account are not serial',
    breaks: ['I3', 'I9'],
    file: LOCK,
    edits: [
      ['account_id = p_account_id for no key update;', 'account_id = p_account_id;'],
      ['account_id = p_account_id for no key update skip locked;', 'account_id = p_account_id;'],
    ],
    tests: ['test/gateway/ledger/two-workers.slow.test.ts'],
  },
  {
    name: 'a write uses the snapshot from before its lock',
    breaks: ['I6'],
    file: WRITE,
    edits: [
      [
        'v_plan := ledger.lock_account(v_account_id, p_wait_for_lock);',
        'v_plan := ledger.lock_account(v_account_id, false);',
      ],
      [
        'v_is_valid_key := found;',
        'v_is_valid_key := found;\n    v_plan := ledger.lock_account(v_account_id, p_wait_for_lock);',
      ],
    ],
    tests: ['test/gateway/races.test.ts', GROUPS_TEST],
  },
  {
    name: 'the cap counts entries before they are deduplicated',
    breaks: ['I5'],
    file: WRITE,
    edits: [
      [
        'if cardinality(v_new) > 0 and v_used + cardinality(v_new) > p_cap then',
        'if v_used + v_size > p_cap then',
      ],
    ],
    tests: ['test/gateway/access/day.test.ts'],
  },
  {
    name: 'the database does not enforce the cap',
    breaks: ['I3'],
    file: WRITE,
    edits: [['if cardinality(v_new) > 0 and v_used + cardinality(v_new) > p_cap then', 'if false then']],
    tests: ['test/gateway/access/day.test.ts'],
  },
  {
    name: 'a batch that goes exactly up to the cap is refused',
    breaks: [],
    file: WRITE,
    edits: [['v_used + cardinality(v_new) > p_cap', 'v_used + cardinality(v_new) >= p_cap']],
    tests: ['test/gateway/access/day.test.ts'],
  },
  {
    name: 'a write leaves the daily window too early',
    breaks: ['I3'],
    file: WRITE,
    edits: [['<= v_written_at - p_window', "<= v_written_at - p_window + interval '1 minute'"]],
    tests: ['test/gateway/access/day.test.ts'],
  },
  {
    name: 'a clock that is set back makes entries leave the daily window early',
    breaks: ['I3'],
    file: WRITE,
    edits: [['v_written_at := greatest(v_now, v_written_at);', 'v_written_at := v_now;']],
    tests: ['test/gateway/access/day.test.ts'],
  },
  {
    name: 'Retry-After of the database is the time of the first write, even when more must expire',
    breaks: [],
    file: 'ledger-worker/sql/functions/write/daily_cap_detail.sql',
    edits: [[' and l.total >= p_total - p_cap', '']],
    tests: ['test/gateway/access/day.test.ts'],
  },
  {
    name: 'a batch is created without its entries with an invalid category',
    breaks: ['I4'],
    file: WRITE,
    edits: [
      [
        "outcome := 'invalid_categories';",
        `v_entries := array(
           select row(entry_id, entry_date, type, amount_pence, category, description, external_ref)::ledger.new_entry
             from unnest(v_entries) where ledger.is_category(v_source_type, type, category));
         v_size := cardinality(v_entries);`,
      ],
    ],
    tests: ['test/gateway/create.test.ts', 'test/gateway/input/validation.test.ts'],
  },
  {
    name: 'a category is checked without the type of its entry',
    breaks: ['I1'],
    file: VOCABULARY,
    edits: [
      ["p_entry_type || ' ' || p_category = any", 'p_category = any'],
      ["[type, key].join(' ')", 'key'],
    ],
    tests: ['test/gateway/create.test.ts'],
  },
  {
    name: 'a revoked key can still read',
    breaks: ['I6'],
    file: AUTHENTICATE,
    edits: [[' and k.revoked_at is null', '']],
    tests: ['test/gateway/access/auth.test.ts', 'test/ledger-worker/ledger/contract.test.ts'],
  },
  {
    name: 'a revoked key can still write',
    breaks: ['I6'],
    file: WRITE,
    edits: [[' and k.revoked_at is null', '']],
    tests: ['test/gateway/access/auth.test.ts', 'test/ledger-worker/ledger/contract.test.ts'],
  },
  {
    name: 'a key works for any account',
    breaks: ['I7'],
    file: AUTHENTICATE,
    edits: [['where k.account_id = p_account_id and k.key_hash', 'where k.key_hash']],
    also: [
      {
        file: WRITE,
        edits: [['where k.account_id = v_account_id and k.key_hash', 'where k.key_hash']],
      },
    ],
    tests: ['test/security/object-level.test.ts', 'test/ledger-worker/ledger/contract.test.ts'],
  },
  {
    name: 'a plan without API access can write',
    breaks: [],
    file: WRITE,
    edits: [["when not ledger.has_api_access(v_plan) then 'upgrade_required'", '']],
    tests: ['test/ledger-worker/ledger/contract.test.ts'],
  },
  {
    name: 'the count of a source grows by the entries sent, not by those created',
    breaks: ['I9'],
    file: WRITE,
    edits: [
      [
        'set transaction_count = s.transaction_count + new_entries',
        'set transaction_count = s.transaction_count + v_size',
      ],
    ],
    tests: ['test/gateway/create.test.ts'],
  },
  {
    name: 'a write is stored after its client got an error',
    breaks: ['I1'],
    file: WRITE,
    edits: [
      [
        "if clock_timestamp() - statement_timestamp() > v_write.timeout_ms * interval '1 ms' then",
        'if false then',
      ],
    ],
    tests: ['test/ledger-worker/database/robustness.slow.test.ts'],
  },
  {
    name: 'an entry may name a source of another account',
    breaks: ['I7', 'I9'],
    file: WRITE,
    edits: [["when v_source_type is null then 'source_not_found'", '']],
    tests: ['test/gateway/create.test.ts', 'test/security/object-level.test.ts'],
  },
  {
    name: 'a removed source takes entries',
    breaks: [],
    file: WRITE,
    edits: [[' and s.removed_at is null', '']],
    tests: ['test/ledger-worker/ledger/next-attempt.test.ts'],
  },
  {
    name: 'an older worker replaces a function by its older version',
    breaks: ['I8'],
    file: 'ledger-worker/database/migrate.ts',
    edits: [
      ['if ((await missingIn(sql, folder)).length === 0) return;', ''],
      ['where version > ', 'where version < -'],
    ],
    tests: ['test/ledger-worker/database/functions.test.ts'],
  },
];
