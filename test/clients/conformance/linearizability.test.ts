/** The checker accepts what a correct ledger can have responded, and finds each kind of forged response. */
import { describe, expect, test } from 'bun:test';
import type {
  CreateResult,
  History,
  Page,
  Request,
  SentEntry,
  Sources,
  Transaction,
  Write,
} from '../../../clients/conformance/history.ts';
import { checkLinearizability, type Verdict } from '../../../clients/conformance/linearizability.ts';

const SOURCE = 'source';

interface Times {
  begun: number;
  ended: number;
}

const at = (begun: number, ended = begun + 1): Times => ({ begun, ended });

const sent = (name: string, ref?: string): SentEntry => ({
  date: '2026-04-06',
  type: 'income',
  amountPence: 100,
  description: name,
  ...(ref !== undefined && { externalRef: ref }),
});

const stored = (id: string, entry: SentEntry): Transaction => ({
  id,
  category: null,
  description: null,
  externalRef: null,
  ...entry,
});

const created = (...transactions: Transaction[]): CreateResult => ({
  created: transactions.length,
  deduplicated: 0,
  transactions: transactions.map(({ id, externalRef }) => ({ id, externalRef })),
  existing: [],
});

const known = (...transactions: Transaction[]): CreateResult => ({
  created: 0,
  deduplicated: transactions.length,
  transactions: [],
  existing: transactions.map(({ id, externalRef }) => ({ id, externalRef })),
});

function post(name: string, times: Times, entries: SentEntry[], rest: Partial<Write> = {}): Write {
  return { kind: 'write', accountId: 'a', name, ...times, sourceId: SOURCE, entries, ...rest };
}

function get(name: string, times: Times, transactions: Transaction[], rest: Partial<Page> = {}): Page {
  const response = { transactions, nextCursor: null };
  return { kind: 'page', accountId: 'a', name, ...times, sourceId: SOURCE, limit: 200, response, ...rest };
}

function count(name: string, times: Times, transactionCount: number): Sources {
  const response = { sources: [{ id: SOURCE, transactionCount }] };
  return { kind: 'sources', accountId: 'a', name, ...times, response };
}

/** A write that has created entries of these names, without references. */
const batch = (name: string, times: Times, names: string[]) =>
  post(
    name,
    times,
    names.map((each) => sent(each)),
    { response: created(...names.map((each) => stored(`id-${each}`, sent(each)))) },
  );

const check = (...requests: Request[]): Verdict => checkLinearizability({ requests }, { cap: 5 });

function expectRefused(verdict: Verdict, ...words: string[]): void {
  expect(verdict.verdict).toBe('not linearizable');
  for (const word of words) expect('text' in verdict ? verdict.text : '').toContain(word);
}

const [x, y] = [stored('id-1', sent('x', 'x')), stored('id-2', sent('y', 'y'))] as const;
const postX = post('POST x', at(0), [sent('x', 'x')], { response: created(x) });
const postY = post('POST y', at(2), [sent('y', 'y')], { response: created(y) });

describe('accepted:', () => {
  const lost = (times: Times) => post('lost', times, [sent('y', 'y')]);
  const cases: [string, Request[]][] = [
    [
      'writes and reads one after the other',
      [postX, postY, get('GET', at(4), [y, x]), count('count', at(6), 2)],
    ],
    [
      'a page that overlaps a write, with and without it',
      [postX, get('GET 1', at(0.5), [x]), get('GET 2', at(0.2, 3), [])],
    ],
    ['a write without a response that never took effect', [postX, lost(at(2)), get('GET', at(9), [x])]],
    [
      'a write without a response that took effect at once',
      [postX, lost(at(2)), get('GET', at(2.5), [y, x])],
    ],
    [
      'a write without a response that took effect late',
      [postX, lost(at(2)), get('GET 1', at(8), [x]), get('GET 2', at(10), [y, x])],
    ],
    [
      'a repeated write after a lost response',
      [post('lost', at(0), [sent('x', 'x')]), post('again', at(2), [sent('x', 'x')], { response: known(x) })],
    ],
    [
      'an Idempotency-Key that has one response however often',
      [0, 2, 4].map((begun) =>
        post('keyed', at(begun), [sent('x')], {
          idempotencyKey: 'k',
          response: created(stored('id-1', sent('x'))),
        }),
      ),
    ],
    [
      'a refusal at the cap',
      [
        batch('full', at(0), ['a', 'b', 'c', 'd']),
        post('refused', at(2), [sent('e'), sent('f')], { refused: 'daily_cap' }),
      ],
    ],
    [
      'a count that the batch which ended first was not in, and one that it was in',
      [
        batch('small', at(0, 3), ['x', 'y']),
        batch('large', at(0, 9), ['a', 'b', 'c']),
        count('count', at(0, 9), 3),
        count('count at the end', at(20), 5),
      ],
    ],
    [
      'any other refusal',
      [post('refused', at(0), [sent('x')], { refused: 'invalid_key' }), get('GET', at(2), [])],
    ],
  ];
  test.each(cases)('%s', (_, requests) => {
    expect(check(...requests)).toMatchObject({ verdict: 'linearizable' });
  });
});

describe('found:', () => {
  test('an entry that one page shows and a later page of the same range lacks', () => {
    const lost = post('POST y', at(0), [sent('y', 'y')]);
    expectRefused(check(lost, get('GET 1', at(2), [y]), get('GET 2', at(4), [])), 'GET 2 lacks', '"y"');
  });

  test('an entry that one response reports as known and a later page lacks', () => {
    const lost = post('lost', at(0), [sent('y', 'y')]);
    const again = post('again', at(2), [sent('y', 'y')], { response: known(y) });
    expectRefused(check(lost, again, get('GET', at(4), [])), 'GET lacks', '"y"');
  });

  test('a page with an entry before its POST was called', () => {
    expectRefused(check(get('GET', at(0), [y]), postY), 'GET names', 'POST y began only after');
  });

  test('two POSTs that both created one reference', () => {
    const again = post('POST again', at(2), [sent('x', 'x')], {
      response: created(stored('id-9', sent('x', 'x'))),
    });
    expectRefused(check(postX, again), '"x" has two entries', 'id-1', 'id-9');
    expectRefused(check(postX, { ...postX, ...at(2), name: 'POST again' }), 'Two requests have created id-1');
  });

  test('a reference that is reported as known and was never stored', () => {
    const again = post('again', at(2), [sent('y', 'y')], { response: known(y) });
    expectRefused(check(postX, again), 'No request can have created the entry with the reference "y"');
  });

  test('a batch of which a page shows a part', () => {
    const batch = [sent('x', 'x'), sent('y', 'y')];
    for (const rest of [{ response: created(x, y) }, {}]) {
      const verdict = check(
        post('batch', at(0, 9), batch, rest),
        get('GET 1', at(2), [x]),
        get('GET 2', at(4), [y, x]),
      );
      expectRefused(verdict, 'GET 1 lacks', 'GET 1 names');
    }
    expectRefused(check(post('batch', at(0, 9), batch), get('GET', at(2), [x])), 'GET lacks', 'GET names');
  });

  test('an Idempotency-Key that created twice', () => {
    const keyed = (begun: number, id: string) =>
      post('keyed', at(begun), [sent('x')], {
        idempotencyKey: 'k',
        response: created(stored(id, sent('x'))),
      });
    expectRefused(check(keyed(0, 'id-1'), keyed(2, 'id-2')), 'The Idempotency-Key k has two responses');
    const { response: _, ...lost } = keyed(2, '');
    const page = get('GET', at(4), [stored('id-2', sent('x')), stored('id-1', sent('x'))]);
    for (const first of [keyed(0, 'id-1'), { ...lost, ...at(0) }]) {
      expectRefused(check(first, lost, page), 'No request can have created the entry');
    }
  });

  test('an Idempotency-Key that stood for two requests', () => {
    const keyed = (begun: number, entry: Transaction, of: SentEntry) =>
      post('keyed', at(begun), [of], { idempotencyKey: 'k', response: created(entry) });
    expectRefused(check(keyed(0, x, sent('x', 'x')), keyed(2, y, sent('y', 'y'))), 'stood for two requests');
  });

  test('a count that goes backwards, one that ignores a write, and one that no order gives', () => {
    expectRefused(check(postX, postY, count('count', at(4), 1)), 'count counts 1');
    const lost = post('lost', at(0), [sent('y', 'y')]);
    expectRefused(check(lost, count('count 1', at(2), 1), count('count 2', at(4), 0)), 'count 2 counts 0');
    expectRefused(check(postX, count('count', at(2), 2)), 'There were 1 to 1');
    const batch = post('batch', at(0, 9), [sent('x', 'x'), sent('y', 'y')], { response: created(x, y) });
    expectRefused(check(batch, count('count', at(2), 1)), 'count counts 1');
  });

  test("a day's count beyond the cap, and a refusal below it", () => {
    const names = ['a', 'b', 'c', 'd'];
    const four = batch('four', at(0), names);
    const two = [sent('x', 'x'), sent('y', 'y')];
    expectRefused(
      check(four, post('two', at(2), two, { response: created(x, y) })),
      '6 were created in the day',
    );
    expectRefused(
      check(post('two', at(2), two, { refused: 'daily_cap' }), { ...four, ...at(4) }),
      'after at most 0',
    );
    const isKnown = post('known', at(2), two, { refused: 'daily_cap' });
    const verdict = check(postX, batch('three', at(0), ['a', 'b', 'c']), isKnown);
    expectRefused(verdict, '1 new entries after at most 4');
  });

  test('an entry that is not as it was sent, or of another source', () => {
    expectRefused(check(postX, get('GET', at(2), [{ ...x, amountPence: 99 }])), 'otherwise than it was sent');
    expectRefused(check(postX, get('GET', at(2), [x], { sourceId: 'other' })), 'otherwise than it was sent');
  });

  test('a page that contradicts its query', () => {
    const contradicts = (rest: Partial<Page>) => check(postX, postY, get('GET', at(4), [y, x], rest));
    expectRefused(contradicts({ limit: 1 }), 'more than 1');
    expectRefused(contradicts({ from: '2026-04-07' }), 'outside of its dates');
    expectRefused(contradicts({ after: { date: '2026-04-06', id: 'id-2' } }), 'out of order');
    expectRefused(check(postX, postY, get('GET', at(4), [x, y])), 'out of order');
    expectRefused(
      contradicts({ response: { transactions: [], nextCursor: 'next' } }),
      'empty, and there are more',
    );
  });

  test('a response that contradicts its request', () => {
    for (const response of [created(x, y), { ...created(x), created: 2 }, created(y), created()]) {
      expectRefused(check({ ...postX, response }), 'contradicts its request');
    }
    const twice = post('twice', at(0), [sent('x', 'x'), sent('x', 'x')], { response: created(x, x) });
    expectRefused(check(twice), 'an id is created twice');
  });
});

test('accounts are checked each by itself, and the report names the requests and others at the same time', () => {
  const other = { ...get('GET of another', at(4), []), accountId: 'b' };
  const verdict = check(postX, postY, get('GET', at(4), [x]), count('count', at(2.5), 1), other);
  expectRefused(
    verdict,
    '  2.0 to 3.0 ms  POST y: 1 created, 0 deduplicated',
    'At the same time:',
    'count: 1',
  );
  expect(verdict).toMatchObject({ accountId: 'a', text: expect.not.stringContaining('GET of another') });
});

test('entries that were stored before the first request are in the counts', () => {
  const history: History = { requests: [postX, count('count', at(2), 8)], storedBefore: { [SOURCE]: 7 } };
  expect(checkLinearizability(history).verdict).toBe('linearizable');
  expectRefused(checkLinearizability({ ...history, storedBefore: { [SOURCE]: 8 } }), 'counts 8');
});

test('two lost writes with one equal entry are undecided, unless something else decides', () => {
  const lost = [0, 0.1].map((begun) => post(`lost ${begun}`, at(begun), [sent('x')]));
  const page = get('GET', at(2), [stored('id-1', sent('x'))]);
  expect(check(...lost, page).verdict).toBe('linearizable');
  expect(check(...lost, page, get('GET later', at(4), []))).toMatchObject({
    verdict: 'undecided',
    text: expect.stringContaining('equal entry'),
  });
});

test('the search gives up after a stated number of states', () => {
  const requests = ['a', 'b', 'c', 'd'].map((ref, index) =>
    post(ref, at(index / 10), [sent(ref, ref)], { response: created(stored(`id-${ref}`, sent(ref, ref))) }),
  );
  expect(checkLinearizability({ requests }, { statesMax: 3 })).toEqual({
    verdict: 'undecided',
    states: 3,
    text: 'No order was found in 3 states.',
  });
});
