/** Mutations of the idempotency of requests and entries. */
import type { Mutation } from './mutations.ts';

const READ = 'ledger-worker/sql/functions/read_batches.sql';
const KEEP = 'ledger-worker/sql/functions/keep_idempotency_keys.sql';
const KNOWN = 'ledger-worker/sql/functions/known_entries.sql';
const FINGERPRINT = 'gateway/input/idempotency.ts';
const IDEMPOTENCY_TEST = 'test/gateway/input/idempotency-key.test.ts';

export const REPEAT_MUTATIONS: Mutation[] = [
  {
    name: 'a repeated Idempotency-Key returns the first response to any request',
    breaks: ['I1'],
    file: READ,
    edits: [['when kept_fingerprint <> fingerprint then', 'when false then']],
    tests: [IDEMPOTENCY_TEST],
  },
  {
    name: 'an Idempotency-Key is not stored',
    breaks: ['I5'],
    file: KEEP,
    edits: [
      [
        "continue when p_batches[n].idempotency_key is null or p_states[n].outcome <> 'accepted';",
        'continue;',
      ],
    ],
    tests: [IDEMPOTENCY_TEST],
  },
  {
    name: 'an expired Idempotency-Key that is used again keeps its old time',
    breaks: ['I5'],
    file: KEEP,
    edits: [[', used_at = excluded.used_at', '']],
    tests: [IDEMPOTENCY_TEST],
  },
  {
    name: 'an expired Idempotency-Key that is used again still belongs to its old request',
    breaks: ['I5'],
    file: KEEP,
    edits: [['set fingerprint = excluded.fingerprint, ', 'set ']],
    tests: [IDEMPOTENCY_TEST],
  },
  {
    name: 'a request deletes any number of expired Idempotency-Keys',
    breaks: [],
    file: KEEP,
    edits: [['limit 1000));', '));']],
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
    breaks: ['I1'],
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
    only: 'a pass begins',
  },
];
