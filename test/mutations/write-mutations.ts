/** Mutations of the write path: the functions that create batches. */
import type { Mutation } from './mutations.ts';

const ENTRIES = 'ledger-worker/sql/functions/write/write_entries.sql';
const BATCH = 'ledger-worker/sql/functions/write/write_batch.sql';
const LOCK = 'ledger-worker/sql/functions/write/lock_account.sql';
const PLAN_OF_KEY = 'ledger-worker/sql/functions/read/plan_of_key.sql';
const CATEGORIES = 'ledger-worker/sql/functions/write/invalid_categories.sql';
const LOG = 'ledger-worker/sql/functions/write/read_log.sql';
const SOURCES = 'ledger-worker/sql/functions/write/require_sources.sql';
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
    file: ENTRIES,
    edits: [
      [
        'v_lock := ledger.lock_account(v_batch.account_id, p_wait_for_lock);',
        'v_lock := ledger.lock_account(v_batch.account_id, false);\n      v_lock.is_locked := v_lock.is_locked or p_wait_for_lock;',
      ],
    ],
    also: [
      {
        file: BATCH,
        edits: [
          [
            'v_is_valid_key := found;',
            'v_is_valid_key := found;\n  p_plan := (ledger.lock_account(v_account_id, true)).plan;',
          ],
        ],
      },
    ],
    tests: ['test/gateway/races.test.ts', GROUPS_TEST],
  },
  {
    name: 'the cap counts entries before they are deduplicated',
    breaks: ['I5'],
    file: BATCH,
    edits: [
      [
        'v_fresh := ledger.fresh_entries(v_account_id, v_source_id, p_entries, v_known);',
        `v_fresh := ledger.fresh_entries(v_account_id, v_source_id, p_entries, v_known);
        if cardinality(v_fresh) < cardinality(p_entries)
           and cardinality(p_entries) + (select sum(created) from ledger.write_log where account_id = v_account_id) > p_cap then
          outcome := 'daily_cap';
          detail := json_build_object('fitsNow', 0, 'retryAfterMs', 1000);
          return;
        end if;`,
      ],
    ],
    tests: ['test/gateway/access/day.test.ts'],
  },
  {
    name: 'the database does not enforce the cap',
    breaks: ['I3'],
    file: BATCH,
    edits: [['if added > 0 and v_log.used + added > p_cap then', 'if false then']],
    tests: ['test/gateway/access/day.test.ts'],
  },
  {
    name: 'a batch that goes exactly up to the cap is refused',
    breaks: [],
    file: BATCH,
    edits: [
      [
        'if added > 0 and v_log.used + added > p_cap then',
        'if added > 0 and v_log.used + added >= p_cap then',
      ],
    ],
    tests: ['test/gateway/access/day.test.ts'],
  },
  {
    name: 'a write leaves the daily window too early',
    breaks: ['I3'],
    file: LOG,
    edits: [['<= read_log.written_at - p_window', "<= read_log.written_at - p_window + interval '1 minute'"]],
    tests: ['test/gateway/access/day.test.ts'],
  },
  {
    name: 'a clock that is set back makes entries leave the daily window early',
    breaks: ['I3'],
    file: LOG,
    edits: [['written_at := greatest(p_now, written_at);', 'written_at := p_now;']],
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
    file: BATCH,
    edits: [
      [
        'v_invalid := ledger.invalid_categories(v_source_type, p_entries);',
        `p_entries := array(
           select row(batch, entry_id, entry_date, type, amount_pence, category, description, external_ref)::ledger.new_entry
             from unnest(p_entries)
            where category is null or exists (select from ledger.category c
                                               where c.source_type = v_source_type and c.category = unnest.category));`,
      ],
    ],
    tests: ['test/gateway/create.test.ts', 'test/gateway/input/validation.test.ts'],
  },
  {
    name: 'a category is checked without the type of its entry',
    breaks: ['I1'],
    file: CATEGORIES,
    edits: [
      [
        "type || ' ' || category not in",
        "'income ' || category not in (select unnest(ledger.categories_of(p_source_type))) and 'expense ' || category not in",
      ],
    ],
    tests: ['test/gateway/create.test.ts'],
  },
  {
    name: 'a revoked key can still read',
    breaks: ['I6'],
    file: PLAN_OF_KEY,
    edits: [[' and k.revoked_at is null', '']],
    tests: ['test/gateway/access/auth.test.ts', 'test/ledger-worker/ledger/contract.test.ts'],
  },
  {
    name: 'a revoked key can still write',
    breaks: ['I6'],
    file: BATCH,
    edits: [[' and k.revoked_at is null', '']],
    tests: ['test/gateway/access/auth.test.ts', 'test/ledger-worker/ledger/contract.test.ts'],
  },
  {
    name: 'a key works for any account',
    breaks: ['I7'],
    file: PLAN_OF_KEY,
    edits: [['where k.account_id = p_account_id and k.key_hash', 'where k.key_hash']],
    also: [
      {
        file: BATCH,
        edits: [['where k.account_id = v_account_id and k.key_hash', 'where k.key_hash']],
      },
    ],
    tests: ['test/security/object-level.test.ts', 'test/ledger-worker/ledger/contract.test.ts'],
  },
  {
    name: 'a plan without API access can write',
    breaks: [],
    file: BATCH,
    edits: [["when not ledger.has_api_access(p_plan) then 'upgrade_required'", '']],
    tests: ['test/ledger-worker/ledger/contract.test.ts', GROUPS_TEST],
  },
  {
    name: 'the count of a source grows by the entries sent, not by those created',
    breaks: ['I9'],
    file: BATCH,
    edits: [
      [
        '      added := cardinality(v_fresh);',
        `      added := cardinality(v_fresh);
              update ledger.source set transaction_count = transaction_count + cardinality(p_entries) - cardinality(v_fresh)
               where account_id = v_account_id and source_id = v_source_id;`,
      ],
    ],
    tests: ['test/gateway/create.test.ts'],
  },
  {
    name: 'a write is stored after its client got an error',
    breaks: ['I1'],
    file: BATCH,
    edits: [
      ["if v_now - statement_timestamp() > p_batch.timeout_ms * interval '1 ms' then", 'if false then'],
    ],
    tests: ['test/ledger-worker/database/robustness.slow.test.ts'],
  },
  {
    name: 'an entry may name a source of another account',
    breaks: ['I7', 'I9'],
    file: BATCH,
    edits: [["when v_source_type is null then 'source_not_found'", '']],
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
    name: 'a removed source takes entries',
    breaks: [],
    file: BATCH,
    edits: [[' and s.removed_at is null', '']],
    tests: ['test/ledger-worker/ledger/next-attempt.test.ts'],
  },
  {
    name: 'an older worker replaces a function by its older version',
    breaks: ['I8'],
    file: 'ledger-worker/database/migrate.ts',
    edits: [['if (select max(version) from ledger.migration) >', 'if 0 >']],
    tests: ['test/ledger-worker/database/functions.test.ts'],
  },
];
