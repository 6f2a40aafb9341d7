/** Generates hostile query strings and manipulated cursors. */
import fc from 'fast-check';
import { anyCuts, mostly } from './generators.ts';
import { asBytes, type HttpRequest, type Outcome, USUAL_HEADERS } from './request.ts';
import { hostileText } from './texts.ts';
import { anyMember, type World } from './world.ts';

/** GETs with a hostile query string. */
export function anyQuery(world: World): fc.Arbitrary<HttpRequest> {
  return mostly(5, anyListQuery(world), anyCategoriesQuery(world));
}

function anyListQuery(world: World): fc.Arbitrary<HttpRequest> {
  return fc
    .record({
      by: anyMember(world),
      method: mostly(9, fc.constant('GET'), fc.constant('HEAD')),
      whose: mostly(9, fc.constant(0), fc.constant(1)),
      parameters: fc.array(fc.oneof(anyParameter, anyParameter, anyCursor), { maxLength: 3 }),
      separator: fc.constantFrom('&', '&', '&', '&&', ';', '&amp;'),
      cuts: anyCuts,
    })
    .map(({ by, method, whose, parameters, separator, cuts }): HttpRequest => {
      const { sources } = world.member(by + whose).account;
      const query = parameters.map((parameter) =>
        typeof parameter === 'string' ? parameter : parameter(world, by),
      );
      const target = `/api/v1/sources/${sources['uk-property']}/transactions?${query.join(separator)}`;
      const outcomes: Outcome[] = hasUnknown(target, LIST_NAMES)
        ? ['invalid_query']
        : [whose === 0 ? 'success' : 'source_not_found', 'invalid_query'];
      return { ...request(by, target, cuts, outcomes), method };
    });
}

const LIST_NAMES = ['from', 'to', 'limit', 'cursor'];
const NAMES = [...LIST_NAMES, 'From', 'limit[]', 'limit%00', '__proto__', 'constructor', 'sourceType', ''];
const DATES = ['2026-04-06', '0001-01-01', '9999-12-31', '0000-01-01', '10000-01-01', '2026-02-30', 'today'];
const SPELLINGS = ['2026-04-06T00:00:00Z', '2026-04-06%20', '2026-04-06%00', '2026%2d04%2d06', 'infinity'];
const NUMBERS = '1 200 201 0 -1 1.0 1e2 0x10 01 %31 +1 1_0 ½'.split(' ');
const OTHERS = "% %zz %ff null [] %5B1%5D \xff '%20or%201=1-- %F0%9F%8F%A0 = +".split(' ');
const LONG = ['9'.repeat(24), 'a'.repeat(3_000), 'a'.repeat(20_000)];
const VALUES = ['', ...DATES, ...SPELLINGS, ...NUMBERS, ...OTHERS, ...LONG];

const anyParameter = fc
  .tuple(
    fc.constantFrom(...NAMES.slice(0, 3), ...NAMES),
    mostly(
      5,
      fc.constantFrom(...VALUES),
      hostileText.map((text) => encodeURIComponent(text.toWellFormed())),
    ),
    fc.constantFrom('=', '=', '=', '', '=='),
  )
  .map(([name, value, equals]) => name + equals + value);

/** Each of a cursor, at a place of it. */
const DAMAGES: ((cursor: string, at: number) => string)[] = [
  ...[0, 1].map(() => (cursor: string) => cursor),
  (cursor, at) => cursor.slice(0, at),
  (cursor, at) => {
    const bytes = Buffer.from(cursor, 'base64url');
    bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ (1 << (at % 8));
    return bytes.toString('base64url');
  },
  (cursor) => `${cursor}==`,
  (cursor) => `${cursor}A`,
  (cursor) => cursor.toLowerCase(),
  (cursor) => encodeURIComponent(Buffer.from(cursor, 'base64url').toString('base64')),
];

/** A cursor of the account itself or of another one, valid or damaged. */
const anyCursor = fc
  .record({
    whose: fc.constantFrom(0, 0, 0, 1),
    kind: fc.constantFrom('plain' as const, 'filtered' as const),
    damage: fc.constantFrom(...DAMAGES),
    at: fc.nat({ max: 45 }),
    filter: fc.constantFrom('', '&from=2020-01-01', '&from=2020-01-01&to=2026-12-31'),
  })
  .map(({ whose, kind, damage, at, filter }) => (world: World, by: number) => {
    return `cursor=${damage(world.member(by + whose).cursors[kind], at)}${filter}`;
  });

function anyCategoriesQuery(world: World): fc.Arbitrary<HttpRequest> {
  const anyType = fc.constantFrom('uk-property', 'self-employment', 'UK-PROPERTY', '__proto__', '', '%00');
  return fc
    .record({
      by: anyMember(world),
      types: fc.array(fc.oneof(anyType, fc.constantFrom(...VALUES)), { maxLength: 2 }),
      others: fc.array(fc.constantFrom('sourcetype=x', 'sourceType%00', '__proto__=1', '=', 'from'), {
        maxLength: 1,
      }),
      cuts: anyCuts,
    })
    .map(({ by, types, others, cuts }): HttpRequest => {
      const query = [...types.map((type) => `sourceType=${type}`), ...others];
      const target = `/api/v1/categories?${query.join('&')}`;
      const isUnknown = hasUnknown(target, ['sourceType']);
      return request(by, target, cuts, [isUnknown ? 'invalid_query' : 'success', 'invalid_source_type']);
    });
}

const request = (by: number, target: string, cuts: number[], outcomes: Outcome[]): HttpRequest => ({
  kind: 'request',
  by,
  method: 'GET',
  target: asBytes(target),
  headers: USUAL_HEADERS,
  transport: { cuts },
  outcomes,
  beyondBun: target.length > 8_000,
});

/** Whether a target has a parameter that the endpoint does not know. */
function hasUnknown(target: string, known: readonly string[]): boolean {
  const parameters = new URLSearchParams(target.slice(target.indexOf('?')));
  return [...parameters.keys()].some((name) => !known.includes(name));
}
