/** A quota: what is reserved never exceeds a limit, and all of it is released. */
import { expect, test } from 'bun:test';
import { createQuota } from '../../platform/quota.ts';

test('a reservation is raised up to the limit of all and of its account, and not beyond', () => {
  const quota = createQuota(10, 6);
  const [one, same, other] = [quota.open('a'), quota.open('a'), quota.open('b')];
  expect([one.raise(4), same.raise(3), same.raise(2), other.raise(5), other.raise(4)]).toEqual([
    true,
    false,
    true,
    false,
    true,
  ]);
  expect([one.raise(4), one.raise(5), quota.used(), quota.accounts()]).toEqual([true, false, 10, 2]);
  one.close();
  expect([other.raise(6), quota.used()]).toEqual([true, 8]);
});

test('a closed reservation holds nothing: it cannot be raised again, and to close it twice releases nothing twice', () => {
  const quota = createQuota(10, 10);
  const [closed, other] = [quota.open('a'), quota.open('b')];
  other.raise(3);
  closed.raise(5);
  closed.close();
  closed.close();
  expect([quota.used(), quota.accounts()]).toEqual([3, 1]);
  // A chunk of a body may arrive after its request was refused.
  expect(closed.raise(1)).toBe(false);
  expect([quota.used(), quota.accounts()]).toEqual([3, 1]);
  other.close();
  expect([quota.used(), quota.accounts()]).toEqual([0, 0]);
});

test('what can no longer be refused is counted beyond the limits, and the account is not within them until it is released', () => {
  const quota = createQuota(10, 6);
  const [written, other] = [quota.open('a'), quota.open('b')];
  expect([quota.isWithin('a'), quota.isWithin('b')]).toEqual([true, true]);
  written.force(7);
  expect([quota.used(), quota.isWithin('a'), quota.isWithin('b')]).toEqual([7, false, true]);
  other.force(4);
  expect([quota.used(), quota.isWithin('b'), other.raise(5)]).toEqual([11, false, false]);
  written.close();
  written.force(7);
  expect([quota.used(), quota.isWithin('a')]).toEqual([4, true]);
});
