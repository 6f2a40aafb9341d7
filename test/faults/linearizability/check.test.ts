/** The checker accepts what a correct ledger can have responded, and finds each kind of forged response. */
import { expect, test } from 'bun:test';
import { checkLinearizability, type Verdict } from './check.ts';
import type { CreateResult, Page, Request, SentEntry, Sources, Transaction, Write } from './requests.ts';

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

const check = (...requests: Request[]): Verdict => checkLinearizability(requests, { cap: 5 });

function expectRefused(verdict: Verdict, ...words: string[]): void {
  expect(verdict.verdict).toBe('not linearizable');
  for (const word of words) expect('text' in verdict ? verdict.text : '').toContain(word);
}

const [x, y] = [stored('id-1', sent('x', 'x')), stored('id-2', sent('y', 'y'))] as const;
const postX = post('POST x', at(0), [sent('x', 'x')], { response: created(x) });
const postY = post('POST y', at(2), [sent('y', 'y')], { response: created(y) });
const both = [sent('x', 'x'), sent('y', 'y')];
const lost = (times: Times) => post('lost', times, [sent('y', 'y')]);
const knownY = post('again', at(2), [sent('y', 'y')], { response: known(y) });
const keyed = (begun: number, id: string, of = sent('x')) =>
  post('keyed', at(begun), [of], { idempotencyKey: 'k', response: created(stored(id, of)) });
const { response: _, ...lostKeyed } = keyed(2, '');
const pageOfTwo = get('GET', at(4), [stored('id-2', sent('x')), stored('id-1', sent('x'))]);
const four = batch('four', at(0), ['a', 'b', 'c', 'd']);

test.each<[string, Request[]]>([
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
    'a write without a response that took effect late',
    [postX, lost(at(2)), get('GET 1', at(8), [x]), get('GET 2', at(10), [y, x])],
  ],
  ['a repeated write after a lost response', [lost(at(0)), knownY]],
  ['an Idempotency-Key that has one response', [keyed(0, 'id-1'), keyed(2, 'id-1'), keyed(4, 'id-1')]],
  ['a refusal at the cap', [four, post('refused', at(2), both, { refused: 'daily_cap' })]],
  [
    'a count that the batch which ended first was not in, and one that it was in',
    [
      batch('small', at(0, 3), ['x', 'y']),
      batch('large', at(0, 9), ['a', 'b', 'c']),
      count('count', at(0, 9), 3),
      count('count at the end', at(20), 5),
    ],
  ],
])('accepted: %s', (_, requests) => {
  expect(check(...requests)).toMatchObject({ verdict: 'linearizable' });
});

test.each<[string, Request[], ...string[]]>([
  [
    'an entry that one page shows and a later page lacks',
    [lost(at(0)), get('GET 1', at(2), [y]), get('GET 2', at(4), [])],
    ...['GET 2 lacks', '"y"'],
  ],
  [
    'an entry on a page before its POST was called',
    [get('GET', at(0), [y]), postY],
    'POST y began only after',
  ],
  [
    'two POSTs that both created one reference',
    [postX, { ...postX, ...at(2), response: created({ ...x, id: 'id-9' }) }],
    '"x" has two entries',
  ],
  ['a reference that is known and was never stored', [postX, knownY], 'No request can have created'],
  [
    'a batch of which a page shows a part',
    [post('batch', at(0, 9), both), get('GET 1', at(2), [x]), get('GET 2', at(4), [y, x])],
    ...['GET 1 lacks', 'GET 1 names'],
  ],
  ['an Idempotency-Key with two responses', [keyed(0, 'id-1'), keyed(2, 'id-2')], 'k has two responses'],
  [
    'an Idempotency-Key without a response that created twice',
    [{ ...lostKeyed, ...at(0) }, lostKeyed, pageOfTwo],
    'No request can have created the entry',
  ],
  [
    'an Idempotency-Key that named two requests',
    [keyed(0, 'id-1', sent('x', 'x')), keyed(2, 'id-2', sent('y', 'y'))],
    'named two requests',
  ],
  ['a count that ignores a write', [postX, postY, count('count', at(4), 1)], 'count counts 1'],
  [
    'a count that goes backwards',
    [lost(at(0)), count('count 1', at(2), 1), count('count 2', at(4), 0)],
    'count 2 counts 0',
  ],
  ['a count that no order gives', [postX, count('count', at(2), 2)], 'There were 1 to 1'],
  [
    "a day's count beyond the cap",
    [four, post('two', at(2), both, { response: created(x, y) })],
    '6 were created in the day',
  ],
  [
    'a refusal below the cap',
    [post('two', at(2), both, { refused: 'daily_cap' }), { ...four, ...at(4) }],
    'after at most 0',
  ],
  [
    'an entry that is not as it was sent',
    [postX, get('GET', at(2), [{ ...x, amountPence: 99 }])],
    'otherwise than it was sent',
  ],
  ['a page out of order', [postX, postY, get('GET', at(4), [x, y])], 'out of order'],
  ...[created(x, y), { ...created(x), created: 2 }, created(y), created()].map(
    (response): [string, Request[], string] => [
      'a response that contradicts its request',
      [{ ...postX, response }],
      'contradicts its request',
    ],
  ),
])('found: %s', (_, requests, ...words) => expectRefused(check(...requests), ...words));

test('the report names the requests and others at the same time', () => {
  const verdict = check(postX, postY, get('GET', at(4), [x]), count('count', at(2.5), 1));
  const texts = ['  2.0 to 3.0 ms  POST y: 1 created, 0 deduplicated', 'At the same time:', 'count: 1'];
  expectRefused(verdict, ...texts);
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
  expect(checkLinearizability(requests, { cap: 5, statesMax: 3 })).toEqual({
    verdict: 'undecided',
    text: 'No order was found in 3 states.',
  });
});
