/** What is printed on a terminal: every character that is not just seen is escaped, and every other one stays. */
import { expect, test } from 'bun:test';
import { printable, printableJson } from '../../platform/terminal.ts';

const points = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index));

test.each([
  ['C0', points(0x00, 0x1f)],
  ['DEL and C1', points(0x7f, 0x9f)],
  ['marks and embeddings of direction', ['\u061c', ...points(0x200e, 0x200f), ...points(0x202a, 0x202e)]],
  ['isolates of direction', points(0x2066, 0x2069)],
  ['separators of lines and paragraphs', points(0x2028, 0x2029)],
  ['without width', ['\u00ad', ...points(0x200b, 0x200d), ...points(0x2060, 0x2064), '\ufeff']],
  ['tags', points(0xe0001, 0xe0001)],
  [
    'without a picture',
    ['\u034f', '\u115f', '\u3164', ...points(0xfe00, 0xfe0f), ...points(0xe0100, 0xe01ef)],
  ],
  ['halves of pairs', ['\ud83d', '\ude00']],
])('characters %s are escaped', (_, characters) => {
  expect(characters.length).toBeGreaterThan(0);
  for (const character of characters) {
    const escapes = Array.from({ length: character.length }, (_, unit) => character.charCodeAt(unit));
    const expected = escapes.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
    expect(printable(`a${character}b`)).toBe(`a${expected}b`);
    const json = printableJson({ text: `a${character}b` });
    expect(json).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(json).text).toBe(`a${character}b`);
  }
});

test('letters, marks and symbols of every script stay', () => {
  const text = 'Gîte – £5 “ok” 例え एक العربية é 😀 ❤️ \u00a0';
  expect(printable(text)).toBe(text);
  expect(printableJson(text)).toBe(JSON.stringify(text));
});

test('JSON with indentation is as JSON.stringify writes it', () => {
  const value = { a: ['x\n', { b: null }] };
  expect(printableJson(value, 2)).toBe(JSON.stringify(value, null, 2));
});
