/** The audit finds each forged error under its rule, and passes what is sound. */
import { expect, test } from 'bun:test';
import { LIMITS } from '../../../proto/domain.ts';
import type { Row } from '../books.ts';
import { newHistory, type Request, type Write } from '../history.ts';
import { audit, type Evidence, type Violation } from './audit.ts';

const NEVER = Number.POSITIVE_INFINITY;

/** A batch, another one that repeats one of its entries, and a read, with consistent books. Each request ends at once. */
function sound() {
  const history = newHistory();
  const rows: Row[] = [];
  const books: Evidence['books'] = { rows, writes: [], sources: [] };
  const source = { id: 'source', accountId: 'account', transactionCount: 0 };
  books.sources.push(source);
  let now = 0;
  const call = (fields: object, outcome: Request['outcome'] = 200) => {
    const names = { accountId: 'account', keyId: 'key', name: 'call', gateway: 'gateway 0' };
    const request = { ...names, begun: now++, ended: now++, outcome, ...fields } as Request;
    history.requests.push(request);
    return request;
  };
  const me = (outcome?: Request['outcome'], refused?: string) =>
    call({ kind: 'me', response: { accountId: 'account' }, refused }, outcome);
  const write = (name: string, refs: string[]) => {
    const committed = now;
    const entries = refs.map((externalRef, n) => ({
      ...{ date: '2026-04-06', type: 'income' as const, amountPence: n + 1 },
      ...{ description: `${name}/${n}`, externalRef },
    }));
    const known = rows.filter(({ externalRef }) => refs.includes(externalRef ?? ''));
    const created = entries
      .filter(({ externalRef }) => known.every((row) => row.externalRef !== externalRef))
      .map((entry) => ({
        ...{ id: `id of ${entry.description}`, accountId: 'account', sourceId: 'source', category: null },
        ...{ ...entry, committed },
      }));
    rows.push(...created);
    source.transactionCount = rows.length;
    const log = { accountId: 'account', writtenAt: committed, created: created.length, committed };
    books.writes.push({ ...log, total: rows.length });
    const counts = { created: created.length, deduplicated: known.length };
    const response = { ...counts, transactions: created, existing: known };
    const operation = { sourceId: 'source', sourceType: 'uk-property', single: false, invalid: false };
    return call({ kind: 'write', name, entries, ...operation, response }, 201) as Write;
  };
  const evidence: Evidence = { history, books, allowedFailures: [], redisUndisturbed: true };
  write('a', ['r1', 'r2']);
  write('b', ['r2', 'r3', 'r4']);
  const transactions = rows.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const response = { transactions, nextCursor: null };
  call({ kind: 'page', sourceId: 'source', limit: 200, response });
  return { ...evidence, source, transactions, write, me };
}

type Sound = ReturnType<typeof sound>;
const refuse = (request: Request, outcome: number, refused: string) =>
  Object.assign(request, { outcome, refused, response: undefined });
const first = <Item>(items: Item[]) => items[0] as Item;

/** Access is lost before the write, as far as anybody knows. */
function lose({ history, write }: Sound, ended: number): Write {
  const times = { begun: 50, ended, restoring: NEVER, restored: NEVER };
  const lost = { what: 'key', accountId: 'account', keyId: 'key', code: 'invalid_key' } as const;
  history.accessLosses.push({ ...lost, ...times });
  return Object.assign(write('late', ['r5']), { begun: 100, ended: 101 });
}

/** Which histories are of one ledger, test/faults/linearizability/check.test.ts says. */
test.each<[string, Violation['rule'][], (it: Sound) => unknown]>([
  ['nothing', [], () => {}],
  ['a stored amount differs', ['not linearizable'], ({ books }) => first(books.rows).amountPence++],
  ['the count of a source is wrong', ['not linearizable'], ({ source }) => source.transactionCount++],
  ['daily_cap below the cap', ['not linearizable'], ({ write }) => refuse(write('c', []), 429, 'daily_cap')],
  ['the write log lacks a write', ['wrong total'], ({ books }) => books.writes.pop()],
  ["the write log's total is wrong", ['wrong total'], ({ books }) => first(books.writes).total++],
  [
    'two transactions of a batch',
    ['half batch', 'wrong total'],
    ({ books }) => first(books.rows).committed--,
  ],
  ['201 although nothing was created', ['wrong response'], ({ write }) => write('c', ['r1'])],
  ['another account', ['wrong response'], ({ me }) => Object.assign(me(), { response: { accountId: 'b' } })],
  ['no reason for invalid_key', ['failed request'], ({ me }) => me(401, 'invalid_key')],
  [
    'a failure that a fault of another time allows',
    ['failed request'],
    ({ me, allowedFailures }) => [me(503), allowedFailures.push({ from: 90, to: 99, outcomes: [503] })],
  ],
  ['a success without access', ['lost access'], (it) => lose(it, 60)],
  ['nobody knows when access was lost', [], (it) => lose(it, NEVER)],
  [
    '121 requests in a minute',
    ['minute'],
    ({ me }) => Array.from({ length: LIMITS.requestsPerMinute }, () => me()),
  ],
  ['rate_limited with few requests', ['minute'], ({ me }) => me(429, 'rate_limited')],
])('into sound evidence is forged: %s', (_, rules, forge) => {
  const it = sound();
  forge(it);
  expect([...new Set(audit(it).map(({ rule }) => rule))].sort()).toEqual(rules);
});
