/** Generates texts that some component might interpret. Each must be returned unchanged or rejected. */
import fc from 'fast-check';
import { CANARY } from './request.ts';

const CODE = [
  ...["'; drop table entry; --", '$1', '%s%n%x', '<script>alert(1)</script>', '../../etc/passwd'],
  ...['\\u0000', '\\', '"', "'", '","amountPence":1,"x":"', '{NULL}', 'NULL', 'null', '1e400'],
  ...['__proto__', 'constructor', '=cmd|"/c calc"!A1', 'a\r\nSet-Cookie: b=c'],
];
const CHARACTERS = [
  ...['', ' ', '\n', '\u0001', '\u007f', '\u00a0', '\u0301', '\u200b', '\u2028', '\u202e', '\ufeff'],
  ...['\uffff', '\u{1f3f4}\u{e0067}\u{e007f}', '\u{10ffff}', 'e\u0301', 'ﷺ'],
];

// A Postgres text cannot store these.
const UNSTORABLE = ['\0', '\ud83c', '\udfe0', '\udfe0\ud83c', '\ud800x', 'x\udfff'];

/** A text, mostly short and mostly storable. */
export const hostileText = fc
  .array(
    fc.oneof(
      { arbitrary: fc.constantFrom(...CODE), weight: 20 },
      { arbitrary: fc.constantFrom(...CHARACTERS), weight: 20 },
      { arbitrary: fc.string({ unit: 'binary', maxLength: 6 }), weight: 12 },
      { arbitrary: fc.constantFrom(...UNSTORABLE), weight: 1 },
      { arbitrary: fc.constant(CANARY), weight: 16 },
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join(''));

/** A text of `limit` code points, one more or one less, with characters of any UTF-8 length. */
export function textAtLimit(limit: number): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom('a', '\u00e9', '\u20ac', '\u{1f3e0}', '\u0301', '\n'),
      fc.integer({ min: -1, max: 1 }),
    )
    .map(([character, more]) => character.repeat(limit + more));
}

/** JSON text of a value of a wrong type: mostly valid JSON. */
export const hostileValue = fc.oneof(
  hostileText.map((text) => JSON.stringify(text)),
  fc.constantFrom(
    ...['0', '-0', '1', '-1', '450.00', '4.5e4', '1E2', '1e0', '1e400', '-1e400', '1e-400', '100000e-2'],
    ...['9007199254740991', '9007199254740992', '9007199254740991.0', '18446744073709551616'],
    ...['true', 'null', '[]', '{}', '[1]', '["income"]', '{"a":1,"a":2}', '"1"', '"45000"', '""'],
    ...['01', '+1', '1.', '.5', '0x10', '1_000', 'NaN', '-Infinity', 'undefined', '1n', "'a'"],
    ...['"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"\\u00"', '"\\x41"', '"\\uD83C\\uDFE0"', '"\\/"'],
    ...['"\t"', '{"toString":1}', '{"length":1e9}', '[[[[[[]]]]]]', '{"__proto__":{"date":"2026-01-01"}}'],
    '9'.repeat(400),
    `1${'0'.repeat(30)}`,
    `0.${'3'.repeat(400)}`,
  ),
  fc.constantFrom(5, 90, 2_000, 60_000).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc.constantFrom(5, 90, 2_000).map((depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
);

/** A property name as JSON text, with or without quotes. */
export const hostileName = fc.oneof(
  fc.constantFrom(
    ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'id', 'accountId', 'sourceId', 'length'],
    ...['Date', 'date ', ' date', 'amount', 'amountpence', 'amount_pence', 'externalref', 'd\u0430te'],
    ...['', '$where', '~', '/', '~1', '0', '-1'],
  ),
  hostileText,
);
