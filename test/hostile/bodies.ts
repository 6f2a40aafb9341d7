/** Generates bodies of POST: JSON of entries, mutated as text and as bytes. */
import fc from 'fast-check';
import type { SourceType } from '../../proto/domain.ts';
import { anyEntry, unicodeEscape } from './entries.ts';
import { anyPlace, mostly } from './generators.ts';
import { hostileValue } from './texts.ts';

/** One entry, an array of an allowed size, or a too large array. */
function anyJson(type: SourceType): fc.Arbitrary<string> {
  const entry = anyEntry(type);
  const list = (entries: readonly string[]) => `[${entries.join()}]`;
  return fc.oneof(
    { weight: 90, arbitrary: entry },
    { weight: 90, arbitrary: fc.array(entry, { minLength: 1, maxLength: 4 }).map(list) },
    { weight: 1, arbitrary: entry.map((text) => list(Array(500).fill(text))) },
    { weight: 1, arbitrary: entry.map((text) => list(Array(501).fill(text))) },
    { weight: 1, arbitrary: entry.map((text) => list([...Array(499).fill(text), '{}'])) },
    { weight: 1, arbitrary: entry.map((text) => text.padEnd(BYTES_MAX)) },
    { weight: 1, arbitrary: entry.map((text) => text.padEnd(BYTES_MAX + 1)) },
    { weight: 3, arbitrary: entry.map((text) => `[[${text}]]`) },
    { weight: 2, arbitrary: fc.constant('[]') },
    { weight: 4, arbitrary: hostileValue },
  );
}

const BYTES_MAX = 5 * 1024 * 1024;

/** Each of a text, at a place of it, with some junk. */
const MUTATIONS: ((text: string, at: number, junk: string) => string)[] = [
  (text, at, junk) => text.slice(0, at) + junk + text.slice(at),
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text, at) => text.slice(0, at),
  // The same JSON in ASCII.
  (text) => text.replace(/[\u0080-\uffff]/g, unicodeEscape),
  (text, _, junk) => text + junk,
  (text, _, junk) => junk + text,
];
const anyMutation = fc.record({
  mutate: fc.constantFrom(...MUTATIONS),
  where: anyPlace,
  junk: fc.constantFrom(
    ...[',', '}', ']', '"', '{', '[', ':', '/**/', '//', '\0', '\ufeff', '\u00a0', 'x', '\\', "'", '\u2028'],
  ),
});

// Overlong forms, encoded surrogates, invalid lead bytes, lone continuation bytes, byte order marks of other encodings.
const INVALID_UTF8 = ['c080', 'e08080', 'f0808080', 'eda0bc', 'f4908080', 'ff', '80', 'e282', 'fffe'];

const anyDamage = fc.record({ where: anyPlace, hex: fc.constantFrom(...INVALID_UTF8) });

export const anyBody = (type: SourceType) =>
  fc
    .record({
      json: anyJson(type),
      mutations: mostly(
        9,
        fc.array(anyMutation, { maxLength: 0 }),
        fc.array(anyMutation, { minLength: 1, maxLength: 2 }),
      ),
      damage: mostly(40, fc.constant(undefined), anyDamage),
    })
    .map(({ json, mutations, damage }) => {
      const mutated = mutations.reduce(
        (text, { mutate, where, junk }) => mutate(text, Math.floor(where * text.length), junk),
        json,
      );
      const whole = Buffer.from(mutated);
      if (!damage) return whole;
      const at = Math.floor(damage.where * whole.length);
      return Buffer.concat([whole.subarray(0, at), Buffer.from(damage.hex, 'hex'), whole.subarray(at)]);
    });
