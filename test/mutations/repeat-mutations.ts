/** Mutations of the idempotency of requests and entries. */
import type { Mutation } from './mutations.ts';

const WRITE = 'ledger-worker/sql/functions/write/write.sql';
const NEW = 'ledger-worker/sql/functions/write/new_entries.sql';
const KNOWN = 'ledger-worker/sql/functions/write/format_result.sql';
const TABLES = 'ledger-worker/sql/migrations/0001_ledger.sql';
const FINGERPRINT = 'gateway/input/entries.ts';
const IDEMPOTENCY_TEST = 'test/gateway/input/idempotency-key.test.ts';

export const REPEAT_MUTATIONS: Mutation[] = [
  {
    name: 'two entries of a batch with the same reference are both created',
    breaks: ['I2'],
    file: NEW,
    edits: [
      [' and v_different = v_refs', ''],
      ['else nth = 1 and external_ref', 'else external_ref'],
    ],
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
    name: 'a batch that repeats a reference fails',
    breaks: ['I5'],
    file: NEW,
    edits: [[' and v_different = v_refs', '']],
    tests: ['test/gateway/create.test.ts'],
  },
  {
    name: 'of entries with one reference the last is created',
    breaks: ['I5', 'S2'],
    file: NEW,
    edits: [
      [
        '(partition by external_ref order by ordinality)',
        '(partition by external_ref order by ordinality desc)',
      ],
    ],
    tests: ['test/gateway/create.test.ts'],
  },
  {
    name: 'a known reference is created again',
    breaks: ['I2'],
    file: NEW,
    edits: [
      ['if cardinality(p_known) = 0 and', 'if'],
      [' and external_ref not in (select external_ref from unnest(p_known))', ''],
    ],
    also: [
      {
        file: TABLES,
        edits: [['create unique index entry_external_ref', 'create index entry_external_ref']],
      },
    ],
    tests: ['test/gateway/create.test.ts'],
  },
  {
    name: 'a reference that a batch repeats is not in existing',
    breaks: ['I5'],
    file: WRITE,
    edits: [
      [
        'if v_known is null or new_entries > 0 and new_entries + cardinality(v_known) < v_size then',
        'if v_known is null then',
      ],
    ],
    tests: ['test/gateway/create.test.ts'],
  },
  {
    name: 'a reference is known in every account',
    breaks: ['S4', 'I7'],
    file: 'ledger-worker/sql/functions/write/known_entries.sql',
    edits: [['where e.account_id = $1 and', 'where $1 is not null and']],
    tests: ['test/gateway/access/auth-scope.test.ts'],
    only: 'in no other account',
  },
  {
    name: 'only one of several references is known',
    breaks: ['I5'],
    file: 'ledger-worker/sql/functions/write/known_entries.sql',
    edits: [['e.external_ref = any ($2)', 'e.external_ref = ($2)[1]']],
    tests: ['test/gateway/create.test.ts'],
  },
  {
    name: 'an entry without a reference is created again by the next attempt',
    breaks: ['I1', 'I5'],
    file: NEW,
    edits: [['    v_is_stored := found;', '']],
    also: [
      {
        // The unique index would reject the second one.
        file: TABLES,
        edits: [['primary key (account_id, source_id, entry_date, entry_id)', 'check (true)']],
      },
    ],
    tests: ['test/ledger-worker/ledger/contract.test.ts'],
  },
  {
    name: 'a repeated Idempotency-Key returns the first response to any request',
    breaks: ['I1'],
    file: WRITE,
    edits: [['when v_fingerprint <> v_write.fingerprint then', 'when false then']],
    tests: [IDEMPOTENCY_TEST],
  },
  {
    name: 'an Idempotency-Key is not stored',
    breaks: ['I5'],
    file: WRITE,
    edits: [["if outcome = 'accepted' and v_write.idempotency_key is not null then", 'if false then']],
    tests: [IDEMPOTENCY_TEST],
  },
  {
    name: 'an expired Idempotency-Key that is used again keeps its old time',
    breaks: ['I5'],
    file: WRITE,
    edits: [[', used_at = excluded.used_at', '']],
    tests: [IDEMPOTENCY_TEST],
  },
  {
    name: 'an expired Idempotency-Key that is used again still belongs to its old request',
    breaks: ['I5'],
    file: WRITE,
    edits: [['set fingerprint = excluded.fingerprint, ', 'set ']],
    tests: [IDEMPOTENCY_TEST],
  },
  {
    name: 'an Idempotency-Key is found after its lifetime',
    breaks: ['I5'],
    file: WRITE,
    edits: [['and k.used_at > v_now - p_key_lifetime', '']],
    tests: [IDEMPOTENCY_TEST],
  },
  {
    name: 'a repeated request gets its own ids instead of the first ones',
    breaks: ['I1'],
    file: WRITE,
    edits: [["outcome = 'repeated', v_first_ids)", "outcome = 'repeated', null)"]],
    tests: [IDEMPOTENCY_TEST],
  },
  {
    name: 'the fingerprint of an Idempotency-Key is the same for no description and an empty one',
    breaks: ['I1'],
    file: FINGERPRINT,
    edits: [['description ?? null', 'description || null']],
    tests: [IDEMPOTENCY_TEST],
  },
  {
    name: 'the fingerprint of an Idempotency-Key is the same for no category and an empty one',
    breaks: ['I1'],
    file: FINGERPRINT,
    edits: [['category ?? null', 'category || null']],
    tests: [IDEMPOTENCY_TEST],
  },
  {
    name: 'the fingerprint of an Idempotency-Key is the same for a text in another field',
    breaks: ['I1'],
    file: FINGERPRINT,
    edits: [
      [
        'category ?? null, description ?? null, externalRef ?? null',
        '...[category, description, externalRef].filter(Boolean)',
      ],
    ],
    tests: [IDEMPOTENCY_TEST],
  },
  {
    name: 'the fingerprint of an Idempotency-Key changes with the case of the source id',
    breaks: ['I5'],
    file: FINGERPRINT,
    edits: [['sourceId.toLowerCase()', 'sourceId']],
    tests: [IDEMPOTENCY_TEST],
  },
  {
    name: 'a conflict between no description and an empty one is not reported',
    breaks: ['I1', 'S3'],
    file: KNOWN,
    edits: [
      [
        'e.description  is distinct from sent.description',
        "coalesce(e.description, '') is distinct from coalesce(sent.description, '')",
      ],
    ],
    tests: ['test/gateway/conflicts.test.ts'],
  },
  {
    name: 'a conflict between a category and none is not reported',
    breaks: ['I1'],
    file: KNOWN,
    edits: [['e.category     is distinct from sent.category ', 'e.category <> sent.category ']],
    tests: ['test/gateway/conflicts.test.ts'],
  },
  {
    name: 'expired rows are deleted only once a day',
    breaks: [],
    file: 'ledger-worker/ledger/retention.ts',
    edits: [['const PASS_EVERY_MS = 60 * 60', 'const PASS_EVERY_MS = 24 * 60 * 60']],
    tests: ['test/ledger-worker/ledger/retention.slow.test.ts'],
    only: 'one of the workers makes a pass',
  },
];
