/** The audit finds each forged error under its rule, and passes what is sound. */
import { describe, expect, test } from 'bun:test';
import { LIMITS } from '../../../proto/vocabulary.ts';
import type { Books, Row } from '../books.ts';
import {
  type AccessLoss,
  newHistory,
  type Operation,
  type Page,
  type Request,
  type Write,
} from '../history.ts';
import { audit, type Evidence, type Rule } from './audit.ts';

const NEVER = Number.POSITIVE_INFINITY;
const SECOND_US = 1_000_000;

/** A history of one account with consistent books, into which a test forges an error. */
class ForgedCase implements Evidence {
  readonly history = newHistory();
  readonly books: Books = {
    rows: [],
    writes: [],
    sources: [{ id: 'source', accountId: 'account', transactionCount: 0 }],
  };
  allowedFailures: Evidence['allowedFailures'] = [];
  redisUndisturbed = true;
  #now = 0;

  /** Records a request that ends at once. */
  call(fields: object, outcome: Request['outcome'] = 200, refused?: string): Request {
    const call = { accountId: 'account', keyId: 'key', name: 'call', gateway: 'gateway 0' };
    const times = { begun: this.#now++, ended: this.#now++ };
    const request = { ...call, ...times, outcome, ...(refused && { refused }), ...fields } as Request;
    this.history.requests.push(request);
    return request;
  }

  me = (keyId = 'key', outcome: Request['outcome'] = 200, refused?: string) =>
    this.call({ kind: 'me', keyId, response: { accountId: 'account' } }, outcome, refused);

  /** Records a write and stores its new entries in one transaction. */
  write(name: string, refs: (string | undefined)[], fields: Partial<Operation> = {}): Write {
    const committed = this.#now * SECOND_US;
    const entries = refs.map((externalRef, index) => ({
      ...{ date: '2026-04-06', type: 'income' as const, amountPence: index + 1 },
      description: `${name}/${index}`,
      ...(externalRef !== undefined && { externalRef }),
    }));
    const { rows, writes, sources } = this.books;
    const existing: Row[] = [];
    const created: Row[] = [];
    for (const entry of entries) {
      const known = [...rows, ...created].find(({ externalRef: ref }) => ref && ref === entry.externalRef);
      const ids = { id: `id of ${entry.description}`, accountId: 'account', sourceId: 'source' };
      if (known) existing.push(known);
      else created.push({ ...ids, category: null, externalRef: null, ...entry, committed });
    }
    rows.push(...created);
    const total = (writes.at(-1)?.total ?? 0) + created.length;
    const log = { accountId: 'account', writtenAt: committed, created: created.length, total, committed };
    if (created.length > 0) writes.push(log);
    for (const source of sources) source.transactionCount += created.length;
    const counts = { created: created.length, deduplicated: existing.length };
    const response = { ...counts, transactions: created, existing };
    const operation = { sourceId: 'source', sourceType: 'uk-property', single: false, invalid: false };
    const write = { kind: 'write', name, entries, ...operation, response, ...fields };
    return this.call(write, created.length > 0 ? 201 : 200) as Write;
  }

  /** Records a read of every entry, newest first. */
  page(): Page & Required<Pick<Page, 'response'>> {
    const transactions = this.books.rows.toSorted((a, b) => (a.id < b.id ? 1 : -1));
    const response = { transactions, nextCursor: null };
    return this.call({ kind: 'page', sourceId: 'source', limit: 200, response }) as never;
  }

  lose(fields: Pick<AccessLoss, 'what' | 'code'> & Partial<AccessLoss>): AccessLoss {
    const times = { begun: this.#now++, ended: this.#now++, restoring: NEVER, restored: NEVER };
    const loss = { accountId: 'account', ...times, ...fields };
    this.history.accessLosses.push(loss);
    return loss;
  }

  restore(loss: AccessLoss): void {
    Object.assign(loss, { restoring: this.#now++, restored: this.#now++ });
  }

  get rules(): Rule[] {
    return [...new Set(audit(this).map(({ rule }) => rule))].sort();
  }
}

const first = <Item>(items: Item[]): Item => items[0] as Item;

/** A batch, a second one that repeats entries of the first and of itself, and a read. */
function sound(): ForgedCase {
  const it = new ForgedCase();
  it.write('a', ['r1', 'r2', undefined]);
  it.write('b', ['r2', 'r3', 'r3']);
  it.page();
  return it;
}

test('sound evidence passes', () => {
  expect(sound().rules).toEqual([]);
});

describe('sound evidence into which one error is forged:', () => {
  const cases: [string, Rule[], (it: ForgedCase) => unknown][] = [
    [
      'an acknowledged row is missing',
      ['half batch', 'lost', 'not linearizable', 'wrong total'],
      ({ books }) => books.rows.shift(),
    ],
    ['a stored amount differs', ['not linearizable'], ({ books }) => first(books.rows).amountPence++],
    [
      'an entry is stored twice',
      ['doubled', 'not linearizable', 'wrong total'],
      ({ books }) => books.rows.push({ ...(books.rows[2] as Row), id: 'other' }),
    ],
    [
      'a row that no client sent',
      ['not linearizable', 'wrong total'],
      ({ books }) =>
        books.rows.push({ ...first(books.rows), id: 'x', description: 'x/0', externalRef: null }),
    ],
    [
      'the count of a source is wrong',
      ['not linearizable', 'wrong total'],
      ({ books }) => first(books.sources).transactionCount++,
    ],
    ['the write log lacks a write', ['wrong total'], ({ books }) => books.writes.pop()],
    ["the write log's total is wrong", ['wrong total'], ({ books }) => first(books.writes).total++],
    ['201 although nothing was created', ['wrong response'], (it) => (it.write('c', ['r1']).outcome = 201)],
    [
      '/me names another account',
      ['wrong response'],
      (it) => Object.assign(it.me(), { response: { accountId: 'another' } }),
    ],
    ['a page lacks an entry', ['not linearizable'], (it) => it.page().response.transactions.pop()],
    ['daily_cap below the cap', ['not linearizable'], (it) => refused(it.write('c', []), 429, 'daily_cap')],
    [
      'a refused write is stored',
      ['failed request', 'not linearizable'],
      (it) => refused(it.write('c', [undefined]), 400, 'invalid_json'),
    ],
    ['a request is abandoned', [], (it) => it.me('key', 'abandoned')],
    ['no reason for invalid_key', ['failed request'], (it) => it.me('key', 401, 'invalid_key')],
    ['no reason for invalid_category', ['failed request'], (it) => it.me('key', 422, 'invalid_category')],
  ];
  test.each(cases)('%s', (_, rules, forge) => {
    const it = sound();
    forge(it);
    expect(it.rules).toEqual(rules);
  });
});

function refused(write: Write, outcome: number, code: string): void {
  Object.assign(write, { outcome, refused: code, response: undefined });
}

test.each<[string, Rule[], (rows: Row[]) => Row[], string | undefined]>([
  ['stored', [], (rows) => rows, undefined],
  ['absent', [], () => [], undefined],
  [
    'stored in part',
    ['half batch', 'not linearizable'],
    ([one, , last]) => [one as Row, last as Row],
    undefined,
  ],
  [
    'stored in part, and its rest only later',
    ['half batch'],
    ([one, , last]) => [one as Row, last as Row],
    'r2',
  ],
])('a batch without a response: %s', (_, rules, storedOf, later) => {
  const it = new ForgedCase();
  Object.assign(it.write('u', ['r1', 'r2', 'r3']), { outcome: 'broken', response: undefined });
  it.allowedFailures = [{ from: 0, to: 99, outcomes: ['broken'] }];
  const { books } = it;
  books.rows = storedOf(books.rows);
  const count = books.rows.length;
  books.writes = count === 0 ? [] : books.writes.map((write) => ({ ...write, created: count, total: count }));
  first(books.sources).transactionCount = count;
  if (later) it.write('later', [later]);
  expect(it.rules).toEqual(rules);
});

test('a batch is stored in two transactions', () => {
  const it = sound();
  first(it.books.rows).committed++;
  expect(it.rules).toEqual(['half batch', 'wrong total']);
});

describe('lost access:', () => {
  test.each([
    { what: 'key', keyId: 'key', code: 'invalid_key' },
    { what: 'source', sourceId: 'source', code: 'source_not_found' },
    { what: 'account', code: 'invalid_key' },
  ] as const)('a success without it, and a refusal with it: $what', (fields) => {
    const it = sound();
    const refuse = () => refused(it.write('refused', []), 401, fields.code);
    const loss = it.lose(fields);
    refuse();
    expect(it.rules).toEqual([]);
    const late = it.write('late', [undefined]);
    expect(it.rules).toEqual(['lost access']);
    // The call that removes it has failed: nobody knows when it took effect.
    loss.ended = NEVER;
    expect(it.rules).toEqual([]);
    Object.assign(loss, { ended: late.begun - 0.5 });
    it.restore(loss);
    late.ended = NEVER;
    expect(it.rules).toEqual([]);
    refuse();
    expect(it.rules).toEqual(['failed request']);
  });

  test('another key and another source are not affected', () => {
    const it = sound();
    it.lose({ what: 'key', keyId: 'another', code: 'invalid_key' });
    it.lose({ what: 'source', sourceId: 'another', code: 'source_not_found' });
    it.write('late', [undefined]);
    expect(it.rules).toEqual([]);
  });
});

test.each([500, 503, 'broken', 'unavailable', 'hung', 'pending'] as const)(
  'a failure must be allowed, for its time and its outcome: %p',
  (outcome) => {
    const it = sound();
    const { begun, ended } = it.me('key', outcome);
    const rulesWith = (from: number, to: number, outcomes: (typeof outcome)[]) => {
      it.allowedFailures = [{ from, to, outcomes }];
      return it.rules;
    };
    expect(rulesWith(begun - 2, ended, [outcome])).toEqual([]);
    expect(rulesWith(ended, ended + 1, [outcome])).toEqual(['failed request']);
    expect(rulesWith(begun - 2, ended, [])).toEqual(['failed request']);
  },
);

describe('limits:', () => {
  test.each([
    [-1, true],
    [0, false],
  ])('one entry over the cap, %p µs from 24 h later', (more, isOver) => {
    const it = new ForgedCase();
    for (let n = 0; n < 11; n++) it.write(`full ${n}`, Array(n === 10 ? 1 : 500).fill(undefined));
    const committed = (LIMITS.dayWindowMs / 1_000) * SECOND_US + more;
    Object.assign(it.books.writes.at(-1) ?? {}, { writtenAt: committed, committed });
    Object.assign(it.books.rows.at(-1) ?? {}, { committed });
    expect(it.rules.includes('over cap')).toBe(isOver);
  });

  test('more than 120 requests of one key within a minute, only while Redis was undisturbed', () => {
    const it = new ForgedCase();
    for (let n = 0; n < 120; n++) it.me();
    expect(it.rules).toEqual([]);
    const last = it.me();
    expect(it.rules).toEqual(['minute']);
    it.redisUndisturbed = false;
    expect(it.rules).toEqual([]);
    it.redisUndisturbed = true;
    Object.assign(last, { begun: 60_000, ended: 60_001 });
    expect(it.rules).toEqual([]);
  });

  test('rate_limited with fewer than 120 requests before it, allowing for a few that fetch has resent', () => {
    const it = new ForgedCase();
    for (let n = 0; n < 115; n++) it.me();
    const limited = it.me('key', 429, 'rate_limited');
    expect(it.rules).toEqual(['minute']);
    it.me().begun = limited.begun;
    expect(it.rules).toEqual([]);
  });
});
