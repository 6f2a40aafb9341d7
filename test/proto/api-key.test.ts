/** The shape of an API key, its checksum and its hash (docs/api/requests.md). */
import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { mintApiKey } from '../../ledger-worker/admin/mint-key.ts';
import { hashApiKey, isWellFormedApiKey, KEY_PREFIX_PATTERN } from '../../proto/api-key.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 27;
const RUNS = { numRuns: 2_000 };

const aPrefix = fc.stringMatching(KEY_PREFIX_PATTERN);
const aKey = fc.constantFrom(...Array.from({ length: 200 }, () => mintApiKey('ledger')));

const replaced = (key: string, at: number, character: string) =>
  key.slice(0, at) + character + key.slice(at + 1);

describe('a minted key', () => {
  test('is its prefix, _live_, 27 random characters and 6 of checksum', () => {
    fc.assert(
      fc.property(aPrefix, (prefix) => {
        const key = mintApiKey(prefix);
        expect(key).toStartWith(`${prefix}_live_`);
        expect(key.slice(prefix.length + '_live_'.length)).toMatch(/^[0-9A-Za-z]{33}$/);
      }),
    );
  });

  test('is well-formed under its own prefix and no other', () => {
    fc.assert(
      fc.property(aPrefix, aPrefix, (prefix, other) => {
        fc.pre(prefix !== other);
        const key = mintApiKey(prefix);
        expect(isWellFormedApiKey(prefix, key)).toBe(true);
        expect(isWellFormedApiKey(other, key)).toBe(false);
        expect(isWellFormedApiKey(other, key.replace(prefix, other))).toBe(false);
      }),
      RUNS,
    );
  });

  test('is never minted twice in 10,000', () => {
    const keys = Array.from({ length: 10_000 }, () => mintApiKey('ledger'));
    expect(new Set(keys).size).toBe(10_000);
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
        if (character === key[at]) continue;
        expect([at, character, isWellFormedApiKey('ledger', replaced(key, at, character))]).toEqual([
          at,
          character,
          false,
        ]);
      }
    }
  });

  test('when two neighbours have changed places', () => {
    fc.assert(
      fc.property(aKey, fc.nat(), (key, position) => {
        const at = position % (key.length - 1);
        fc.pre(key[at] !== key[at + 1]);
        const swapped = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
        expect(isWellFormedApiKey('ledger', swapped)).toBe(false);
      }),
      RUNS,
    );
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

describe('the hash of a key', () => {
  test('is its SHA-256, as node:crypto computes it', () => {
    fc.assert(
      fc.property(fc.oneof(aKey, fc.string({ unit: 'grapheme' })), (text) => {
        expect(hashApiKey(text).toString('hex')).toBe(createHash('sha256').update(text).digest('hex'));
      }),
      RUNS,
    );
    expect(hashApiKey('').toString('hex')).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
  });
});
