/** docs/promises.md: what it names is there, and each promise is broken by a mutation that runs a test named beside it. */
import { describe, expect, test } from 'bun:test';
import { isThere, read } from './fixtures/checkout.ts';
import { citedTests, hasTestOf } from './fixtures/cited-tests.ts';
import { MUTATIONS } from './mutations/mutations.ts';

const page = read('docs/promises.md');

const promises = [...page.matchAll(/^\| ([IS]\d+) \| (.+) \| (.+) \| (.+) \|$/gm)].map(
  ([, id = '', , enforcedBy = '', tests = '']) => ({ id, enforcedBy, tests: citedTests(tests) }),
);
const ids = promises.map(({ id }) => id);

/** The promises that a line of the gaps names. */
const gap = (what: string) =>
  new RegExp(`^- ${what} ([IS\\d, ]+)\\.$`, 'm').exec(page)?.[1]?.split(', ') ?? [];

const numbered = (letter: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${letter}${n + 1}`);

test('each promise has one row, in the order of the numbers', () => {
  const silent = ids.filter((id) => id.startsWith('S')).length;
  expect(silent).toBeGreaterThan(20);
  expect(ids).toEqual([...numbered('I', 10), ...numbered('S', silent)]);
});

describe.each(promises)('$id', ({ id, enforcedBy, tests }) => {
  test('its tests exist, as named', () => {
    expect(tests.filter((each) => !hasTestOf(each))).toEqual([]);
  });

  test('the files that enforce it exist', () => {
    const files = [...enforcedBy.matchAll(/`([\w./-]+\/[\w./-]*)`/g)].map(([, file = '']) => file);
    expect(files.filter((file) => !isThere(file))).toEqual([]);
  });

  test('a mutation breaks it and runs one of its tests, or the page names the gap', () => {
    const files = new Set(tests.map(({ file }) => file));
    const breaking = MUTATIONS.filter(
      (mutation) =>
        mutation.breaks.some((each) => each === id) && mutation.tests.some((file) => files.has(file)),
    );
    expect(breaking.length === 0).toBe(gap('No mutation breaks').includes(id));
  });
});

test('every promise that a mutation breaks is on the page', () => {
  expect(MUTATIONS.flatMap(({ breaks }) => breaks).filter((id) => !ids.includes(id))).toEqual([]);
});
