/** The audit finds each forged error under its rule, and passes what is sound. */
import { describe, expect, test } from 'bun:test';
import type { Row } from '../books.ts';
import type { Page } from '../history.ts';
import type { Rule } from './audit.ts';
import { ForgedCase, first, sound } from './forged-case.ts';

const NEVER = Number.POSITIVE_INFINITY;
const writes = ({ history }: ForgedCase) => history.requests.filter((each) => each.kind === 'write');

test('sound evidence passes', () => {
  expect(sound().rules).toEqual([]);
});

describe('sound evidence into which one error is forged:', () => {
  type Forge = (it: ForgedCase) => unknown;
  const onPage = (forge: (page: ReturnType<ForgedCase['page']>) => unknown) => (it: ForgedCase) =>
    forge(it.page());
  const cases: [string, Rule[], Forge][] = [
    [
      'an acknowledged row is missing',
      ['half batch', 'lost', 'not linearizable', 'wrong total'],
      ({ books }) => books.rows.shift(),
    ],
    [
      'a stored amount differs',
      ['foreign row', 'lost', 'not linearizable'],
      ({ books }) => first(books.rows).amountPence++,
    ],
    [
      'an existing id belongs to another row',
      ['lost', 'not linearizable'],
      (it) => Object.assign(first(writes(it)[1]?.response?.existing ?? []), { id: 'id of a/2' }),
    ],
    [
      'a response has wrong counts',
      ['not linearizable'],
      (it) => Object.assign(first(writes(it)).response ?? {}, { created: 2 }),
    ],
    [
      '201 although nothing was created',
      ['wrong response'],
      (it) => Object.assign(it.write(it.operation('c', ['r1'])), { outcome: 201 }),
    ],
    [
      'an entry is stored twice',
      ['doubled', 'not linearizable', 'wrong total'],
      ({ books }) => books.rows.push({ ...(books.rows[2] as Row), id: 'other' }),
    ],
    [
      'a reference is stored twice',
      ['doubled', 'not linearizable'],
      (it) => {
        const { operation, response } = it.write(it.operation('c', ['r9']));
        for (const each of [operation.entries, response?.transactions ?? [], it.books.rows.slice(-1)]) {
          Object.assign(each[0] ?? {}, { externalRef: 'r1' });
        }
      },
    ],
    [
      'a row that no client sent',
      ['foreign row', 'not linearizable', 'wrong total'],
      ({ books }) =>
        books.rows.push({ ...first(books.rows), id: 'x', description: 'x/0', externalRef: null }),
    ],
    [
      'the count of a source is wrong',
      ['not linearizable', 'wrong total'],
      ({ books }) => first(books.sources).transactionCount++,
    ],
    ['the write log lacks a write', ['wrong total'], ({ books }) => books.writes.pop()],
    [
      'the write log has a write too many',
      ['wrong total'],
      ({ books }) => books.writes.push({ ...first(books.writes), committed: 1, created: 1, total: 1 }),
    ],
    ["the write log's total is wrong", ['wrong total'], ({ books }) => first(books.writes).total++],
    [
      'daily_cap below the cap',
      ['not linearizable'],
      (it) => refused(it.write(it.operation('refused', [])), 429, 'daily_cap'),
    ],

    ['a page lacks an entry', ['not linearizable'], onPage(({ response }) => response.transactions.pop())],
    [
      'a page has an entry that is not in the books',
      ['not linearizable'],
      onPage(({ response }) => first(response.transactions).amountPence++),
    ],
    [
      'a page is out of order',
      ['not linearizable'],
      onPage(({ response }) => response.transactions.reverse()),
    ],
    [
      'a page has more than its limit',
      ['not linearizable'],
      onPage((page) => Object.assign(page, { limit: 2 })),
    ],
    [
      'a page has an entry outside of its dates',
      ['not linearizable'],
      onPage((page) => Object.assign(page, { from: '2026-04-07' })),
    ],
    [
      'a page has an entry of the page before',
      ['not linearizable'],
      onPage((page) => Object.assign(page, { after: { date: '2026-04-06', id: 'id of a/1' } })),
    ],
    ['a page is cut, with a next one', [], onPage((page) => cutAt(page, 2))],
    [
      'a page lacks an entry that cannot be on the next one',
      ['not linearizable'],
      onPage((page) => cutAt(page, 2).shift()),
    ],
    [
      '/me names another account',
      ['wrong response'],
      (it) => Object.assign(it.me('key'), { response: { accountId: 'another' } }),
    ],

    [
      'a refused write is stored, for whatever reason',
      ['failed request', 'not linearizable'],
      (it) => refused(it.write(it.operation('c', [undefined])), 400, 'invalid_json'),
    ],
    ['a request is abandoned', [], (it) => it.failing('abandoned')],
    ['no reason for invalid_key', ['failed request'], (it) => it.failing(401, 'invalid_key')],
    ['no reason for upgrade_required', ['failed request'], (it) => it.failing(403, 'upgrade_required')],
    ['no reason for source_not_found', ['failed request'], (it) => it.failing(404, 'source_not_found')],
    ['no reason for invalid_category', ['failed request'], (it) => it.failing(422, 'invalid_category')],
    [
      'a source is removed, and a request about another one is refused',
      ['failed request'],
      (it) => [it.lose('source'), it.failing(404, 'source_not_found')],
    ],
  ];
  test.each(cases)('%s', (_, rules, forge) => {
    const it = sound();
    forge(it);
    expect(it.rules).toEqual(rules);
  });
});

function refused<Forged extends object>(request: Forged, outcome: number, code: string): Forged {
  return Object.assign(request, { outcome, code, response: undefined });
}

function cutAt({ response }: Page & Required<Pick<Page, 'response'>>, count: number) {
  response.transactions.splice(count);
  response.nextCursor = 'next';
  return response.transactions;
}

describe('a batch without a response:', () => {
  const isNotSecond = (_: Row, index: number) => index !== 1;
  const refs = ['r1', 'r2', 'r3'];
  const cases: [string, Rule[], (row: Row, index: number) => boolean, (string | undefined)[]][] = [
    ['stored', [], () => true, [undefined, undefined]],
    ['absent', [], () => false, [undefined, undefined]],
    ['stored in part', ['half batch', 'not linearizable'], isNotSecond, [undefined, undefined, undefined]],
    ['stored in part, with references', ['half batch', 'not linearizable'], isNotSecond, refs],
  ];
  test.each(cases)('%s', (_, rules, isStored, of) => {
    expect(withoutResponse(isStored, of).rules).toEqual(rules);
  });

  test('its rest is stored only later', () => {
    const it = withoutResponse(isNotSecond, refs);
    it.write(it.operation('later', ['r2']));
    expect(it.rules).toEqual(['half batch']);
  });

  test('stored in two transactions', () => {
    const it = withoutResponse(() => true, refs);
    first(it.books.rows).committed++;
    expect(it.rules).toEqual(['half batch', 'wrong total']);
  });

  test('stored with an invalid category', () => {
    const it = withoutResponse(() => true, [undefined]);
    first(writes(it)).operation.invalid = true;
    expect(it.rules).toEqual(['half batch', 'not linearizable']);
  });
});

/** A batch whose connection broke before the response. */
function withoutResponse(
  isStored: (row: Row, index: number) => boolean,
  refs: (string | undefined)[],
): ForgedCase {
  const it = new ForgedCase();
  Object.assign(it.write(it.operation('u', refs)), { outcome: 'broken', response: undefined });
  it.allowedFailures = [{ from: 0, to: 99, outcomes: ['broken'] }];
  const { books } = it;
  books.rows = books.rows.filter(isStored);
  const count = books.rows.length;
  books.writes = count === 0 ? [] : books.writes.map((write) => ({ ...write, created: count, total: count }));
  first(books.sources).transactionCount = count;
  return it;
}

test('an idempotency key has one response, however often', () => {
  const it = new ForgedCase();
  const write = it.write({ ...it.operation('k', [undefined, undefined]), idempotencyKey: 'key' });
  const again = structuredClone(write);
  it.history.requests.push(again);
  expect(it.rules).toEqual([]);
  first(again.response?.transactions ?? []).id = 'another';
  expect(it.rules).toContain('not linearizable');
});

test('the count of a source is that of the entries stored when it was read', () => {
  const rules = (count: number) => {
    const it = sound();
    it.sources(count);
    it.write(it.operation('late', [undefined]));
    return it.rules;
  };
  expect([3, 4, 5, 6].map(rules)).toEqual([
    ['not linearizable'],
    [],
    ['not linearizable'],
    ['not linearizable'],
  ]);
});

describe('lost access:', () => {
  test('a success that began after a revocation had returned', () => {
    const it = sound();
    it.me('lost');
    it.revoke('lost');
    it.failing(401, 'invalid_key', 'lost');
    expect(it.rules).toEqual([]);
    it.write(it.operation('late', [undefined]), 'lost');
    expect(it.rules).toEqual(['revoked key']);
    first(it.history.revocations).ended = NEVER;
    expect(it.rules).toEqual([]);
  });

  const kinds = [
    ['source', 404, 'source_not_found'],
    ['account', 401, 'invalid_key'],
  ] as const;

  test.each(kinds)('a success while the %s was removed', (what) => {
    const it = sound();
    it.lose(what);
    expect(it.rules).toEqual([]);
    it.write(it.operation('late', [undefined]));
    expect(it.rules).toEqual(['lost access']);
    first(it.history.accessLosses).ended = NEVER;
    expect(it.rules).toEqual([]);

    const restored = sound();
    restored.lose(what).restore();
    restored.write(restored.operation('later', [undefined]));
    expect(restored.rules).toEqual([]);
  });

  test.each(kinds)('a refusal before the %s was removed, or after it was restored', (what, outcome, code) => {
    for (const when of ['before', 'while', 'after'] as const) {
      const it = new ForgedCase();
      const refuse = () => refused(it.write(it.operation('refused', [])), outcome, code);
      if (when === 'before') refuse();
      const { restore } = it.lose(what);
      if (when === 'while') refuse();
      restore();
      if (when === 'after') refuse();
      expect([when, it.rules]).toEqual([when, when === 'while' ? [] : ['failed request']]);
    }
  });

  test('a refused write is stored, unless another attempt may have stored it', () => {
    const it = new ForgedCase();
    it.lose('account');
    const write = refused(it.write(it.operation('refused', [undefined])), 401, 'invalid_key');
    expect(it.rules).toEqual(['not linearizable']);
    it.history.requests.push({ ...structuredClone(write), outcome: 'abandoned' });
    expect(it.rules).toEqual([]);
  });
});

test.each([500, 503, 'broken', 'unavailable', 'hung', 'pending'] as const)(
  'a failure must be allowed, for its time and its outcome: %p',
  (outcome) => {
    const it = sound();
    const { begun, ended } = it.failing(outcome);
    const rulesWith = (from: number, to: number, outcomes: (typeof outcome)[]) => {
      it.allowedFailures = [{ from, to, outcomes }];
      return it.rules;
    };
    expect(it.rules).toEqual(['failed request']);
    expect(rulesWith(begun - 2, ended, [outcome])).toEqual([]);
    expect(rulesWith(ended, ended + 1, [outcome])).toEqual(['failed request']);
    expect(rulesWith(begun - 2, ended, [])).toEqual(['failed request']);
  },
);
