/** Generates headers: Authorization in every state, and headers that contradict the request or must not matter. */
import fc from 'fast-check';
import { SOURCE_TYPES } from '../../proto/vocabulary.ts';
import { mostly } from './mostly.ts';
import { anyPlainPost, post } from './posts.ts';
import { CANARY, type HttpRequest, IDEMPOTENCY_KEY, KEY, type Outcome } from './request.ts';
import { anyCuts } from './transports.ts';
import { anyMember, type World } from './world.ts';

type Header = readonly [name: string, value: string];

/** Headers, and the allowed outcomes of a request that succeeds without them. */
type Case = [headers: Header[], outcomes: Outcome[]];

const REJECTED: Outcome[] = ['missing_key', 'invalid_key'];
const authorization = (value: string): Header => ['Authorization', value];
/** A case for each value of Authorization. */
const each = (outcome: Outcome, ...values: string[]) =>
  values.map((value): Case => [[authorization(value)], [outcome]]);

/** Requests whose outcome depends on Authorization alone. */
export function anyAuthorization(world: World): fc.Arbitrary<HttpRequest> {
  const { unknown, revoked, free } = world.badKeys;
  const cases: Case[] = [
    [[], ['missing_key']],
    ...each('missing_key', '', ' ', 'Basic dXNlcjpwYXNz', KEY, `Token ${KEY}`, `Bearer${KEY}`),
    ...each('invalid_key', 'Bearer', 'Bearer ', `Bearer ${KEY}x`, `Bearer x${KEY}`, `Bearer ${KEY} x`),
    ...each('invalid_key', `Bearer "${KEY}"`, `Bearer ${KEY},`, `Bearer ${KEY}%00`, `Bearer ${KEY}\xe9`),
    ...each('invalid_key', 'Bearer \xff\xfe', `Bearer ${KEY}, Bearer ${KEY}`),
    ...each('success', `bearer ${KEY}`, `BEARER   ${KEY}`, `  Bearer \t${KEY}  `),
    [[authorization(`Bearer ${KEY}`), authorization(`Bearer ${KEY}`)], REJECTED],
    [[authorization(`Bearer ${KEY}`), authorization('Basic x')], REJECTED],
    [[authorization('Basic x'), authorization(`Bearer ${KEY}`)], REJECTED],
    [[['X-Authorization', `Bearer ${KEY}`]], ['missing_key']],
    [[['Proxy-Authorization', `Bearer ${KEY}`]], ['missing_key']],
    [[['Cookie', `authorization=Bearer ${KEY}`]], ['missing_key']],
    [[['authorization', `Bearer ${KEY}`]], ['success']],
    ...each('invalid_key', `Bearer ${unknown}`, `Bearer ${revoked}`),
    ...each('upgrade_required', `Bearer ${free}`),
    ...each('invalid_key', `Bearer ${'a'.repeat(100)}`, `Bearer ${'a'.repeat(8_000)}`),
  ];
  // One character of a key moved or replaced: its checksum is wrong.
  const mutated = fc
    .tuple(fc.nat({ max: unknown.length - 1 }), fc.constantFrom('0', 'a', 'Z', '_', '-', '+', '\xe9', ''))
    .map(([at, character]) => unknown.slice(0, at) + character + unknown.slice(at + 1))
    .map((key): Case => [[authorization(`Bearer ${key}`)], ['invalid_key']]);
  const anyCase = mostly(3, fc.constantFrom(...cases), mutated);
  return fc
    .tuple(anyMember(world), fc.constantFrom('GET', 'HEAD', 'POST'), fc.nat({ max: 3 }), anyCase, anyCuts)
    .map(([by, method, place, [headers, outcomes], cuts]): HttpRequest => {
      const { sources } = world.member(by).account;
      const list = `/api/v1/sources/${sources['uk-property']}/transactions`;
      const target = ['/api/v1/me', '/api/v1/sources', '/api/v1/categories', list][place] ?? list;
      const request = {
        kind: 'request',
        by,
        headers: [['Host', 'x'], ...headers],
        transport: { cuts },
      } as const;
      if (method !== 'POST') return { ...request, method, target, outcomes };
      // The body would fail, but the key is checked first.
      const body = Buffer.from('[]');
      const allowed = outcomes.map((outcome): Outcome => (outcome === 'success' ? 'empty_body' : outcome));
      return { ...request, method, target: list, body, outcomes: allowed };
    });
}

/** Ordinary POSTs and GETs with further headers. */
export function anyFurtherHeaders(world: World): fc.Arbitrary<HttpRequest> {
  const anyCase = fc.oneof(
    { weight: 6, arbitrary: anyHarmless.map((headers): Case => [headers, ['success']]) },
    { weight: 2, arbitrary: fc.constantFrom(...DECLARATIONS) },
    { weight: 1, arbitrary: fc.constantFrom(...HOSTS) },
    { weight: 3, arbitrary: anyIdempotencyKey },
  );
  return fc
    .tuple(fc.constantFrom('GET', 'HEAD', 'POST'), anyPlainPost(world), anyCase)
    .map(([method, plain, [headers, outcomes]]): HttpRequest => {
      const { body, writesTo, ...request } = plain;
      const head = [...without(plain.headers, headers), ...headers];
      if (method === 'POST') return { ...plain, headers: head, outcomes };
      // Without a body, headers about the body do not matter.
      const allowed: Outcome[] = outcomes.includes('invalid_request') ? outcomes : ['success'];
      return { ...request, method, headers: head, outcomes: allowed };
    });
}

/** POSTs that repeat an Idempotency-Key: each must get the first response again. */
export function anyReplay(world: World): fc.Arbitrary<HttpRequest> {
  return fc
    .record({ by: anyMember(world), type: fc.constantFrom(...SOURCE_TYPES), number: fc.nat({ max: 4 }) })
    .map(({ by, type, number }): HttpRequest => {
      const body = Buffer.from(
        JSON.stringify({ date: '2026-04-06', type: 'income', amountPence: number + 1 }),
      );
      const plain = post(world, { by, type, own: true, body, transport: { cuts: [] } });
      return { ...plain, headers: [...plain.headers, [IDEMPOTENCY_KEY, `"replay ${type} ${number}"`]] };
    });
}

/** Headers that must not matter. */
const anyHarmless = fc.array(
  fc.oneof(
    fc.constantFrom<Header>(
      ['Accept', 'text/html'],
      ['Accept-Encoding', 'gzip, br, zstd, identity;q=0'],
      ['X-HTTP-Method-Override', 'DELETE'],
      ['X-Original-URL', '/readyz'],
      ['X-Forwarded-For', '127.0.0.1, ::1'],
      ['Forwarded', 'for="[::1]";host="\\""'],
      ['Range', 'bytes=-1,5-2,999999999999-'],
      ['If-None-Match', '*'],
      ['Expect', '100-continue'],
      ['Expect', 'the-impossible'],
      ['Upgrade', 'websocket'],
      ['Upgrade', 'h2c'],
      ['Connection', 'Upgrade, HTTP2-Settings'],
      ['TE', 'trailers, deflate'],
      ['Trailer', 'Content-Length'],
      ['Origin', 'null'],
      ['Cookie', `a=${CANARY}; __proto__=1`],
      ['Content-Language', '\xff'],
      ['__proto__', 'x'],
      ['X-Request-Id', 'a; set-cookie: b'],
      ['X-Request-Id', '{"level":60}'],
      ['X-Request-Id', 'a\tb'],
      ['X-Request-Id', 'trace.1:2-3_4'],
      ['X-Request-Id', 'x'.repeat(129)],
      ['X-Large', 'x'.repeat(1_500)],
    ),
    fc.constantFrom('X-Repeated', 'Accept', 'Via', 'X-Request-Id').map((name): Header => [name, 'a']),
    fc.nat({ max: 60 }).map((number): Header => [`X-${number}`, String(number)]),
  ),
  { minLength: 1, maxLength: 8 },
);

const json = 'application/json';
const accepted = [
  'application/json;charset=utf-8',
  'APPLICATION/JSON',
  'text/json',
  'application/x+json',
  '',
];
const rejectedTypes = ['text/plain', 'multipart/form-data; boundary=x', '*/*', 'json', `${json}x`, 'é'];
const rejectedEncodings = ['gzip', 'br', 'deflate', 'zstd', 'identity, gzip', 'x', '\xff', 'gzip, identity'];

/** Headers that describe the body. */
const DECLARATIONS: Case[] = [
  ...accepted.map((type): Case => [[['Content-Type', type]], ['success']]),
  ...rejectedTypes.map((type): Case => [[['Content-Type', type]], ['invalid_json']]),
  ...rejectedEncodings.map((encoding): Case => [[['Content-Encoding', encoding]], ['unsupported_encoding']]),
  [[['Content-Encoding', 'identity']], ['success']],
  [
    [
      ['Content-Type', json],
      ['Content-Type', 'text/plain'],
    ],
    ['success', 'invalid_json'],
  ],
  [
    [
      ['Content-Type', 'text/plain'],
      ['Content-Type', json],
    ],
    ['success', 'invalid_json'],
  ],
];

const hosts = ['gw', 'gw:3000', '[::1]:80', 'a_b.', 'x'.repeat(1_500)];
const invalidHosts = ['', '[::1', 'a b', '%zz<x>', 'localhost:99999', 'user:pass@host', 'http://x/', 'x,y'];

/** Valid, invalid and repeated Host headers. */
const HOSTS: Case[] = [
  ...hosts.map((host): Case => [[['Host', host]], ['success']]),
  ...invalidHosts.map((host): Case => [[['Host', host]], ['invalid_request']]),
  [
    [
      ['Host', 'x'],
      ['Host', 'y'],
    ],
    ['invalid_request'],
  ],
];

/** Valid are 1 to 255 visible ASCII characters, bare or quoted. A repeated key may belong to another request. */
const anyIdempotencyKey: fc.Arbitrary<Case> = fc.oneof(
  fc.uuid().map((key): Case => [[[IDEMPOTENCY_KEY, key]], ['success']]),
  fc.uuid().map((key): Case => [[[IDEMPOTENCY_KEY, `"${key}"`]], ['success']]),
  fc
    .nat({ max: 2 })
    .map((key): Case => [[[IDEMPOTENCY_KEY, `again-${key}`]], ['success', 'idempotency_key_reused']]),
  fc
    .constantFrom(
      '',
      '"',
      '""',
      '"a',
      'a b',
      'a,b',
      '"a" "b"',
      'a\tb',
      '\xe9',
      'x'.repeat(256),
      '"\\"',
      'a"b',
    )
    .map((key): Case => [[[IDEMPOTENCY_KEY, key]], ['invalid_idempotency_key']]),
  fc.constant<Case>([
    [
      [IDEMPOTENCY_KEY, 'a'],
      [IDEMPOTENCY_KEY, 'b'],
    ],
    ['invalid_idempotency_key'],
  ]),
);

/** The headers that `others` do not replace. Authorization is never replaced. */
function without(headers: readonly Header[], others: readonly Header[]): Header[] {
  const replaced = others.map(([name]) => name);
  return headers.filter(([name]) => name === 'Authorization' || !replaced.includes(name));
}
