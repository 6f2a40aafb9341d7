/** Rules of a push: what a request has, and what became of each entry. */
import { BYTES_MAX } from '../../../clients/typescript/chunks.ts';
import {
  all,
  created,
  entriesOf,
  entry,
  failure,
  inOrder,
  json,
  numbered,
  push,
  type Rule,
  type Sent,
} from './rules.ts';

/** Two entries whose request has as many bytes. */
function withBytes(bytes: number) {
  const two = (description: string) => [
    entry(1, { externalRef: 'a', description }),
    entry(2, { externalRef: 'b' }),
  ];
  const rest = bytes - Buffer.byteLength(JSON.stringify(two('')));
  return two('€'.repeat(Math.floor(rest / 3)) + 'x'.repeat(rest % 3));
}

const capped = (remaining: number, index: number, retryAfterSeconds: number) =>
  failure(429, 'daily_cap', { limit: 5_000, remaining, index, retryAfterSeconds });

export const PUSH_RULES: Rule[] = [
  {
    name: 'a push of nothing sends nothing',
    call: push([]),
    requests: [],
    report: { ...all(0), progress: [] },
  },
  {
    name: 'a key that reads only is refused at the first request, which is not repeated',
    call: push(numbered(501)),
    service: () => failure(403, 'read_only_key'),
    requests: [500],
    report: {
      error: { code: 'read_only_key', status: 403, message: 'The code is read_only_key.' },
      push: { created: 0, deduplicated: 0, remaining: 501 },
    },
  },
  {
    name: 'a request has at most 500 entries, and a key of its own',
    call: push(numbered(1_201)),
    requests: [500, 500, 201],
    keys: [1, 2, 3],
    report: { ...all(1_201), progress: [500, 1_000, 1_201] },
  },
  {
    name: 'a request whose bytes are the maximum is sent whole',
    // The client counts a comma after each entry.
    call: push(withBytes(BYTES_MAX - 1)),
    requests: [2],
  },
  {
    name: 'with one byte more, in UTF-8, it is cut',
    call: push(withBytes(BYTES_MAX)),
    requests: [1, 1],
  },
  {
    name: 'an entry that is too large by itself is sent alone, and the 413 is not repeated',
    call: push([numbered(1)[0] as Sent, entry(2, { externalRef: 'b', description: 'x'.repeat(BYTES_MAX) })]),
    service: (request, n) => (n === 1 ? created(request, n) : failure(413, 'payload_too_large')),
    requests: [1, 1],
    report: {
      error: { code: 'payload_too_large', status: 413, message: 'The code is payload_too_large.' },
      push: { outcomes: [['created', 'id-1']], created: 1, deduplicated: 0, remaining: 1 },
    },
  },
  {
    name: 'at the daily cap the entries before the first one that does not fit are sent, and the push stops there',
    call: push(numbered(60)),
    service: (request, n) => {
      const index = entriesOf(request).findIndex(({ amountPence }) => Number(amountPence) > 31);
      return index === -1 ? created(request, n) : capped(12, index, 4_200);
    },
    requests: [60, 31, 29],
    report: {
      error: { code: 'daily_cap', remaining: 12, retryAfterSeconds: 4_200 },
      push: { created: 31, deduplicated: 0, remaining: 29 },
      progress: [31],
    },
  },
  {
    name: 'with `wait` a push waits at the daily cap, and then sends 500 entries again',
    call: push(numbered(803), true),
    service: (request, n) => {
      if (n === 1) return capped(1, 1, 4_200);
      return n === 3 ? capped(0, 0, 1) : created(request, n);
    },
    requests: [500, 1, 500, 500, 302],
    pauses: [['daily_cap', 1, 1]],
    report: { ...all(803), progress: [1, 501, 803] },
  },
  {
    name: 'a wait at the daily cap that would be longer than its timeout is not begun, nor is one that follows others',
    call: push(numbered(1), true),
    service: inOrder([capped(0, 0, 1), capped(0, 0, 1), capped(0, 0, 1)]),
    options: { capTimeoutMs: 2_500 },
    requests: [1, 1, 1],
    pauses: [
      ['daily_cap', 1, 1],
      ['daily_cap', 1, 1],
    ],
    report: { error: { code: 'daily_cap', remaining: 0, retryAfterSeconds: 1 }, push: { remaining: 1 } },
  },
  {
    name: 'an `index` outside of the request is not followed',
    call: push(numbered(5)),
    service: () => capped(5, 5, 60),
    requests: [5],
    report: {
      error: { code: 'daily_cap', remaining: 5, retryAfterSeconds: 60 },
      push: { created: 0, deduplicated: 0, remaining: 5 },
    },
  },
  {
    name: 'each entry has its outcome: created, known, or in conflict with its fields',
    call: push(
      ['known', 'new', 'other', undefined, 'new'].map((externalRef, n) => entry(n + 1, { externalRef })),
    ),
    service: () =>
      json(201, {
        created: 2,
        deduplicated: 3,
        newer: true,
        transactions: [
          { id: 'b', externalRef: 'new', newer: 1 },
          { id: 'd', externalRef: null },
        ],
        existing: [
          { id: 'a', externalRef: 'known' },
          { id: 'c', externalRef: 'other' },
          { id: 'b', externalRef: 'new' },
        ],
        conflicts: [{ index: 2, externalRef: 'other', id: 'c', fields: ['date', 'newField'] }],
      }),
    requests: [5],
    keys: [1],
    report: {
      push: {
        outcomes: [
          ['known', 'a'],
          ['created', 'b'],
          ['conflict', 'c', 'date', 'newField'],
          ['created', 'd'],
          ['known', 'b'],
        ],
        created: 2,
        deduplicated: 3,
        remaining: 0,
      },
    },
  },
  {
    name: 'issues point at the entries that were passed in, and the error has what was sent before',
    call: push(numbered(502)),
    service: (request, n) => {
      const issues = [
        { path: '/1/category', message: 'is not a key', newer: 1 },
        { path: '', message: 'as a whole' },
      ];
      const validCategories = ['periodAmount'];
      return n === 1 ? created(request, n) : failure(422, 'invalid_category', { issues, validCategories });
    },
    requests: [500, 2],
    report: {
      error: {
        code: 'invalid_category',
        status: 422,
        message: 'The code is invalid_category.',
        issues: [
          { path: '/501/category', message: 'is not a key', index: 501 },
          { path: '', message: 'as a whole' },
        ],
        validCategories: ['periodAmount'],
      },
      push: { created: 500, deduplicated: 0, remaining: 2 },
    },
  },
  {
    name: 'texts are sent as they are, as are members that the library does not know',
    call: push([
      entry(1, { description: '"\\/\u0001\n\t\u007f\u2028é€😀', newer: { deep: [null, true, 1.5] } }),
      entry(2, { description: 'unpaired \ud83d' }),
      entry(9_007_199_254_740_991, { externalRef: '' }),
    ]),
    requests: [3],
    keys: [1],
  },
  {
    name: 'the id of a source is one part of the path',
    call: { ...push(numbered(1)), source: '../a b/ü?#' },
    path: '/',
    requests: ['POST /api/v1/sources/..%2Fa%20b%2F%C3%BC%3F%23/transactions'],
  },
];
