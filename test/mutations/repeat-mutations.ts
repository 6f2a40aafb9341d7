/** Ways to break what becomes of a request, or of an entry, that is sent again, and of what is kept for that. */
import type { Mutation } from './mutations.ts';

const READ = 'ledger-worker/sql/functions/read_batches.sql';
const KEEP = 'ledger-worker/sql/functions/keep_idempotency_keys.sql';
const KNOWN = 'ledger-worker/sql/functions/known_entries.sql';
const FINGERPRINT = 'gateway/input/idempotency.ts';
const IDEMPOTENCY_TEST = 'test/gateway/input/idempotency-key.test.ts';

export const REPEAT_MUTATIONS: Mutation[] = [
  {
    name: 'a repeated Idempotency-Key is answered whatever is asked',
    breaks: ['I1'],
    file: READ,
    edits: [['when kept_fingerprint <> fingerprint then', 'when false then']],
    tests: [IDEMPOTENCY_TEST],
  },
  {
    name: 'an Idempotency-Key is forgotten',
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
    name: 'an Idempotency-Key that is used again after its time keeps its old time',
    breaks: ['I5'],
    file: KEEP,
    edits: [[', used_at = excluded.used_at', '']],
    tests: [IDEMPOTENCY_TEST],
  },
  {
    name: 'an Idempotency-Key that is used again after its time stands for its old request',
    breaks: ['I5'],
    file: KEEP,
    edits: [['set fingerprint = excluded.fingerprint, ', 'set ']],
    tests: [IDEMPOTENCY_TEST],
  },
  {
    name: 'a request forgets any number of old Idempotency-Keys',
    breaks: [],
    file: KEEP,
    edits: [['limit 1000));', '));']],
    tests: [IDEMPOTENCY_TEST],
  },
  {
    name: 'an Idempotency-Key tells no description from an empty one',
    breaks: ['I1'],
    file: FINGERPRINT,
    edits: [['description ?? null', 'description || null']],
    tests: [IDEMPOTENCY_TEST],
  },
  {
    name: 'an Idempotency-Key tells no category from an empty one',
    breaks: ['I1'],
    file: FINGERPRINT,
    edits: [['category ?? null', 'category || null']],
    tests: [IDEMPOTENCY_TEST],
  },
  {
    name: 'an Idempotency-Key tells no place of a text from another',
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
    name: 'an Idempotency-Key tells the source of a request from its id in capitals',
    breaks: ['I5'],
    file: FINGERPRINT,
    edits: [['sourceId.toLowerCase()', 'sourceId']],
    tests: [IDEMPOTENCY_TEST],
  },
  {
    name: 'a conflict between no description and an empty one goes unnoticed',
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
    name: 'a conflict between a category and none goes unnoticed',
    breaks: ['I1'],
    file: KNOWN,
    edits: [['e.category     is distinct from sent.category ', 'e.category <> sent.category ']],
    tests: ['test/gateway/conflicts.test.ts'],
  },
  {
    name: 'what is over its time is looked for once a day',
    breaks: [],
    file: 'ledger-worker/ledger/retention.ts',
    edits: [['const PASS_EVERY_MS = 60 * 60', 'const PASS_EVERY_MS = 24 * 60 * 60']],
    tests: ['test/ledger-worker/ledger/retention.test.ts'],
    only: 'a pass begins',
  },
];
