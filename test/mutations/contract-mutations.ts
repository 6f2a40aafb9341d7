/** Mutations of the contract between worker and callers (proto/ledger.proto). */
import type { Mutation } from './mutations.ts';

const WRITE = 'ledger-worker/sql/functions/write/write.sql';
const STORED = 'ledger-worker/sql/functions/write/is_stored.sql';
const KNOWN = 'ledger-worker/sql/functions/write/format_result.sql';
const INPUT = 'ledger-worker/ledger/input.ts';
const MALFORMED_TEST = 'test/ledger-worker/ledger/malformed.test.ts';
const NEXT_ATTEMPT_TEST = 'test/ledger-worker/ledger/next-attempt.test.ts';

export const CONTRACT_MUTATIONS: Mutation[] = [
  {
    name: 'a retry is rejected after the client has lost access, although the first attempt stored the entries',
    breaks: ['I5'],
    file: WRITE,
    edits: [
      [
        'if not ledger.is_stored(v_account_id, v_source_id, v_write.key_hash, v_entries) then',
        'if true then',
      ],
    ],
    tests: [NEXT_ATTEMPT_TEST, 'test/gateway/ledger/lost-response.test.ts'],
  },
  {
    name: 'a request without access is reported as created when only some of its entries are stored',
    breaks: ['I1'],
    file: STORED,
    edits: [['\n      if not found then', '\n      if false then']],
    tests: [NEXT_ATTEMPT_TEST],
  },
  {
    name: 'a request without access succeeds when another request has stored its references',
    breaks: ['I6'],
    file: STORED,
    edits: [['return v_has_own;', 'return true;']],
    tests: [NEXT_ATTEMPT_TEST],
  },
  {
    name: 'a key of another account learns what is stored',
    breaks: ['I7'],
    file: STORED,
    edits: [['\n  if not found then', '\n  if false then']],
    tests: [NEXT_ATTEMPT_TEST],
  },
  {
    name: 'new entries beside a stored one are reported as created but are not stored',
    breaks: ['I1'],
    file: KNOWN,
    edits: [['if v_own <> 0 then', 'if p_new > 0 then']],
    tests: [MALFORMED_TEST],
  },
  {
    name: 'a retry adds entries to a completely stored request',
    breaks: ['I4'],
    file: KNOWN,
    edits: [['and v_own > 0 then', 'and v_own > 0 and p_new = 0 then']],
    tests: [MALFORMED_TEST],
  },
  {
    name: 'an entry counts as created when its id is stored with other content',
    breaks: ['I1'],
    file: KNOWN,
    edits: [
      [
        'is not distinct from (v_sent.type, v_sent.amount_pence, v_sent.description, v_sent.external_ref)',
        'is not distinct from (e.type, e.amount_pence, e.description, e.external_ref)',
      ],
    ],
    tests: [MALFORMED_TEST],
  },
  {
    name: 'two entries of a request may have the same id',
    breaks: ['I5'],
    file: INPUT,
    edits: [['if (id <= before)', 'if (false)']],
    tests: [MALFORMED_TEST],
  },
  {
    name: 'any UUID is accepted as the id of an entry',
    breaks: ['I5'],
    file: INPUT,
    edits: [['if (!isUuidV7(id))', 'if (!isUuid(id))']],
    tests: [MALFORMED_TEST],
  },
  {
    name: 'half of a surrogate pair is stored as another character',
    breaks: ['I1'],
    file: INPUT,
    edits: [
      [
        'if (!(category.isWellFormed() && description.isWellFormed() && externalRef.isWellFormed()))',
        'if (false)',
      ],
    ],
    tests: [MALFORMED_TEST],
  },
  {
    name: 'invalid UTF-8 in a message is stored as another character',
    breaks: ['I1'],
    file: INPUT,
    edits: [[" || key.includes('\\ufffd')", '']],
    tests: [MALFORMED_TEST],
  },
  {
    name: 'invalid UTF-8 in entries_json is silently replaced',
    breaks: ['I1'],
    file: INPUT,
    edits: [['{ fatal: true, ignoreBOM: true }', '{ ignoreBOM: true }']],
    tests: [MALFORMED_TEST],
  },
  {
    name: 'a fingerprint may have any length',
    breaks: ['I1'],
    file: INPUT,
    edits: [['if (fingerprint.length !== FINGERPRINT_BYTES)', 'if (false)']],
    tests: [MALFORMED_TEST],
  },
  {
    name: 'a request with a very long timeout times out at once',
    breaks: ['I8'],
    file: 'ledger-worker/grpc/multiplexer.ts',
    edits: [['Math.min(request.timeoutMs, TIMEOUT_MS_MAX)', 'request.timeoutMs']],
    tests: ['test/ledger-worker/grpc/multiplexer.test.ts'],
  },
];
