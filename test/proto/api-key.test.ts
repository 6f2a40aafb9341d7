/** The shape of an API key, its checksum and its hash (docs/api/requests.md). */
import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { mintApiKey } from '../../ledger-worker/admin/keys.ts';
import { hashApiKey, isWellFormedApiKey, KEY_PREFIX_PATTERN } from '../../proto/api-key.ts';
import { runs } from '../fixtures/runs.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 27;
const RUNS = { numRuns: runs(500) };

const aPrefix = fc.stringMatching(KEY_PREFIX_PATTERN);

describe('a minted key', () => {
  test('is its prefix, _live_, 27 random characters and 6 of checksum; well-formed under its own prefix and no other', () => {
    fc.assert(
      fc.property(aPrefix, aPrefix, (prefix, other) => {
        fc.pre(prefix !== other);
        const key = mintApiKey(prefix);
        expect(key).toMatch(new RegExp(`^${prefix}_live_[0-9A-Za-z]{33}$`));
        expect(isWellFormedApiKey(prefix, key)).toBe(true);
        expect(isWellFormedApiKey(other, key)).toBe(false);
        expect(isWellFormedApiKey(other, key.replace(prefix, other))).toBe(false);
      }),
      RUNS,
    );
  });

  test('has every character of the alphabet at every position, each as often as the others', () => {
    const minted = 10_000;
    const counts = new Map([...BASE62].map((character) => [character, 0]));
    const places = Array.from({ length: SECRET_LENGTH }, () => new Set<string>());
    for (let i = 0; i < minted; i++) {
      const secret = mintApiKey('ledger').slice('ledger_live_'.length).slice(0, SECRET_LENGTH);
      [...secret].forEach((character, place) => {
        counts.set(character, (counts.get(character) ?? 0) + 1);
        places[place]?.add(character);
      });
    }
    for (const place of places) expect(place.size).toBe(BASE62.length);
    // Taking bytes modulo 62 would give some characters 25 % more. A tenth is over six standard deviations.
    const expected = (minted * SECRET_LENGTH) / BASE62.length;
    for (const [character, count] of counts) {
      expect([character, Math.abs(count - expected) / expected < 0.1]).toEqual([character, true]);
    }
    expect(counts.size).toBe(BASE62.length);
  });
});

describe('a key is refused', () => {
  // A substitution is an error burst of at most 8 bits, and CRC-32 finds every burst of up to 32.
  test('when any one of its characters is another of the alphabet, always', () => {
    const key = mintApiKey('ledger');
    for (let at = 0; at < key.length; at++) {
      for (const character of BASE62) {
        const other = key.slice(0, at) + character + key.slice(at + 1);
        expect([other, isWellFormedApiKey('ledger', other)]).toEqual([other, other === key]);
      }
    }
  });

  test('when it is any text that was not minted', () => {
    const shaped = fc.stringMatching(/^[0-9A-Za-z]{33}$/).map((rest) => `ledger_live_${rest}`);
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), shaped), (text) => {
        expect(isWellFormedApiKey('ledger', text)).toBe(false);
      }),
      RUNS,
    );
  });
});

test('the hash of a key is its SHA-256', () => {
  const key = mintApiKey('ledger');
  expect(hashApiKey(key)).toEqual(createHash('sha256').update(key).digest());
});
