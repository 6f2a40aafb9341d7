/** Mutations of the clients, which write the same records as the service: a push, the reader of files, the import page. */
import { IMPORT_PAGE_MUTATIONS } from './import-page-mutations.ts';
import type { Mutation } from './mutations.ts';
import { READER_MUTATIONS } from './reader-mutations.ts';

const PUSH = 'clients/typescript/push.ts';
const RETRIES = 'clients/typescript/retries.ts';
const PUSH_TEST = 'test/clients/typescript/push.test.ts';

const PUSH_MUTATIONS: Mutation[] = [
  {
    name: 'a push of entries with and without references has no Idempotency-Key',
    breaks: ['I5'],
    file: PUSH,
    edits: [['const needsKey = entries.some(', 'const needsKey = entries.every(']],
    tests: [PUSH_TEST],
    only: 'whose response is lost',
  },
  {
    name: 'a push has another Idempotency-Key in each attempt',
    breaks: ['I5'],
    file: PUSH,
    edits: [
      [
        "header: { 'Idempotency-Key': randomKey() }",
        "header: { get 'Idempotency-Key'() { return randomKey(); } }",
      ],
    ],
    tests: [PUSH_TEST],
    only: 'whose response is lost',
  },
  {
    name: 'a push has one Idempotency-Key for all of its requests',
    breaks: ['I1'],
    file: PUSH,
    edits: [
      ["{ 'Idempotency-Key': randomKey() }", "{ 'Idempotency-Key': ONE_KEY }"],
      ['/** 128 random bits.', "const ONE_KEY = 'x'.repeat(32);\n\n/** 128 random bits."],
    ],
    tests: [PUSH_TEST],
    only: 'different keys',
  },
  {
    name: 'a push goes on with single entries after a wait at the daily cap',
    breaks: [],
    file: PUSH,
    edits: [['      entriesMax = ENTRIES_MAX;\n', '']],
    tests: [PUSH_TEST],
    only: 'have 500 entries again',
  },
  {
    name: 'a push stops at the daily cap before the entries that still fit',
    breaks: [],
    file: PUSH,
    edits: [['if (chunk.entries.length > 1) {', 'if (chunk.entries.length > ENTRIES_MAX) {']],
    tests: [PUSH_TEST],
    only: 'at the daily cap',
  },
  {
    name: 'a push does not tell conflicts',
    breaks: [],
    file: PUSH,
    edits: [["fields ? { status: 'conflict', id, fields } : ", '']],
    tests: [PUSH_TEST],
    only: 'reports an outcome for each',
  },
  {
    name: 'a push says of the entry after a known one what became of another',
    breaks: ['I1'],
    file: PUSH,
    edits: [['existing[known++]', 'existing[index]']],
    tests: [PUSH_TEST],
    only: 'of one reference twice',
  },
  {
    name: 'a push points at an entry of the request, not of the push',
    breaks: [],
    file: PUSH,
    edits: [['const index = start + Number(first);', 'const index = Number(first);']],
    tests: [PUSH_TEST],
    only: 'points at the entry',
  },
  {
    name: 'a push goes on after an abort',
    breaks: [],
    file: PUSH,
    edits: [
      [
        "      if (signal?.aborted) return result({ stoppedBy: 'interrupted' });\n      if (!(error",
        '      if (!(error',
      ],
    ],
    also: [{ file: RETRIES, edits: [['    signal?.throwIfAborted();\n    try {', '    try {']] }],
    tests: [PUSH_TEST],
    only: 'an abort lets the running request finish',
  },
  {
    name: 'a push sends requests of 501 entries',
    breaks: [],
    file: 'clients/typescript/chunks.ts',
    edits: [['export const ENTRIES_MAX = 500;', 'export const ENTRIES_MAX = 501;']],
    tests: [PUSH_TEST],
    only: 'at most 500 entries',
  },
  {
    name: 'a push measures its requests in UTF-16',
    breaks: [],
    file: 'clients/typescript/chunks.ts',
    edits: [['utf8.encode(JSON.stringify(entries[end])).length', 'JSON.stringify(entries[end]).length']],
    tests: [PUSH_TEST],
    only: '5 MiB',
  },
  {
    name: 'a push counts waits for the minute limit as failures',
    breaks: [],
    file: RETRIES,
    edits: [["      if (reason === 'minute_limit') waitedMs += ms;\n", '']],
    tests: [PUSH_TEST],
    only: 'do not count as failures',
  },
  {
    name: 'a push ignores Retry-After',
    breaks: [],
    file: RETRIES,
    edits: [['Math.max((retryAfterSeconds ?? 0) * 1_000, growing)', 'growing']],
    tests: [PUSH_TEST],
    only: 'Retry-After',
  },
  {
    name: 'a push gives up when a connection breaks',
    breaks: ['I8'],
    file: RETRIES,
    edits: [["if (code === 'unreachable' || code === 'request_timeout') return 'unavailable';", '']],
    tests: [PUSH_TEST],
    only: 'whose response is lost',
  },
];

export const CLIENT_MUTATIONS: Mutation[] = [
  ...PUSH_MUTATIONS,
  ...READER_MUTATIONS,
  ...IMPORT_PAGE_MUTATIONS,
];
