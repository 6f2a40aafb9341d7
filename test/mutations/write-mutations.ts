/** Mutations of the write path: the database function and the group commit. */
import type { Mutation } from './mutations.ts';

export const WRITE = 'ledger-worker/sql/functions/create_batches.sql';
const TABLES = 'ledger-worker/sql/migrations/0001_ledger.sql';
const SOURCES = 'ledger-worker/sql/functions/require_sources.sql';
const GROUPS = 'ledger-worker/ledger/batcher.ts';
const SERVICE = 'ledger-worker/ledger/service.ts';
const GROUPS_TEST = 'test/ledger-worker/ledger/group-commit.test.ts';

export const WRITE_MUTATIONS: Mutation[] = [
  {
    name: 'writes of an account are not serial',
    breaks: ['I3', 'I9'],
    file: WRITE,
    edits: [
      [' where account_id = p_account_ids[1] for no key update', ' where account_id = p_account_ids[1]'],
      ['order by account_id for no key update skip locked', 'order by account_id'],
    ],
    tests: ['test/gateway/ledger/two-workers.test.ts'],
  },
  {
    name: 'a write uses the snapshot from before its lock',
    breaks: ['I6'],
    file: WRITE,
    edits: [
      [
        '  v_misplaced    integer[];',
        '  v_misplaced integer[];\n  v_keys uuid[] := array(select key_id from ledger.api_key where revoked_at is null);',
      ],
      ['k.revoked_at is null', 'k.key_id = any (v_keys)'],
    ],
    tests: ['test/gateway/races.test.ts', GROUPS_TEST],
  },
  {
    name: 'the cap counts entries before they are deduplicated',
    breaks: ['I5'],
    file: WRITE,
    edits: [['if v.creates > 0 and v_used[n] + v.creates > p_cap then', 'if true then']],
    tests: ['test/gateway/access/day.test.ts'],
  },
  {
    name: 'the database does not enforce the cap',
    breaks: ['I3'],
    file: WRITE,
    edits: [['if v.creates > 0 and v_used[n] + v.creates > p_cap then', 'if false then']],
    tests: ['test/gateway/access/day.test.ts'],
  },
  {
    name: 'a write leaves the daily window too early',
    breaks: ['I3'],
    file: WRITE,
    edits: [
      ['written_at <= last.time - p_window', "written_at <= last.time - p_window + interval '1 minute'"],
    ],
    tests: ['test/gateway/access/day.test.ts'],
  },
  {
    name: 'a batch is created without its entries with an invalid category',
    breaks: ['I4'],
    file: WRITE,
    edits: [
      ['if n = any (v_misplaced) then', 'if false then'],
      [
        "v_turns[batch] = v_turn and v_outcomes[batch] = 'created'\n      ),",
        `v_turns[batch] = v_turn and v_outcomes[batch] = 'created'
           and (category is null
                or exists (select from ledger.category c
                            where c.source_type = v_source_types[batch] and c.category = sent.category))
      ),`,
      ],
    ],
    tests: ['test/gateway/create.test.ts', 'test/gateway/input/validation.test.ts'],
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
    file: WRITE,
    edits: [['where k.account_id = p_account_ids[n] and k.key_hash', 'where k.key_hash']],
    tests: ['test/security/object-level.test.ts', 'test/ledger-worker/ledger/contract.test.ts'],
  },
  {
    name: 'the count of a source grows by the entries sent, not by those created',
    breaks: ['I9'],
    file: WRITE,
    edits: [
      [
        'set transaction_count = transaction_count + added',
        'set transaction_count = transaction_count + p_sizes[batch]',
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
        "when clock_timestamp() - statement_timestamp() > p_patience_ms[v.batch] * interval '1 ms' then",
        'when false then',
      ],
    ],
    tests: ['test/ledger-worker/database/robustness.test.ts'],
  },
  {
    name: 'a group creates batches of accounts that another transaction has locked',
    breaks: ['I3', 'I9'],
    file: WRITE,
    edits: [["when not p_account_ids[v.batch] = any (v_locked) then 'busy'", '']],
    tests: [GROUPS_TEST],
  },
  {
    name: 'a group waits for accounts that another transaction has locked',
    breaks: ['I8'],
    file: WRITE,
    edits: [[' skip locked) as locked', ') as locked']],
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
    edits: [['Math.ceil(pool.size / 2)', 'pool.size']],
    tests: [GROUPS_TEST],
  },
  {
    name: 'batches of one account in a group do not see each other',
    breaks: ['I3', 'I9'],
    file: WRITE,
    edits: [['cardinality(array_positions(p_account_ids[:n], p_account_ids[n]))', '1']],
    tests: [GROUPS_TEST],
  },
  {
    name: 'a rejected batch fails its whole group',
    breaks: ['I1', 'I4'],
    file: WRITE,
    edits: [
      [
        "v_turns[batch] = v_turn and v_outcomes[batch] = 'created'\n      ),",
        "v_turns[batch] = v_turn and 'created' = all (v_outcomes)\n      ),",
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
    file: SERVICE,
    edits: [['const WRITES = { batchesMax: 2, itemsMax: 64', 'const WRITES = { batchesMax: 2, itemsMax: 1']],
    tests: [GROUPS_TEST],
  },
  {
    name: 'two entries of a batch with the same reference are both created',
    breaks: ['I2'],
    file: WRITE,
    edits: [['n in (select n from first) and (batch, ref) not in', '(batch, ref) not in']],
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
    file: WRITE,
    edits: [['when ref is null then batch not in (select batch from stored)', 'when ref is null then true']],
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
    file: WRITE,
    edits: [['when v.source_type is null then', 'when false then']],
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
