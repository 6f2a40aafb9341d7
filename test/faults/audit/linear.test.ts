/** What the rows alone do not show: responses that were wrong when they came, although the books are right at the end. */
import { expect, test } from 'bun:test';
import { ForgedCase } from './forged-case.ts';

/** A write whose connection broke, of which a page shows all entries, and another page that a test changes. */
function readTwice(refs: (string | undefined)[]) {
  const it = new ForgedCase();
  it.allowedFailures = [{ from: 0, to: 99, outcomes: ['broken'] }];
  const write = it.write(it.operation('u', refs));
  Object.assign(write, { outcome: 'broken', response: undefined });
  const pages = [it.page(), it.page()] as const;
  expect(it.rules).toEqual([]);
  return { it, write, pages };
}

test('an entry that no response has acknowledged is on one page and not on a later one', () => {
  for (const refs of [['r1'], [undefined]]) {
    const { it, pages } = readTwice(refs);
    pages[1].response.transactions = [];
    expect(it.rules).toEqual(['not linearizable']);
  }
});

test('a page shows a part of a batch without a response', () => {
  const { it, pages } = readTwice(['r1', undefined]);
  pages[0].response.transactions.pop();
  expect(it.rules).toEqual(['not linearizable']);
});

test('a write without a response may take effect after a page that lacks it, and not before its call', () => {
  const { it, write, pages } = readTwice(['r1']);
  pages[0].response.transactions = [];
  expect(it.rules).toEqual([]);
  write.begun = pages[1].ended + 1;
  expect(it.rules).toEqual(['not linearizable']);
});

test('two accounts are two ledgers', () => {
  const { it, write } = readTwice(['r1']);
  const inOther = { accountId: 'other', operation: { ...it.operation('v', ['r1']), accountId: 'other' } };
  it.history.requests.push({ ...write, ...inOther, outcome: 'abandoned' });
  expect(it.rules).toEqual([]);
  Object.assign(write, inOther);
  expect(it.rules).toContain('not linearizable');
});
