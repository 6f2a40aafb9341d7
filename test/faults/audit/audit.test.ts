/** The audit finds each forged error, and passes what a correct ledger can have responded. */
import { expect, test } from 'bun:test';
import { LIMITS } from '../../../proto/domain.ts';
import type { Transaction } from '../../fixtures/client.ts';
import type { Row } from '../books.ts';
import { newHistory, type Page, type Request, type Sources, type Write } from '../history.ts';
import { audit, type Evidence } from './audit.ts';

const NEVER = Number.POSITIVE_INFINITY;
const NAMES = { accountId: 'account', keyId: 'key', gateway: 'gateway 0' };

/** Requests one after the other, and the books that they leave. */
class Sound implements Evidence {
  readonly history = newHistory();
  readonly rows: Row[] = [];
  readonly source = { id: 'source', accountId: 'account', transactionCount: 0 };
  readonly books: Evidence['books'] = { rows: this.rows, writes: [], sources: [this.source] };
  readonly allowedFailures: Evidence['allowedFailures'] = [];
  #now = 0;

  constructor() {
    this.write('a', ['r1', 'r2']);
  }

  #call<Called extends Request>(fields: object, outcome: Request['outcome'] = 200): Called {
    const request = { ...NAMES, begun: this.#now++, ended: this.#now++, ...fields, outcome } as Called;
    this.history.requests.push(request);
    return request;
  }

  me = (outcome?: Request['outcome'], refused?: string) =>
    this.#call({ kind: 'me', name: 'me', response: { accountId: 'account' }, refused }, outcome);

  /** A write of an entry for each reference; '' is none. */
  write(name: string, refs: string[], idempotencyKey?: string): Write {
    const entries = refs.map((ref, n) => ({
      date: '2026-04-06',
      type: 'income' as const,
      amountPence: n + 1,
      description: `${name}/${n}`,
      ...(ref && { externalRef: ref }),
    }));
    const existing = this.rows.filter(({ externalRef }) => refs.includes(externalRef ?? ''));
    const created = entries
      .filter(({ externalRef }) => existing.every((row) => row.externalRef !== externalRef))
      .map((entry) => ({
        id: `id ${entry.description}`,
        accountId: 'account',
        sourceId: 'source',
        category: null,
        externalRef: null,
        ...entry,
        transaction: name,
      }));
    this.rows.push(...created);
    this.source.transactionCount = this.rows.length;
    const log = { accountId: 'account', writeId: `id ${name}/0`, created: created.length };
    if (created.length > 0) this.books.writes.push({ ...log, total: this.rows.length });
    const counts = { created: created.length, deduplicated: existing.length };
    const operation = { sourceId: 'source', sourceType: 'uk-property', single: false, invalid: false };
    return this.#call(
      {
        kind: 'write',
        name,
        entries,
        ...operation,
        ...(idempotencyKey && { idempotencyKey }),
        response: { ...counts, transactions: created, existing },
      },
      created.length > 0 ? 201 : 200,
    );
  }

  /** The same body again, which gets the same response. */
  again(write: Write, fields: Partial<Write> = {}): Write {
    return this.#call({ ...write, begun: this.#now++, ended: this.#now++, ...fields }, write.outcome);
  }

  page(show = (all: Transaction[]) => all, query: Partial<Page> = {}): Page {
    const all = this.rows
      .map(({ accountId: _, sourceId: __, transaction: ___, ...row }) => row)
      .sort((a, b) => (a.id < b.id ? 1 : -1));
    const response = { transactions: show(all), nextCursor: query.limit ? 'more' : null };
    return this.#call({ kind: 'page', name: 'page', sourceId: 'source', limit: 200, response, ...query });
  }

  count(transactionCount = this.rows.length): Sources {
    const response = { sources: [{ id: 'source', transactionCount }] };
    return this.#call({ kind: 'sources', name: 'sources', response });
  }

  /** The response of the write does not arrive; a fault allows that. */
  lose(write: Write): Write {
    this.allowedFailures.push({ from: 0, to: 1e9, outcomes: [503] });
    return Object.assign(write, { outcome: 503, response: undefined });
  }

  /** All entries of the last write, or these last ones, are not stored. */
  undo(write: Write, fields: Partial<Write> = {}, count = write.entries.length): Write {
    const kept = this.rows.filter(
      ({ description }) => !write.entries.slice(-count).some((each) => each.description === description),
    );
    const log = this.books.writes.pop();
    if (log && count < write.entries.length)
      this.books.writes.push({ ...log, created: 1, total: kept.length });
    this.rows.splice(0, Number.POSITIVE_INFINITY, ...kept);
    this.source.transactionCount = kept.length;
    return Object.assign(write, fields);
  }

  respond = (write: Write, fields: Partial<Write['response']>) =>
    Object.assign(write, { response: { ...write.response, ...fields } });
}

const REFUSED = { outcome: 429, refused: 'daily_cap', response: undefined } as const;
const full = (it: Sound, free = 0) => it.write('full', Array(LIMITS.entriesPerDay - 2 - free).fill(''));
const first = <Item>(items: readonly Item[]) => items[0] as Item;
const last = <Item>(items: readonly Item[]) => items.at(-1) as Item;
const revoke = (it: Sound, ended: number) =>
  it.history.accessLosses.push({
    what: 'key',
    accountId: 'account',
    keyId: 'key',
    code: 'invalid_key',
    begun: 0,
    ended,
    restoring: NEVER,
    restored: NEVER,
  });
/** As if the request had taken so long. */
const at = (request: Request, begun: number, ended = request.ended) =>
  Object.assign(request, { begun, ended });

test.each<[string, (it: Sound) => unknown]>([
  ['writes and reads', (it) => [it.write('b', ['r2', 'r3', '']), it.page(), it.count()]],
  [
    'a page without a write that has not ended',
    (it) => [it.page()].map(({ begun }) => at(it.write('b', ['y']), begun - 0.5)),
  ],
  [
    'a page without a write that ends during it',
    (it) =>
      [it.write('b', ['y'])].map(({ begun }) =>
        at(
          it.page((all) => all.slice(1)),
          begun + 0.5,
        ),
      ),
  ],
  ['a page with a write that has not ended', (it) => at(it.page(), it.write('b', ['y']).begun + 0.5)],
  ['a write without a response and effect', (it) => [it.undo(it.lose(it.write('b', ['y']))), it.page()]],
  ['a write without a response that took effect late', (it) => at(it.lose(it.write('b', ['y'])), 0)],
  ['a repetition after a lost response', (it) => [it.lose(it.write('b', ['y'])), it.write('b', ['y'])]],
  ['repetitions with an Idempotency-Key', (it) => it.lose(it.again(it.again(it.write('b', [''], 'k'))))],
  ['a refusal at the cap', (it) => [full(it, 1), it.undo(it.write('b', ['r1', 'y', 'z']), REFUSED)]],
  ['a success while nobody knows when access was lost', (it) => [revoke(it, NEVER), it.write('b', ['y'])]],
  ['a page with a cursor', (it) => [it.write('b', ['y']), it.page((all) => all.slice(0, 2), { limit: 2 })]],
])('accepted: %s', (_, forge) => {
  const it = new Sound();
  forge(it);
  expect(audit(it)).toEqual([]);
});

test.each<[string, string, (it: Sound) => unknown]>([
  ['a stored amount differs', 'not as it was sent', ({ rows }) => first(rows).amountPence++],
  ['the count of a source is wrong', 'the count of source', ({ source }) => source.transactionCount++],
  ['the write log lacks a write', 'number of rows', ({ books }) => books.writes.shift()],
  ["the write log's total is wrong", 'the total', ({ books }) => first(books.writes).total++],
  ['two transactions of a batch', 'in parts', ({ rows }) => Object.assign(first(rows), { transaction: '' })],
  ['half a batch', 'in parts', (it) => it.undo(it.lose(it.write('b', ['y', 'z'])), {}, 1)],
  ['a lost entry', 'is not stored', (it) => it.undo(it.write('b', ['y']), {})],
  [
    'a reference is stored twice',
    'number of references',
    ({ rows }) => Object.assign(last(rows), first(rows)),
  ],
  [
    'an entry that nobody sent',
    'not as it was sent',
    ({ rows }) => Object.assign(last(rows), { description: '' }),
  ],
  ['a refused write is stored', 'was refused', (it) => Object.assign(it.write('b', ['y']), REFUSED)],
  ['two writes that both created', 'twice', (it) => it.again(it.write('b', ['y']))],
  ['a write of another account created', 'of another', (it) => it.again(it.write('b', ['y']), { name: 'c' })],
  ['more than the cap', 'more than a day', (it) => full(it, -1)],
  ['a refusal below the cap', 'below the cap', (it) => it.undo(it.write('b', ['r1', 'y']), REFUSED)],
  ['a page before its entries were sent', 'ignores', (it) => at(it.page(), -2, -1)],
  ['a later page without the entries', 'ignores', (it) => it.page(() => [])],
  ['a page with a part of a batch', 'shows write 1', (it) => it.page((all) => all.slice(1))],
  ['a page with another amount', 'otherwise', (it) => it.page(([e]) => [{ ...e, amountPence: 9 } as Row])],
  ['a page out of order', 'out of order', (it) => it.page((all) => all.toReversed())],
  ['a page beyond its limit', 'the limit', (it) => it.page((all) => all, { limit: 1 })],
  ['a cursor of the last page', 'has a cursor', (it) => it.page((all) => all, { limit: 2 })],
  ['a count that ignores a write', 'ignores', (it) => it.count(0)],
  ['a count that no moment has', 'shows write 1', (it) => it.count(1)],
  ['a count beyond the entries', 'it counts 3', (it) => it.count(3)],
  ['known before it was created', 'ignores', (it) => at(it.write('b', ['r1']), -2, -1)],
  [
    'an Idempotency-Key with two responses',
    'rows of write',
    (it) => [1, 2].map(() => it.write('b', [''], 'k')),
  ],
  ['other counts', 'its counts', (it) => it.respond(it.write('b', ['y']), { created: 2 })],
  [
    'other references',
    'its references',
    (it) => it.respond(it.write('b', ['y']), { created: 0, transactions: [] }),
  ],
  [
    '201 without a new entry',
    'wrong response',
    (it) => Object.assign(it.write('b', ['r1']), { outcome: 201 }),
  ],
  ['another account', 'wrong response', (it) => Object.assign(it.me(), { response: { accountId: 'b' } })],
  ['no reason for invalid_key', 'failed request', (it) => it.me(401, 'invalid_key')],
  ['rate_limited', 'failed request', (it) => it.me(429, 'rate_limited')],
  [
    'a failure after its fault',
    'failed request',
    (it) => [it.lose(it.write('b', [])), at(it.me(503), 2e9, 2e9)],
  ],
  ['a success without access', 'lost access', (it) => [revoke(it, 10), at(it.me(), 11, 12)]],
])('found: %s', (_, text, forge) => {
  const it = new Sound();
  forge(it);
  const found = audit(it).map(({ rule, text }) => `${rule}: ${text}`);
  expect(found.join('\n')).toContain(text);
});
