/** Mutations of the clients, which write the same records as the service: a push, the reader of files, the import page. */
import type { Mutation } from './mutations.ts';
import { READER_MUTATIONS } from './reader-mutations.ts';

const PUSH = 'clients/typescript/push.ts';
const RETRIES = 'clients/typescript/retries.ts';
const PAGE = 'clients/web/import';
const PUSH_TEST = 'test/clients/push.test.ts';
const LIBRARY_TEST = 'test/clients/library.test.ts';
const IMPORTER_TEST = 'test/clients/web/importer.test.ts';
const ROWS_TEST = 'test/clients/web/rows.test.ts';

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
    tests: [LIBRARY_TEST],
    only: 'at the daily cap',
  },
  {
    name: 'a push does not tell conflicts',
    breaks: [],
    file: PUSH,
    edits: [["fields ? { status: 'conflict', id, fields } : ", '']],
    tests: [LIBRARY_TEST],
    only: 'reports an outcome for each',
  },
  {
    name: 'a push says of the entry after a known one what became of another',
    breaks: ['I1'],
    file: PUSH,
    edits: [['existing[known++]', 'existing[index]']],
    tests: [LIBRARY_TEST],
    only: 'of one reference twice',
  },
  {
    name: 'a push points at an entry of the request, not of the push',
    breaks: [],
    file: PUSH,
    edits: [['const index = start + Number(first);', 'const index = Number(first);']],
    tests: [LIBRARY_TEST],
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
    tests: [LIBRARY_TEST],
    only: 'an abort lets the running request finish',
  },
  {
    name: 'a push sends requests of 501 entries',
    breaks: [],
    file: 'clients/typescript/chunks.ts',
    edits: [['export const ENTRIES_MAX = 500;', 'export const ENTRIES_MAX = 501;']],
    tests: [LIBRARY_TEST],
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

const IMPORT_PAGE_MUTATIONS: Mutation[] = [
  {
    name: 'the page does not compare the days after those that it has compared',
    breaks: [],
    file: `${PAGE}/importer.ts`,
    edits: [['known.from <= period.from && known.to >= period.to', 'known.from <= period.from']],
    tests: [IMPORTER_TEST],
  },
  {
    name: 'the page does not compare the days before those that it has compared',
    breaks: [],
    file: `${PAGE}/importer.ts`,
    edits: [['known.from <= period.from && known.to >= period.to', 'known.to >= period.to']],
    tests: [IMPORTER_TEST],
  },
  {
    name: 'the page shows the result of an older read that ends last',
    breaks: [],
    file: `${PAGE}/importer.ts`,
    edits: [['    if (ticket !== reads) return;\n', '']],
    tests: [IMPORTER_TEST],
  },
  {
    name: 'the page keeps the columns of another bank',
    breaks: [],
    file: `${PAGE}/state.ts`,
    edits: [["if (isOtherTable || 'bank' in change)", 'if (isOtherTable)']],
    tests: [ROWS_TEST],
  },
  {
    name: 'the page keeps the edits of another file',
    breaks: [],
    file: `${PAGE}/state.ts`,
    edits: [['    file,\n    reading: {},\n    corrections: new Map(),', '    file,\n    reading: {},']],
    tests: [ROWS_TEST],
  },
  {
    name: 'the page keeps the categories of another source',
    breaks: [],
    file: `${PAGE}/state.ts`,
    edits: [['...(!isSameType && {', '...(false && {']],
    tests: [IMPORTER_TEST],
  },
  {
    name: 'the page pushes an export of the ledger before it has looked its ids up',
    breaks: ['I2'],
    file: `${PAGE}/state.ts`,
    edits: [["return !mustCompare || known.status === 'read';", 'return true;']],
    tests: [ROWS_TEST],
  },
  {
    name: 'the page marks a conflict as an entry that is in the books',
    breaks: [],
    file: `${PAGE}/known.ts`,
    edits: [["differences(entry, stored).length === 0 ? 'known' : 'conflict'", "'known'"]],
    tests: [IMPORTER_TEST],
  },
  {
    name: 'the page sends all entries again after a pause',
    breaks: [],
    file: `${PAGE}/push.ts`,
    edits: [['state.entries.slice(done.length)', 'state.entries.slice()']],
    tests: ['test/clients/web/push.slow.test.ts'],
    only: 'it pauses',
  },
  {
    name: 'the page stores the key',
    breaks: ['I7'],
    file: 'clients/web/session.ts',
    edits: [
      [
        '  let ledger: Ledger;\n',
        "  globalThis.sessionStorage?.setItem('key', apiKey);\n  let ledger: Ledger;\n",
      ],
    ],
    tests: ['test/clients/web/key.slow.test.ts'],
    only: 'no storage',
  },
];

export const CLIENT_MUTATIONS: Mutation[] = [
  ...PUSH_MUTATIONS,
  ...READER_MUTATIONS,
  ...IMPORT_PAGE_MUTATIONS,
];
