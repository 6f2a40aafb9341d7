/** Generates ordinary requests with headers that must not matter, or that contradict the request. */
import fc from 'fast-check';
import { mostly } from './generators.ts';
import { anyPlainPost } from './posts.ts';
import { CANARY, type HttpRequest, KEY } from './request.ts';
import type { World } from './world.ts';

type Header = readonly [name: string, value: string];

/** GETs and POSTs with further headers. Which ones are refused, and how, is in the tests of the gateway. */
export function anyHeaders(world: World): fc.Arbitrary<HttpRequest> {
  const anyOdd = fc.oneof(
    { weight: 3, arbitrary: anyAuthorization(world) },
    { weight: 2, arbitrary: fc.constant<Header>(['Authorization', `Bearer ${world.badKeys.readOnly}`]) },
    { weight: 2, arbitrary: fc.constantFrom(...named('Content-Type', TYPES)) },
    { weight: 2, arbitrary: fc.constantFrom(...named('Content-Encoding', ENCODINGS)) },
    { weight: 2, arbitrary: fc.constantFrom(...named('Host', HOSTS)) },
    { weight: 3, arbitrary: fc.constantFrom(...named('Idempotency-Key', IDEMPOTENCY_KEYS)) },
  );
  return fc
    .record({
      method: fc.constantFrom('GET', 'HEAD', 'POST'),
      plain: anyPlainPost(world),
      harmless: fc.array(anyHarmless, { minLength: 1, maxLength: 8 }),
      odd: mostly(1, fc.constant<Header[]>([]), fc.array(anyOdd, { minLength: 1, maxLength: 2 })),
      isAdded: fc.boolean(),
    })
    .map(({ method, plain: { body, writesTo, ...plain }, harmless, odd, isAdded }): HttpRequest => {
      // Added to the ordinary header of the same name, or in its place.
      const ordinary = plain.headers.filter(([name]) => isAdded || odd.every(([other]) => other !== name));
      const headers = [...ordinary, ...harmless, ...odd];
      const request = { ...plain, method, headers, beyondBun: JSON.stringify(headers).length > 8_000 };
      const withBody = { ...request, ...(body && { body }), ...(writesTo && { writesTo }) };
      return {
        ...(method === 'POST' ? withBody : request),
        outcomes: odd.length > 0 ? 'any' : ['success'],
      };
    });
}

const named = (name: string, values: readonly string[]) => values.map((value): Header => [name, value]);

const anyHarmless = fc.oneof(
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
    ['Proxy-Authorization', `Bearer ${KEY}`],
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
);

function anyAuthorization({ badKeys: { unknown, revoked, free } }: World): fc.Arbitrary<Header> {
  const values = [
    ...['', ' ', 'Basic dXNlcjpwYXNz', KEY, `Token ${KEY}`, `Bearer${KEY}`, 'Bearer', `Bearer ${KEY}x`],
    ...[`Bearer "${KEY}"`, `Bearer ${KEY},`, `Bearer ${KEY}%00`, `Bearer ${KEY}\xe9`, 'Bearer \xff\xfe'],
    ...[`Bearer ${KEY}, Bearer ${KEY}`, `bearer ${KEY}`, `BEARER   ${KEY}`, `  Bearer \t${KEY}  `],
    ...[`Bearer ${'a'.repeat(100)}`, `Bearer ${'a'.repeat(8_000)}`],
  ];
  // One character of a key is moved or replaced: its checksum is wrong.
  const mutated = fc
    .tuple(fc.nat({ max: unknown.length - 1 }), fc.constantFrom('0', 'a', 'Z', '_', '-', '+', '\xe9', ''))
    .map(([at, character]) => `Bearer ${unknown.slice(0, at)}${character}${unknown.slice(at + 1)}`);
  const valid = fc.constantFrom(...[unknown, revoked, free].map((key) => `Bearer ${key}`));
  return fc
    .oneof(fc.constantFrom(...values), mutated, valid)
    .map((value): Header => ['Authorization', value]);
}

const TYPES = [
  ...['application/json;charset=utf-8', 'APPLICATION/JSON', 'text/json', 'application/x+json', ''],
  ...['text/plain', 'multipart/form-data; boundary=x', '*/*', 'json', 'application/jsonx', 'é'],
];
const ENCODINGS = 'gzip br deflate zstd identity,gzip x \xff gzip,identity identity'.split(' ');
const HOSTS = [
  ...['gw', 'gw:3000', '[::1]:80', 'a_b.', 'x'.repeat(1_500)],
  ...['', '[::1', 'a b', '%zz<x>', 'localhost:99999', 'user:pass@host', 'http://x/', 'x,y'],
];
const IDEMPOTENCY_KEYS = [
  // Used again, mostly with another body.
  ...Array<string>(12).fill('again-1'),
  ...['again-1', '"again-2"', '', '"', '""', '"a', 'a b', 'a,b', '"a" "b"', 'a\tb', '\xe9'],
  ...['x'.repeat(256), '"\\"', 'a"b'],
];
