/**
 * What the audit sees in the books: sound ones pass, and each way of forging them is found under its own
 * rule.
 */
import { describe, expect, test } from 'bun:test';
import type { Row } from '../books.ts';
import type { Write } from '../history.ts';
import { audit, type Rule } from './audit.ts';
import { ForgedCase, first, sound } from './forged-case.ts';

const writes = ({ history }: ForgedCase) => history.requests.filter((each) => each.kind === 'write');

test('sound evidence passes', () => {
  expect(audit(sound())).toEqual([]);
});

describe('a forged case is found:', () => {
  const cases: [string, Rule[], (it: ForgedCase) => void][] = [
    [
      'an acknowledged row is gone',
      ['half batch', 'lost', 'stale read', 'wrong total'],
      ({ books }) => void books.rows.shift(),
    ],
    [
      'a stored amount is another',
      ['foreign row', 'lost', 'stale read'],
      ({ books }) => void first(books.rows).amountPence++,
    ],
    [
      'an existing id is another row',
      ['lost'],
      (it) => void Object.assign(first(writes(it)[1]?.answer?.existing ?? []), { id: 'id of a/2' }),
    ],
    [
      'an answer counts wrongly',
      ['wrong answer'],
      (it) => void Object.assign(first(writes(it)).answer ?? {}, { created: 2 }),
    ],
    [
      '201 although nothing was created',
      ['wrong answer'],
      (it) => void Object.assign(it.write(it.operation('c', ['r1'])), { outcome: 201 }),
    ],
    [
      'an entry twice',
      ['doubled', 'wrong total'],
      ({ books }) => void books.rows.push({ ...(books.rows[2] as Row), id: 'other' }),
    ],
    [
      'a reference twice',
      ['doubled'],
      (it) => {
        const write = it.write(it.operation('c', ['r9']));
        for (const { entries } of [write.operation]) first(entries).externalRef = 'r1';
        Object.assign(first(write.answer?.transactions ?? []), { externalRef: 'r1' });
        Object.assign(it.books.rows.at(-1) ?? {}, { externalRef: 'r1' });
      },
    ],
    [
      'a row that nobody sent',
      ['foreign row', 'wrong total'],
      ({ books }) =>
        void books.rows.push({ ...first(books.rows), id: 'x', description: 'x/0', externalRef: null }),
    ],
    [
      'a count of a source is off',
      ['wrong total'],
      ({ books }) => void first(books.sources).transactionCount++,
    ],
    ['the log lacks a write', ['wrong total'], ({ books }) => void books.writes.pop()],
    [
      'the log has a write too many',
      ['wrong total'],
      ({ books }) => void books.writes.push({ ...first(books.writes), committed: 1, created: 1, total: 1 }),
    ],
    ["the log's total is off", ['wrong total'], ({ books }) => void first(books.writes).total++],
  ];
  test.each(cases)('%s', (_, rules, spoil) => {
    const it = sound();
    spoil(it);
    expect(it.rules).toEqual(rules);
  });
});

describe('batches without an answer:', () => {
  /** A batch that was stored, or part of it, and whose client saw its connection break. */
  function unanswered(
    stored: (row: Row, index: number) => boolean,
    refs = [undefined, undefined, undefined] as (string | undefined)[],
  ): ForgedCase {
    const it = new ForgedCase();
    const write = it.write(it.operation('u', refs));
    delete write.answer;
    write.outcome = 'broken';
    it.excuses = [{ from: 0, to: 99, outcomes: ['broken'] }];
    it.books.rows = it.books.rows.filter(stored);
    const [log] = it.books.writes;
    const count = it.books.rows.length;
    if (log) Object.assign(log, { created: count, total: count });
    if (count === 0) it.books.writes = [];
    first(it.books.sources).transactionCount = count;
    return it;
  }

  test('whole or absent is sound', () => {
    expect(audit(unanswered(() => true))).toEqual([]);
    expect(audit(unanswered(() => false))).toEqual([]);
  });

  test('a part of it is not', () => {
    expect(unanswered((_, index) => index !== 1).rules).toEqual(['half batch']);
    expect(unanswered((_, index) => index !== 1, ['r1', 'r2', 'r3']).rules).toEqual(['half batch']);
  });

  test('nor is a part whose rest was stored only later', () => {
    const it = unanswered((_, index) => index !== 1, ['r1', 'r2', 'r3']);
    it.write(it.operation('later', ['r2']));
    expect(it.rules).toEqual(['half batch']);
  });

  test('nor is one in two transactions', () => {
    const it = unanswered(() => true);
    first(it.books.rows).committed++;
    expect(it.rules).toEqual(['half batch', 'wrong total']);
  });

  test('nor is one with an invalid category that is stored', () => {
    const it = unanswered(() => true);
    first(writes(it)).operation.invalid = true;
    expect(it.rules).toEqual(['half batch']);
  });
});

describe('an idempotency key:', () => {
  function twice(): { it: ForgedCase; again: Write } {
    const it = new ForgedCase();
    const operation = { ...it.operation('k', [undefined, undefined]), idempotencyKey: 'key' };
    const write = it.write(operation);
    const again = structuredClone(write);
    it.history.requests.push(again);
    return { it, again };
  }

  test('one answer, given twice, is sound', () => {
    expect(audit(twice().it)).toEqual([]);
  });

  test('two answers are not', () => {
    const { it, again } = twice();
    first(again.answer?.transactions ?? []).id = 'another';
    expect(it.rules).toContain('doubled');
  });
});
