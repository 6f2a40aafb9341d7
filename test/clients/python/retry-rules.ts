/** Rules of a push that fails: what is repeated, after which pause, and what is given up. */
import { all, created, failure, inOrder, nameless, numbered, push, type Rule } from './rules.ts';

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
    name: 'a 429 of another server is not repeated',
    call: push(numbered(1)),
    service: () => ({ status: 429, headers: { 'retry-after': '7' }, body: '<html>' }),
    requests: [1],
    report: { error: { code: 'unexpected_response', status: 429, retryAfterSeconds: 7 } },
  },
  {
    name: 'an unknown code is reported, and not repeated',
    call: push(numbered(1)),
    service: () => failure(409, 'a_new_code'),
    requests: [1],
    report: { error: { code: 'a_new_code', status: 409, message: 'The code is a_new_code.' } },
  },
  {
    name: 'a success that is not of the API is an error, and is not repeated',
    call: push(numbered(1)),
    service: () => ({ status: 200, body: '<html>' }),
    requests: [1],
    report: {
      error: {
        code: 'unexpected_response',
        message: 'The response of URL (not JSON) is not one of the Bookkeeping Ledger API: check the URL.',
      },
      push: { outcomes: [], created: 0, deduplicated: 0, remaining: 1 },
    },
  },
];
