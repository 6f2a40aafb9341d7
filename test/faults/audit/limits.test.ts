/** The audit of both limits: one entry or request more is found, and what the clock or the client explains is not. */
import { expect, test } from 'bun:test';
import { LIMITS } from '../../../proto/vocabulary.ts';
import { ForgedCase, SECOND_US } from './forged-case.ts';

test.each([
  [-1, true],
  [0, false],
])('one entry over the cap, %p µs from 24 h later', (more, isOver) => {
  const it = new ForgedCase();
  for (let n = 0; n < 11; n++) {
    it.write(it.operation(`full ${n}`, Array(n === 10 ? 1 : 500).fill(undefined)));
  }
  const committed = (LIMITS.dayWindowMs / 1_000) * SECOND_US + more;
  Object.assign(it.books.writes.at(-1) ?? {}, { writtenAt: committed, committed });
  Object.assign(it.books.rows.at(-1) ?? {}, { committed });
  expect(it.rules.includes('over cap')).toBe(isOver);
});

test('more than 120 requests of one key within a minute, only while Redis was undisturbed', () => {
  const it = new ForgedCase();
  for (let n = 0; n < 120; n++) it.me('fast');
  expect(it.rules).toEqual([]);
  const last = it.me('fast');
  expect(it.rules).toEqual(['minute']);
  it.redisUndisturbed = false;
  expect(it.rules).toEqual([]);
  it.redisUndisturbed = true;
  Object.assign(last, { begun: 60_000, ended: 60_001 });
  expect(it.rules).toEqual([]);
});

test('rate_limited with fewer than 120 requests before it, allowing for a few that fetch has resent', () => {
  const it = new ForgedCase();
  for (let n = 0; n < 115; n++) it.me('fast');
  const limited = it.failing(429, 'rate_limited', 'fast');
  expect(it.rules).toEqual(['minute']);
  it.me('fast').begun = limited.begun;
  expect(it.rules).toEqual([]);
});
