/** Rules of a push that fails: what is repeated, after which pause, and what is given up. */
import { expect } from 'bun:test';
import type { Action } from '../proxy.ts';
import {
  created,
  failure,
  inOrder,
  json,
  nameless,
  notOfTheApi,
  numbered,
  push,
  REFUSED,
  type Rule,
} from './rules.ts';

/** For entries with references. */
const MAY_BE_STORED =
  'The entries of this request may be stored, because an attempt got no readable response. Send them again: each has an externalRef, so none is stored twice.';
const REFERENCE = { id: 'a', externalRef: null };
const UNREACHED = 'a proxy on the way cannot reach the service';

const GROWING: NonNullable<Rule['pauses']> = [
  ['unavailable', 0.2, 0.4],
  ['unavailable', 0.4, 0.8],
  ['unavailable', 0.8, 1.6],
];
const SECOND: Rule['pauses'] = [['unavailable', 1, 1.2]];

/** Requests that fail, and are repeated with their key until one is not. */
const REPEATED: [name: string, failures: Action[], pauses?: Rule['pauses']][] = [
  [
    'a request whose response is lost is repeated with its key and its body',
    ['drop request', 'drop request'],
  ],
  [
    '5xx is repeated with growing pauses, whatever the body and the code',
    [failure(500, 'server_error'), { status: 502, body: '<html>' }, failure(503, 'a_new_code')],
  ],
  ['Retry-After of a 503 is waited out', [failure(503, 'server_error', {}, { 'retry-after': '1' })], SECOND],
  ['a 408 is repeated', [failure(408, 'request_timeout')]],
  ['a 408 of a proxy is repeated like a 503', [{ status: 408, body: '<html>' }]],
  [
    'a 429 of a proxy is repeated like a 503, after its Retry-After',
    [{ status: 429, headers: { 'retry-after': '1' }, body: '<html>' }],
    SECOND,
  ],
  [
    'a Retry-After that is neither is none, nor is a member of another kind',
    [
      { status: 503, headers: { 'retry-after': 'soon' }, body: '' },
      failure(503, 'server_error', { retryAfterSeconds: 'x' }),
      failure(503, 'server_error', { retryAfterSeconds: -1 }),
    ],
  ],
  [
    'a success that cannot be read is repeated with its key: its entries may be stored',
    [
      { status: 201, body: '<html>' },
      { status: 201, body: '{"created":1,"transac' },
      json(201, { created: 1, deduplicated: 0, transactions: [], existing: [] }),
    ],
  ],
];

/** Responses that end the push. */
const FINAL: [name: string, response: Action, error: object][] = [
  ...(
    [
      ['a number of seconds', 429, '3600', 3_600, REFUSED],
      ['a date', 503, new Date(Date.now() + 3_600_000).toUTCString(), expect.closeTo(3_600, -3), UNREACHED],
      ['more than a day', 429, '9'.repeat(400), 86_400, REFUSED],
    ] as const
  ).map(([kind, status, retryAfter, retryAfterSeconds, advice]): (typeof FINAL)[number] => [
    `a Retry-After of ${kind} that is longer than the timeout ends the push`,
    { status, headers: { 'retry-after': retryAfter }, body: '<html>' },
    { ...refusedBy(status, advice), retryAfterSeconds },
  ]),
  [
    'an unknown code is reported, and not repeated',
    failure(409, 'a_new_code'),
    { code: 'a_new_code', status: 409, message: 'The code is a_new_code.' },
  ],
];

function refusedBy(status: number, advice: string) {
  const message = `${notOfTheApi(`status ${status}`, advice)} ${MAY_BE_STORED}`;
  return { code: 'unknown_outcome', status, message };
}

export const RETRY_RULES: Rule[] = [
  ...REPEATED.map(([name, failures, pauses = GROWING.slice(0, failures.length)]): Rule => {
    const requests = [...failures.map(() => 2), 2];
    return {
      name,
      call: push(nameless(2)),
      service: inOrder(failures),
      requests,
      keys: requests.map(() => 1),
      pauses,
    };
  }),
  ...FINAL.map(
    ([name, response, error]): Rule => ({
      name,
      service: () => response,
      requests: [1],
      report: { error },
    }),
  ),
  {
    name: 'at the minute limit Retry-After is waited out, and does not count as a failure of the service',
    call: push(nameless(1)),
    // The wait alone is longer than the timeout.
    service: inOrder([failure(429, 'rate_limited', {}, { 'retry-after': '2' }), { status: 503, body: '' }]),
    retryTimeoutMs: 1_800,
    requests: [1, 1, 1],
    keys: [1, 1, 1],
    pauses: [
      ['minute_limit', 2, 2.2],
      ['unavailable', 0.2, 0.4],
    ],
  },
  ...(
    [
      ['a single one', '100000', [], 1],
      ['one that follows others', '1', [['minute_limit', 1, 1.2]], 2],
    ] as const
  ).map(
    ([name, retryAfter, pauses, requests]): Rule => ({
      name: `a wait at the minute limit that is too long is not begun, and the error says for how long: ${name}`,
      service: () => failure(429, 'rate_limited', {}, { 'retry-after': retryAfter }),
      options: { limitTimeoutMs: 2_000 },
      requests: Array(requests).fill(1),
      pauses: [...pauses] as Rule['pauses'] & object,
      report: {
        error: { code: 'rate_limited', status: 429, retryAfterSeconds: Math.min(Number(retryAfter), 86_400) },
        push: { created: 0, remaining: 1, unknown: 0 },
      },
    }),
  ),
  {
    name: 'a wait at the minute limit is at most one of the longest that is allowed',
    service: () => failure(429, 'rate_limited', {}, { 'retry-after': '2' }),
    options: { pauseMsMax: 1_500 },
    requests: [1],
    report: { error: { code: 'rate_limited', retryAfterSeconds: 2 } },
  },
  {
    name: 'a service that fails is given up, with the outcomes so far',
    call: push(numbered(501)),
    service: inOrder([], (request, n) =>
      n === 1
        ? created(request, n)
        : failure(503, 'server_error', {}, n === 2 ? {} : { 'retry-after': '60' }),
    ),
    requests: [500, 1, 1],
    pauses: [['unavailable', 0.2, 0.4]],
    report: {
      error: { code: 'unknown_outcome', status: 503, message: `The code is server_error. ${MAY_BE_STORED}` },
      push: { created: 500, deduplicated: 0, remaining: 1, unknown: 1 },
      progress: [500],
    },
  },
  ...(
    [
      ['a web page', { status: 200, body: '<html>' }, 'not JSON'],
      ['another value', { status: 200, body: '1' }, 'status 200'],
      [
        'other entries',
        json(200, { created: 0, deduplicated: 2, transactions: [], existing: [REFERENCE, REFERENCE] }),
        'other entries than were sent',
      ],
      ['another service', json(200, { status: 'ok' }), 'status 200, /created is missing or wrong'],
      [
        'conflicts that are null',
        json(200, { created: 0, deduplicated: 1, transactions: [], existing: [REFERENCE], conflicts: null }),
        'status 200, /conflicts is missing or wrong',
      ],
      ['an error whose issues are null', failure(422, 'invalid_transaction', { issues: null }), 'status 422'],
      ['a 403 of a proxy', { status: 403, body: '<html>' }, 'status 403', REFUSED],
      ['a 404 of a web server', { status: 404, body: '<html>' }, 'status 404'],
      [
        'a 413 of a proxy',
        { status: 413, body: '<html>' },
        ...([
          'status 413',
          'a proxy on the way accepts no request of this size: its limit must be 5 MiB or more',
        ] as const),
      ],
    ] as const
  ).map(
    ([name, response, reason, advice]): Rule => ({
      name: `after four such responses the outcome is unknown: ${name}`,
      service: () => response,
      requests: [1, 1, 1, 1],
      pauses: GROWING,
      report: {
        error: {
          code: 'unknown_outcome',
          message: `${notOfTheApi(reason, advice)} ${MAY_BE_STORED}`,
        },
        push: { outcomes: [], created: 0, deduplicated: 0, remaining: 1, unknown: 1 },
      },
    }),
  ),
];
