/** Rules of a push that fails: what is repeated, after which pause, and what is given up. */
import { expect } from 'bun:test';
import { all, created, failure, inOrder, json, nameless, numbered, push, type Rule } from './rules.ts';

const REFUSED = 'a proxy or firewall on the way refused the request';
const STORED =
  'Its entries may be stored: send those with an externalRef again, which stores none twice, and look for the others in the entries of their days.';
const UNREACHED = 'a proxy on the way cannot reach the service';

const GROWING: NonNullable<Rule['pauses']> = [
  ['unavailable', 0.2, 0.4],
  ['unavailable', 0.4, 0.8],
  ['unavailable', 0.8, 1.6],
];

export const RETRY_RULES: Rule[] = [
  {
    name: 'a request whose response is lost is repeated with its key and its body',
    call: push(nameless(2)),
    service: inOrder(['drop request', 'drop request']),
    requests: [2, 2, 2],
    keys: [1, 1, 1],
    pauses: GROWING.slice(0, 2),
    report: all(2),
  },
  {
    name: '5xx is repeated with growing pauses, whatever the body and the code',
    call: push(nameless(1)),
    service: inOrder([
      failure(500, 'server_error'),
      { status: 502, body: '<html>' },
      failure(503, 'a_new_code'),
    ]),
    requests: [1, 1, 1, 1],
    keys: [1, 1, 1, 1],
    pauses: GROWING,
    report: all(1),
  },
  {
    name: 'Retry-After of a 503 is waited out',
    call: push(numbered(1)),
    service: inOrder([failure(503, 'server_error', {}, { 'retry-after': '1' })]),
    requests: [1, 1],
    pauses: [['unavailable', 1, 1.2]],
    report: all(1),
  },
  {
    name: 'a 408 is repeated',
    call: push(numbered(1)),
    service: inOrder([failure(408, 'request_timeout')]),
    requests: [1, 1],
    pauses: [['unavailable', 0.2, 0.4]],
    report: all(1),
  },
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
    report: all(1),
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
      error: { code: 'server_error', status: 503, message: 'The code is server_error.' },
      push: { created: 500, deduplicated: 0, remaining: 1 },
      progress: [500],
    },
  },
  {
    name: 'a 429 of a proxy is repeated like a 503, after its Retry-After',
    call: push(numbered(1)),
    service: inOrder([{ status: 429, headers: { 'retry-after': '1' }, body: '<html>' }]),
    requests: [1, 1],
    pauses: [['unavailable', 1, 1.2]],
    report: all(1),
  },
  ...(
    [
      ['a number of seconds', 429, '3600', 3_600, REFUSED],
      ['a date', 503, new Date(Date.now() + 3_600_000).toUTCString(), expect.closeTo(3_600, -3), UNREACHED],
      ['more than a day', 429, '9'.repeat(400), 86_400, REFUSED],
    ] as const
  ).map(
    ([kind, status, retryAfter, retryAfterSeconds, advice]): Rule => ({
      name: `a Retry-After of ${kind} that is longer than the timeout ends the push`,
      call: push(numbered(1)),
      service: () => ({ status, headers: { 'retry-after': retryAfter }, body: '<html>' }),
      requests: [1],
      report: {
        error: {
          ...{ code: 'unexpected_response', status, retryAfterSeconds },
          message: `The response of URL (status ${status}) is not one of the Bookkeeping Ledger API: ${advice}.`,
        },
      },
    }),
  ),
  {
    name: 'a Retry-After that is neither is none, nor is a member of another kind',
    call: push(numbered(1)),
    service: inOrder([
      { status: 503, headers: { 'retry-after': 'soon' }, body: '' },
      failure(503, 'server_error', { retryAfterSeconds: 'x' }),
      failure(503, 'server_error', { retryAfterSeconds: -1 }),
    ]),
    requests: [1, 1, 1, 1],
    pauses: GROWING,
    report: all(1),
  },
  {
    name: 'a 403 of a proxy is not repeated',
    call: push(numbered(1)),
    service: () => ({ status: 403, body: '<html>' }),
    requests: [1],
    report: {
      error: {
        ...{ code: 'unexpected_response', status: 403 },
        message: `The response of URL (status 403) is not one of the Bookkeeping Ledger API: ${REFUSED}.`,
      },
    },
  },
  {
    name: 'an unknown code is reported, and not repeated',
    call: push(numbered(1)),
    service: () => failure(409, 'a_new_code'),
    requests: [1],
    report: { error: { code: 'a_new_code', status: 409, message: 'The code is a_new_code.' } },
  },
  {
    name: 'a success that cannot be read is repeated with its key: its entries may be stored',
    call: push(nameless(1)),
    service: inOrder([
      { status: 201, body: '<html>' },
      { status: 201, body: '{"created":1,"transac' },
      json(201, { created: 1, deduplicated: 0, transactions: [], existing: [] }),
    ]),
    requests: [1, 1, 1, 1],
    keys: [1, 1, 1, 1],
    pauses: GROWING,
    report: all(1),
  },
  ...(
    [
      ['not JSON', { status: 200, body: '<html>' }],
      ['status 200', { status: 200, body: '1' }],
      ['other entries than were sent', json(200, { transactions: [], existing: [{ id: 'a' }, { id: 'b' }] })],
    ] as const
  ).map(
    ([reason, response]): Rule => ({
      name: `after four such responses the outcome is unknown: ${reason}`,
      call: push(numbered(1)),
      service: () => response,
      requests: [1, 1, 1, 1],
      pauses: GROWING,
      report: {
        error: {
          code: 'unknown_outcome',
          message: `The response of URL to a write cannot be read (${reason}). ${STORED}`,
        },
        push: { outcomes: [], created: 0, deduplicated: 0, remaining: 1 },
      },
    }),
  ),
];
