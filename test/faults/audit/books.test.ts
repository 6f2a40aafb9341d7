/** The audit of the books: sound books pass, and each forged error is found under its rule. */
import { describe, expect, test } from 'bun:test';
import type { Row } from '../books.ts';
import type { Write } from '../history.ts';
import { audit, type Rule } from './audit.ts';
import { ForgedCase, first, sound } from './forged-case.ts';

const writes = ({ history }: ForgedCase) => history.requests.filter((each) => each.kind === 'write');

test('sound evidence passes', () => {
  expect(audit(sound())).toEqual([]);
});

describe('the audit finds a forged error:', () => {
  const cases: [string, Rule[], (it: ForgedCase) => void][] = [
    [
      'an acknowledged row is missing',
      ['half batch', 'lost', 'stale read', 'wrong total'],
      ({ books }) => void books.rows.shift(),
    ],
    [
      'a stored amount differs',
      ['foreign row', 'lost', 'stale read'],
      ({ books }) => void first(books.rows).amountPence++,
    ],
    [
      'an existing id belongs to another row',
      ['lost'],
      (it) => void Object.assign(first(writes(it)[1]?.response?.existing ?? []), { id: 'id of a/2' }),
    ],
    [
      'a response has wrong counts',
      ['wrong response'],
      (it) => void Object.assign(first(writes(it)).response ?? {}, { created: 2 }),
    ],
    [
      '201 although nothing was created',
      ['wrong response'],
      (it) => void Object.assign(it.write(it.operation('c', ['r1'])), { outcome: 201 }),
    ],
    [
      'an entry is stored twice',
      ['doubled', 'wrong total'],
      ({ books }) => void books.rows.push({ ...(books.rows[2] as Row), id: 'other' }),
    ],
    [
      'a reference is stored twice',
      ['doubled'],
      (it) => {
        const write = it.write(it.operation('c', ['r9']));
        for (const { entries } of [write.operation]) first(entries).externalRef = 'r1';
        Object.assign(first(write.response?.transactions ?? []), { externalRef: 'r1' });
        Object.assign(it.books.rows.at(-1) ?? {}, { externalRef: 'r1' });
      },
    ],
    [
      'a row that no client sent',
      ['foreign row', 'wrong total'],
      ({ books }) =>
        void books.rows.push({ ...first(books.rows), id: 'x', description: 'x/0', externalRef: null }),
    ],
    [
      'the count of a source is wrong',
      ['wrong total'],
      ({ books }) => void first(books.sources).transactionCount++,
    ],
    ['the write log lacks a write', ['wrong total'], ({ books }) => void books.writes.pop()],
    [
      'the write log has a write too many',
      ['wrong total'],
      ({ books }) => void books.writes.push({ ...first(books.writes), committed: 1, created: 1, total: 1 }),
    ],
    ["the write log's total is wrong", ['wrong total'], ({ books }) => void first(books.writes).total++],
  ];
  test.each(cases)('%s', (_, rules, forge) => {
    const it = sound();
    forge(it);
    expect(it.rules).toEqual(rules);
  });
});

describe('batches without a response:', () => {
  /** A batch, stored completely or in part, whose connection broke before the response. */
  function withoutResponse(
    stored: (row: Row, index: number) => boolean,
    refs = [undefined, undefined, undefined] as (string | undefined)[],
  ): ForgedCase {
    const it = new ForgedCase();
    const write = it.write(it.operation('u', refs));
    delete write.response;
    write.outcome = 'broken';
    it.allowedFailures = [{ from: 0, to: 99, outcomes: ['broken'] }];
    it.books.rows = it.books.rows.filter(stored);
    const [log] = it.books.writes;
    const count = it.books.rows.length;
    if (log) Object.assign(log, { created: count, total: count });
    if (count === 0) it.books.writes = [];
    first(it.books.sources).transactionCount = count;
    return it;
  }

  test('a whole or absent batch is sound', () => {
    expect(audit(withoutResponse(() => true))).toEqual([]);
    expect(audit(withoutResponse(() => false))).toEqual([]);
  });

  test('a partly stored batch is not', () => {
    expect(withoutResponse((_, index) => index !== 1).rules).toEqual(['half batch']);
    expect(withoutResponse((_, index) => index !== 1, ['r1', 'r2', 'r3']).rules).toEqual(['half batch']);
  });

  test('a batch whose rest is stored only later is not', () => {
    const it = withoutResponse((_, index) => index !== 1, ['r1', 'r2', 'r3']);
    it.write(it.operation('later', ['r2']));
    expect(it.rules).toEqual(['half batch']);
  });

  test('a batch in two transactions is not', () => {
    const it = withoutResponse(() => true);
    first(it.books.rows).committed++;
    expect(it.rules).toEqual(['half batch', 'wrong total']);
  });

  test('a stored batch with an invalid category is not', () => {
    const it = withoutResponse(() => true);
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

  test('the same response twice is sound', () => {
    expect(audit(twice().it)).toEqual([]);
  });

  test('two different responses are not', () => {
    const { it, again } = twice();
    first(again.response?.transactions ?? []).id = 'another';
    expect(it.rules).toContain('doubled');
  });
});
