/** Ways to break what the worker promises to its callers, and what it requires of them (proto/ledger.proto). */
import type { Mutation } from './mutations.ts';
import { WRITE } from './write-mutations.ts';

const INPUT = 'ledger-worker/ledger/input.ts';
const MALFORMED_TEST = 'test/ledger-worker/ledger/malformed.test.ts';
const JSON_TEST = 'test/ledger-worker/ledger/entries-json.test.ts';
const NEXT_ATTEMPT_TEST = 'test/ledger-worker/ledger/next-attempt.test.ts';

export const CONTRACT_MUTATIONS: Mutation[] = [
  {
    name: 'what an earlier attempt has stored is refused once its client has lost its access',
    breaks: ['I5'],
    file: WRITE,
    edits: [['if v_is_stored then', 'if false then']],
    tests: [NEXT_ATTEMPT_TEST, 'test/gateway/ledger/lost-response.test.ts'],
  },
  {
    name: 'a request without access is told that it was created when some of it is stored',
    breaks: ['I1'],
    file: WRITE,
    edits: [['bool_or(is_own) and bool_and(is_own or is_known)', 'bool_or(is_own)']],
    tests: [NEXT_ATTEMPT_TEST],
  },
  {
    name: 'a request without access is answered when another has stored its references',
    breaks: ['I6'],
    file: WRITE,
    edits: [['bool_or(is_own) and bool_and(is_own or is_known)', 'bool_and(is_own or is_known)']],
    tests: [NEXT_ATTEMPT_TEST],
  },
  {
    name: 'a key of another account is told what is stored',
    breaks: ['I7'],
    file: WRITE,
    edits: [
      [
        'where account_id = p_account_ids[n] and key_hash = p_key_hashes[n])) as refused',
        'limit 1)) as refused',
      ],
    ],
    tests: [NEXT_ATTEMPT_TEST],
  },
  {
    name: 'entries that are new are reported as created beside one that is stored, and are not',
    breaks: ['I1'],
    file: WRITE,
    edits: [['if added > 0 or v.stored <> v_own then', 'if added > 0 then']],
    tests: [MALFORMED_TEST],
  },
  {
    name: 'entries are added to a request that was stored whole',
    breaks: ['I4'],
    file: WRITE,
    edits: [['if added > 0 or v.stored <> v_own then', 'if v.stored <> v_own then']],
    tests: [MALFORMED_TEST],
  },
  {
    name: 'what is stored under an id counts as created, whatever is sent now',
    breaks: ['I1'],
    file: WRITE,
    edits: [['is not distinct from (sent.type, sent.amount, sent.description, sent.ref)', 'is not null']],
    tests: [MALFORMED_TEST],
  },
  {
    name: 'one id may stand for two entries of a request',
    breaks: ['I5'],
    file: INPUT,
    edits: [['if (id <= before)', 'if (false)']],
    tests: [MALFORMED_TEST],
  },
  {
    name: 'any uuid is the id of an entry',
    breaks: ['I5'],
    file: INPUT,
    edits: [['if (!isUuidV7(id))', 'if (!isUuid(id))']],
    tests: [MALFORMED_TEST, JSON_TEST],
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
    tests: [JSON_TEST],
  },
  {
    name: 'what was not UTF-8 in a message is stored as another character',
    breaks: ['I1'],
    file: INPUT,
    edits: [[" || key.includes('\\ufffd')", '']],
    tests: [MALFORMED_TEST],
  },
  {
    name: 'bytes of entries_json that are not UTF-8 are mended in silence',
    breaks: ['I1'],
    file: INPUT,
    edits: [['{ fatal: true, ignoreBOM: true }', '{ ignoreBOM: true }']],
    tests: [JSON_TEST],
  },
  {
    name: 'a fingerprint may have any length',
    breaks: ['I1'],
    file: INPUT,
    edits: [['if (fingerprint.length !== FINGERPRINT_BYTES)', 'if (false)']],
    tests: [MALFORMED_TEST],
  },
  {
    name: 'a question that may wait very long does not wait at all',
    breaks: ['I8'],
    file: 'ledger-worker/grpc/multiplexer.ts',
    edits: [['Math.min(request.timeoutMs, TIMEOUT_MS_MAX)', 'request.timeoutMs']],
    tests: ['test/ledger-worker/grpc/multiplexer.test.ts'],
  },
];
