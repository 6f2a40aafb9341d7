/** Bodies of POST: entries in any number, written as one text, its letters and bytes disturbed. */
import fc from 'fast-check';
import type { SourceType } from '../../proto/vocabulary.ts';
import { anyEntry, unicodeEscape } from './entries.ts';
import { mostly } from './mostly.ts';
import { hostileValue } from './texts.ts';

/** One entry, or an array of as many as are allowed, or of as many as are not. */
function anyJson(type: SourceType): fc.Arbitrary<string> {
  const entry = anyEntry(type);
  const list = (entries: readonly string[]) => `[${entries.join()}]`;
  return fc.oneof(
    { weight: 90, arbitrary: entry },
    { weight: 90, arbitrary: fc.array(entry, { minLength: 1, maxLength: 4 }).map(list) },
    { weight: 1, arbitrary: entry.map((text) => list(Array(500).fill(text))) },
    { weight: 1, arbitrary: entry.map((text) => list(Array(501).fill(text))) },
    { weight: 1, arbitrary: entry.map((text) => list([...Array(499).fill(text), '{}'])) },
    {
      weight: 1,
      arbitrary: fc.tuple(entry, fc.nat({ max: 1 })).map(([text, more]) => text.padEnd(BYTES_MAX + more)),
    },
    { weight: 3, arbitrary: entry.map((text) => `[[${text}]]`) },
    { weight: 2, arbitrary: fc.constant('[]') },
    { weight: 4, arbitrary: hostileValue },
  );
}

const BYTES_MAX = 5 * 1024 * 1024;

/** A disturbance of the text as a whole: what to do, where (as a part of the whole), with what. */
const anyDisturbance = fc.record({
  what: fc.constantFrom('insert', 'delete', 'truncate', 'escape', 'append', 'prepend'),
  where: fc.double({ min: 0, max: 1, noNaN: true }),
  junk: fc.constantFrom(
    ...[
      ',',
      '}',
      ']',
      '"',
      '{',
      '[',
      ':',
      '/**/',
      '//',
      '\0',
      '\ufeff',
      '\u00a0',
      'x',
      '\\',
      '&',
      "'",
      '\u2028',
    ],
  ),
});
type Disturbance = typeof anyDisturbance extends fc.Arbitrary<infer D> ? D : never;

function disturbed(text: string, { what, where, junk }: Disturbance): string {
  const at = Math.floor(where * text.length);
  switch (what) {
    case 'insert':
      return text.slice(0, at) + junk + text.slice(at);
    case 'delete':
      return text.slice(0, at) + text.slice(at + 1);
    case 'truncate':
      return text.slice(0, at);
    // Says the same in ASCII.
    case 'escape':
      return text.replace(/[\u0080-\uffff]/g, unicodeEscape);
    case 'append':
      return text + junk;
    case 'prepend':
      return junk + text;
  }
}

// Overlong forms, surrogates as bytes, what no character begins or ends with, other encodings' marks.
const INVALID_UTF8 = [
  'c080',
  'c0af',
  'e08080',
  'f0808080',
  'eda0bc',
  'f4908080',
  'ff',
  'fe',
  '80',
  'e282',
  'fffe',
];

const anyPlace = fc.double({ min: 0, max: 1, noNaN: true });

export const anyBody = (type: SourceType) =>
  fc
    .record({
      json: anyJson(type),
      disturbances: mostly(
        9,
        fc.constant<Disturbance[]>([]),
        fc.array(anyDisturbance, { minLength: 1, maxLength: 2 }),
      ),
      damage: mostly(
        40,
        fc.constant(undefined),
        fc.record({ where: anyPlace, hex: fc.constantFrom(...INVALID_UTF8) }),
      ),
    })
    .map(({ json, disturbances, damage }) => {
      const whole = Buffer.from(disturbances.reduce(disturbed, json));
      if (!damage) return whole;
      const at = Math.floor(damage.where * whole.length);
      return Buffer.concat([whole.subarray(0, at), Buffer.from(damage.hex, 'hex'), whole.subarray(at)]);
    });
