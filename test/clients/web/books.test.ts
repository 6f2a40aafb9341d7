/** What the Books tab of the import page does, without a browser. */
import { describe, expect, test } from 'bun:test';
import { categoryLabels } from '../../../clients/typescript/figures/naming.ts';
import { Ledger, type Source } from '../../../clients/typescript/index.ts';
import { createReader } from '../../../clients/web/books/books-reader.ts';
import { categoryTotals } from '../../../clients/web/books/category-totals.ts';
import { type BooksEntry, categoryText } from '../../../clients/web/books/labels.ts';
import { search } from '../../../clients/web/books/search-entries.ts';
import { dateText, localeFor } from '../../../clients/web/page/format.ts';
import { until } from '../../fixtures/until.ts';

const sourceOf = (fields: Partial<Source>): Source => ({
  ...{ id: 's', name: 'Mill Lane', type: 'uk-property', countryCode: null, role: 'owner', sharePercent: 100 },
  transactionCount: 3,
  ...fields,
});
const source = sourceOf({});
const labels = categoryLabels({
  'uk-property': {
    income: [{ key: 'other', label: 'other business income' }],
    expense: [{ key: 'other', label: 'other allowable expenses' }],
  },
  'self-employment': { income: [], expense: [{ key: 'other', label: 'other costs' }] },
});

let ids = 0;
const entry = (fields: Partial<BooksEntry> = {}): BooksEntry => ({
  id: `00000000-0000-4000-8000-${String(ids++).padStart(12, '0')}`,
  date: '2026-04-06',
  type: 'expense',
  amountPence: 1,
  category: 'other',
  description: null,
  externalRef: null,
  source,
  ...fields,
});

test('a category has the label of its type and of the type of its source; without one it is to be sorted in the app', () => {
  expect(categoryText(entry(), labels)).toBe('Other allowable expenses');
  expect(categoryText(entry({ type: 'income' }), labels)).toBe('Other business income');
  expect(categoryText(entry({ source: sourceOf({ type: 'self-employment' }) }), labels)).toBe('Other costs');
  expect(categoryText(entry({ category: null }), labels)).toBe('To be sorted in the app');
  expect(categoryText(entry({ category: 'of another day' }), labels)).toBe('of another day');
});

describe('search', () => {
  const entries = [
    entry({ description: 'Café near the flat', externalRef: 'A-1' }),
    entry({ description: 'Boiler', type: 'income' }),
    entry({ category: null, externalRef: 'A-2', source: sourceOf({ name: '12 Acacia Avenue' }) }),
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
    ['sorted app', [2]],
    ['acacia', [2]],
    ['.*', []],
  ])('for "%s" finds %p', (text, expected) => {
    expect(search(entries, text, labels)).toEqual(expected.map((index) => entries[index] as BooksEntry));
  });
});

test('categories: income first, the largest sum first, sums exact', () => {
  const amountPence = Number.MAX_SAFE_INTEGER;
  const totals = categoryTotals(
    [
      entry({ amountPence: 5 }),
      entry({ category: null, amountPence: 7 }),
      entry({ type: 'income', amountPence }),
      entry({ type: 'income', amountPence }),
      entry({ amountPence: 3, source: sourceOf({ type: 'self-employment' }) }),
    ],
    labels,
  );
  expect(totals).toEqual([
    { type: 'income', name: 'Other business income', count: 2, pence: 2n * BigInt(amountPence) },
    { type: 'expense', name: 'To be sorted in the app', count: 1, pence: 7n },
    { type: 'expense', name: 'Other allowable expenses', count: 1, pence: 5n },
    { type: 'expense', name: 'Other costs', count: 1, pence: 3n },
  ]);
});

test('dates are as the United Kingdom writes them, unless the browser has another English', () => {
  expect(['', undefined, 'en', 'de-DE', 'en-GB'].map(localeFor)).toEqual(Array(5).fill('en-GB'));
  expect(['en-US', 'en-IE'].map(localeFor)).toEqual(['en-US', 'en-IE']);
  expect(dateText('2026-04-06')).toBe('6 Apr 2026');
});

const SET = { income: [], expense: [] };
const SETS = { 'uk-property': SET, 'foreign-property': SET, 'self-employment': SET };

describe('reading', () => {
  const all = { sources: [source], from: undefined, to: undefined };

  /** A service with pages of entries by source; a page may be an error. */
  type Page = Partial<BooksEntry>[] | Response | (() => Promise<unknown>);
  function serviceOf(
    pages: Page[],
    { entriesMax = 100, others = {} as Record<string, Page[]>, sources = [source] } = {},
  ) {
    const requests: string[] = [];
    const fetch = async ({ url }: Request) => {
      const { pathname, searchParams } = new URL(url);
      requests.push(pathname + (searchParams.size > 0 ? `?${searchParams}` : ''));
      if (pathname.endsWith('/categories')) return Response.json(SETS);
      if (pathname.endsWith('/sources')) return Response.json({ sources });
      const own = others[pathname.split('/').at(-2) ?? ''] ?? pages;
      const at = Number(searchParams.get('cursor') ?? 0);
      const page = own[at];
      if (page instanceof Response) return page;
      if (typeof page === 'function') await page();
      const transactions = typeof page === 'function' ? [] : page?.map(({ source: _, ...each }) => each);
      return Response.json({ transactions, nextCursor: at + 1 < own.length ? String(at + 1) : null });
    };
    const ledger = new Ledger({ url: 'https://ledger.test', apiKey: 'key', fetch, retryTimeoutMs: 0 });
    return { requests, reader: createReader(ledger, entriesMax) };
  }
  const refusal = (status: number, code: string) =>
    Response.json({ error: { code, message: 'Refused.' } }, { status });

  test('goes through all pages, with the two dates', async () => {
    const { reader, requests } = serviceOf([[entry(), entry()], [entry()]]);
    await reader.read({ ...all, from: '2026-04-06', to: '2027-04-05' });
    expect(reader.state.value).toMatchObject({ status: 'read', expected: undefined, problem: undefined });
    expect(reader.state.value.entries).toHaveLength(3);
    expect(requests).toEqual([
      '/api/v1/sources',
      '/api/v1/categories',
      '/api/v1/sources/s/transactions?limit=200&from=2026-04-06&to=2027-04-05',
      '/api/v1/sources/s/transactions?limit=200&from=2026-04-06&to=2027-04-05&cursor=1',
    ]);
  });

  test('of several sources is one list, newest first, and no source without entries is read', async () => {
    const on = (date: string) => entry({ date });
    const [shop, empty] = [
      sourceOf({ id: 'shop', type: 'self-employment' }),
      sourceOf({ id: 'e', transactionCount: 0 }),
    ];
    const sources = [source, shop, empty];
    const { reader, requests } = serviceOf([[on('2026-04-09')], [on('2026-04-06')]], {
      sources,
      others: { shop: [[on('2026-05-01'), on('2026-04-08')], [on('2026-04-01')]] },
    });
    await reader.read({ ...all, sources });
    const { entries, status, expected } = reader.state.value;
    expect([status, expected]).toEqual(['read', 6]);
    expect(entries.map(({ date, source: { id } }) => `${id} ${date.slice(5)}`)).toEqual([
      'shop 05-01',
      's 04-09',
      'shop 04-08',
      's 04-06',
      'shop 04-01',
    ]);
    expect(requests.filter((request) => request.includes('/e/'))).toEqual([]);
  });

  test('ends at the bound of a tab, and says that there are more', async () => {
    const { reader, requests } = serviceOf([[entry()], [entry()], [entry()], [entry()]], { entriesMax: 2 });
    await reader.read(all);
    expect(reader.state.value).toMatchObject({ status: 'read', isComplete: false });
    expect(reader.state.value.entries).toHaveLength(2);
    expect(requests.some((request) => request.includes('cursor=3'))).toBe(false);
  });

  test.each([
    [401, 'invalid_key', /revoked.*Change key.*stays/],
    [403, 'upgrade_required', /plan has no API access.*Change key/],
    [404, 'source_not_found', /not in the account any more/],
    [500, 'server_error', /Try again.*stays/],
  ])('that ends with %d %s says what to do and keeps what was read', async (status, code, expected) => {
    const { reader } = serviceOf([[entry(), entry()], refusal(status, code)]);
    await reader.read(all);
    expect(reader.state.value).toMatchObject({ status: 'failed', isComplete: false, progress: 2 });
    expect(reader.state.value.problem).toMatch(expected);
    expect(reader.state.value.entries).toHaveLength(2);
  });

  test('again keeps the entries of the same query until there are newer ones', async () => {
    const pages: Parameters<typeof serviceOf>[0] = [[entry(), entry()]];
    const { reader } = serviceOf(pages);
    await reader.read(all);
    pages[0] = refusal(500, 'server_error');
    await reader.read(all);
    expect(reader.state.value).toMatchObject({ status: 'failed', isComplete: true, progress: 0 });
    expect(reader.state.value.entries).toHaveLength(2);
    await reader.read({ ...all, from: '2026-01-01' });
    expect(reader.state.value.entries).toEqual([]);
  });

  test('of another query makes an earlier one void', async () => {
    const late = Promise.withResolvers<void>();
    const { reader, requests } = serviceOf([[entry()], () => late.promise]);
    const first = reader.read(all);
    await until('the second page is requested', () => requests.length === 4);
    const second = reader.read({ ...all, to: '2020-01-01' });
    late.resolve();
    await Promise.all([first, second]);
    expect(reader.state.value).toMatchObject({ status: 'read', query: { to: '2020-01-01' } });
    expect(reader.state.value.entries).toHaveLength(1);
  });
});
