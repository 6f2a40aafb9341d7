/** What the Books tab of the import page does, without a browser. */
import { describe, expect, test } from 'bun:test';
import { readStatement } from '../../../clients/typescript/import/index.ts';
import { Ledger, type Source, type Transaction } from '../../../clients/typescript/index.ts';
import { categoryTotals } from '../../../clients/web/books/category-totals.ts';
import { exported } from '../../../clients/web/books/export.ts';
import { categoryText, labelsOf } from '../../../clients/web/books/labels.ts';
import { createReader } from '../../../clients/web/books/reading.ts';
import { search } from '../../../clients/web/books/search.ts';

const labels = labelsOf({
  income: [{ key: 'other', label: 'other business income' }],
  expense: [{ key: 'other', label: 'other allowable expenses' }],
});

let ids = 0;
const entry = (fields: Partial<Transaction> = {}): Transaction => ({
  id: `00000000-0000-4000-8000-${String(ids++).padStart(12, '0')}`,
  date: '2026-04-06',
  type: 'expense',
  amountPence: 1,
  category: 'other',
  description: null,
  externalRef: null,
  ...fields,
});

test('a category has the label of its type; without one the entry is in the review queue', () => {
  expect(categoryText(entry(), labels)).toBe('Other allowable expenses');
  expect(categoryText(entry({ type: 'income' }), labels)).toBe('Other business income');
  expect(categoryText(entry({ category: null }), labels)).toBe('In the review queue');
  expect(categoryText(entry({ category: 'of another day' }), labels)).toBe('of another day');
});

describe('search', () => {
  const entries = [
    entry({ description: 'Café near the flat', externalRef: 'A-1' }),
    entry({ description: 'Boiler', type: 'income' }),
    entry({ category: null, externalRef: 'A-2' }),
  ];
  test.each([
    ['', [0, 1, 2]],
    ['  ', [0, 1, 2]],
    ['BOILER', [1]],
    ['cafe', [0]],
    ['flat café', [0]],
    ['flat boiler', []],
    ['a-', [0, 2]],
    ['other', [0, 1]],
    ['business', [1]],
    ['review queue', [2]],
    ['.*', []],
  ])('for "%s" finds %p', (text, expected) => {
    expect(search(entries, text, labels)).toEqual(expected.map((index) => entries[index] as Transaction));
  });
});

test('categories: income first, the largest sum first, sums exact', () => {
  const amountPence = Number.MAX_SAFE_INTEGER;
  const totals = categoryTotals([
    entry({ amountPence: 5 }),
    entry({ category: null, amountPence: 7 }),
    entry({ type: 'income', amountPence }),
    entry({ type: 'income', amountPence }),
  ]);
  expect(totals).toEqual([
    { type: 'income', category: 'other', count: 2, pence: 2n * BigInt(amountPence) },
    { type: 'expense', category: null, count: 1, pence: 7n },
    { type: 'expense', category: 'other', count: 1, pence: 5n },
  ]);
});

describe('a file of entries', () => {
  const entries = [
    entry({ type: 'income', amountPence: 123_456, description: '=HYPERLINK("https://evil.example")' }),
    entry({ description: 'two\nlines, "quoted"', externalRef: '+44 1', category: null }),
    entry({ description: "'-it", externalRef: '@x' }),
    entry({ amountPence: Number.MAX_SAFE_INTEGER, description: '<img onerror=alert(1)> & co ]]>' }),
    entry({ description: ' spaces, \t and 😀 _x0041_ \u0001\uffff &amp; \r\n' }),
  ];

  test.each(['csv', 'xlsx'] as const)('as %s is read back as it was, and has no formula', async (format) => {
    const content = exported(entries, format);
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    const { entries: read, invalid } = await readStatement(bytes);
    expect(invalid).toEqual([]);
    expect(read.map(({ id }) => id)).toEqual(entries.map(({ id }) => id));
    for (const [index, { entry: each, isReferenceDerived }] of read.entries()) {
      const { date, type, amountPence, category, description, externalRef } = entries[index] as Transaction;
      expect(each).toMatchObject({ date, type, amountPence, ...(description !== null && { description }) });
      expect(each.category ?? null).toBe(category);
      expect(isReferenceDerived ? null : each.externalRef).toBe(externalRef);
    }
    if (typeof content === 'string') expect(content).not.toMatch(/(^|,)"?[=+\-@]/m);
  });
});

describe('reading', () => {
  const source = { id: 's', name: 'Flat', type: 'uk-property', transactionCount: 3 } as Source;
  const all = { source, from: undefined, to: undefined };

  /** A service with pages of entries; a page may be an error. */
  function serviceOf(pages: (Transaction[] | Response | (() => Promise<unknown>))[]) {
    const requests: string[] = [];
    const fetch = async ({ url }: Request) => {
      const { pathname, searchParams } = new URL(url);
      requests.push(pathname + (searchParams.size > 0 ? `?${searchParams}` : ''));
      if (pathname.endsWith('/categories')) return Response.json({ income: [], expense: [] });
      if (pathname.endsWith('/sources')) return Response.json({ sources: [source] });
      const at = Number(searchParams.get('cursor') ?? 0);
      const page = pages[at];
      if (page instanceof Response) return page;
      if (typeof page === 'function') await page();
      const transactions = typeof page === 'function' ? [] : page;
      return Response.json({ transactions, nextCursor: at + 1 < pages.length ? String(at + 1) : null });
    };
    const ledger = new Ledger({ url: 'http://ledger.test', apiKey: 'key', fetch, retryTimeoutMs: 0 });
    return { requests, reader: createReader(ledger) };
  }
  const refusal = (status: number, code: string) =>
    Response.json({ error: { code, message: 'Refused.' } }, { status });

  test('goes through all pages, with the two dates', async () => {
    const { reader, requests } = serviceOf([[entry(), entry()], [entry()]]);
    await reader.read({ source, from: '2026-04-06', to: '2027-04-05' });
    expect(reader.store.get()).toMatchObject({ status: 'read', expected: undefined, problem: undefined });
    expect(reader.store.get().entries).toHaveLength(3);
    expect(requests).toEqual([
      '/api/v1/categories?sourceType=uk-property',
      '/api/v1/sources/s/transactions?limit=200&from=2026-04-06&to=2027-04-05',
      '/api/v1/sources/s/transactions?limit=200&from=2026-04-06&to=2027-04-05&cursor=1',
    ]);
  });

  test('without dates knows how many entries to expect', async () => {
    const { reader } = serviceOf([[entry()]]);
    await reader.read(all);
    expect(reader.store.get().expected).toBe(3);
  });

  test.each([
    [401, 'invalid_key', /revoked.*Change key.*stays/],
    [403, 'upgrade_required', /plan has no API access.*Change key/],
    [404, 'source_not_found', /not in the account any more/],
    [500, 'server_error', /Try again.*stays/],
  ])('that ends with %d %s says what to do and keeps what was read', async (status, code, expected) => {
    const { reader } = serviceOf([[entry(), entry()], refusal(status, code)]);
    await reader.read(all);
    expect(reader.store.get()).toMatchObject({ status: 'failed', isComplete: false, progress: 2 });
    expect(reader.store.get().problem).toMatch(expected);
    expect(reader.store.get().entries).toHaveLength(2);
  });

  test('again keeps the entries of the same query until there are newer ones', async () => {
    const pages: Parameters<typeof serviceOf>[0] = [[entry(), entry()]];
    const { reader } = serviceOf(pages);
    await reader.read(all);
    pages[0] = refusal(500, 'server_error');
    await reader.read(all);
    expect(reader.store.get()).toMatchObject({ status: 'failed', isComplete: true, progress: 0 });
    expect(reader.store.get().entries).toHaveLength(2);
    await reader.read({ ...all, from: '2026-01-01' });
    expect(reader.store.get().entries).toEqual([]);
  });

  test('is cancelled: what was read stays, and a late page changes nothing', async () => {
    const late = Promise.withResolvers<void>();
    const { reader, requests } = serviceOf([[entry(), entry()], () => late.promise]);
    const reading = reader.read(all);
    while (requests.length < 4) await Bun.sleep(1);
    reader.cancel();
    expect(reader.store.get().status).toBe('cancelled');
    late.resolve();
    await reading;
    expect(reader.store.get().status).toBe('cancelled');
    expect(reader.store.get().entries).toHaveLength(2);
  });

  test('of another query makes an earlier one void', async () => {
    const late = Promise.withResolvers<void>();
    const { reader, requests } = serviceOf([[entry()], () => late.promise]);
    const first = reader.read(all);
    while (requests.length < 4) await Bun.sleep(1);
    const second = reader.read({ ...all, to: '2020-01-01' });
    late.resolve();
    await Promise.all([first, second]);
    expect(reader.store.get()).toMatchObject({ status: 'read', query: { to: '2020-01-01' } });
    expect(reader.store.get().entries).toHaveLength(1);
  });
});
