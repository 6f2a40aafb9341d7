/** Rules about reading and paging (docs/api/paging.md). */
import { type TestedAccount, transactions } from '../account.ts';
import type { Context } from '../context.ts';
import { expectError, expectSame, expectStatus, expectThat } from '../expect.ts';
import type { ConformanceRule } from '../rule.ts';

const PAGE = 'docs/api/paging.md#read-a-page';
const ALL = 'docs/api/paging.md#read-all-pages';

const names = (list: { externalRef?: string | null }[]) => list.map(({ externalRef }) => externalRef);

/**
 * Entries on each of three days, in one batch that mixes the days.
 * @returns the days, a period around them, and the references as they must be listed
 */
export async function threeDays(context: Context, each: number) {
  const [from = '', ...rest] = context.books.days(5);
  const to = rest.pop() ?? '';
  const days = rest as [string, string, string];
  const mixed = Array.from({ length: each }, () => days.map((date) => context.entry(date))).flat();
  await context.account.create(mixed);
  const newestFirst = mixed.toReversed();
  const order = days.toReversed().map((day) => names(newestFirst.filter(({ date }) => date === day)));
  const listed = async (query: Record<string, string | number>) => {
    const response = await context.account.page(query);
    expectStatus(response, 200);
    return { response, listed: names(response.body.transactions) };
  };
  return { days, period: { from, to }, order, all: order.flat(), listed };
}

/** Fails unless each of these queries is refused with an issue at this parameter. */
async function expectRefusedQueries(account: TestedAccount, name: string, values: string[]): Promise<void> {
  for (const value of values)
    expectError(await account.page({ [name]: value }), 422, 'invalid_query', [`/${name}`]);
}

export const pageRules: ConformanceRule[] = [
  {
    id: 'pages.order',
    page: 'docs/api/entries.md#order',
    sentence:
      'The newest date comes first, and within a date the newest created; later entries of a batch are newer.',
    async check(context) {
      const { days, period, order, listed } = await threeDays(context, 3);
      const [, middle] = days;
      const later = context.entry(middle);
      await context.account.create([later]);
      const expected = [...(order[0] ?? []), later.externalRef, ...(order[1] ?? []), ...(order[2] ?? [])];
      const { response, listed: got } = await listed(period);
      expectSame(response, got, expected, 'the references in their order');
    },
  },
  {
    id: 'pages.filters',
    page: PAGE,
    sentence: 'from and to are both inclusive.',
    async check(context) {
      const { days, order, listed } = await threeDays(context, 2);
      const [first, second, third] = days;
      const [newest = [], middle = [], oldest = []] = order;
      for (const [query, expected] of [
        [{ from: first, to: third }, [...newest, ...middle, ...oldest]],
        [{ from: second, to: third }, [...newest, ...middle]],
        [{ from: first, to: second }, [...middle, ...oldest]],
        [{ from: second, to: second }, middle],
      ] as const) {
        const { response, listed: got } = await listed(query);
        expectSame(response, got, expected, 'the references');
      }
    },
  },
  {
    id: 'pages.default-limit',
    page: PAGE,
    sentence: 'Without limit a page has 50 entries.',
    async check(context) {
      const { period, all, listed } = await threeDays(context, 18);
      const { response, listed: got } = await listed(period);
      expectSame(response, got, all.slice(0, 50), 'the references');
      expectThat(response, typeof response.body.nextCursor === 'string', 'a nextCursor');
    },
  },
  {
    id: 'pages.limit',
    page: PAGE,
    sentence: 'limit is 1 to 200.',
    async check(context) {
      const { period, all, listed } = await threeDays(context, 1);
      for (const limit of [1, 2, 200]) {
        const { response, listed: got } = await listed({ ...period, limit });
        expectSame(response, got, all.slice(0, limit), 'the references');
      }
      await expectRefusedQueries(context.account, 'limit', [
        '0',
        '201',
        '-1',
        '+5',
        ' 5',
        '1.0',
        '1e2',
        '0x10',
        '',
        'ten',
        '9'.repeat(40),
      ]);
    },
  },
  {
    id: 'pages.compressed',
    page: 'docs/api/requests.md#bodies',
    sentence: 'A client that accepts gzip gets the same page, and no other client gets it compressed.',
    async check(context) {
      const { account } = context;
      const day = context.day();
      const description = `${context.books.prefix} ${'a long text '.repeat(30)}`;
      await account.create(context.entries(day, 40, { description }));
      const path = `${transactions(account.source.id)}?${new URLSearchParams({ from: day, to: day })}`;
      const pageFor = async (accepted: string) => {
        const response = await account.request(path, { headers: { 'accept-encoding': accepted } });
        expectStatus(response, 200);
        return response;
      };
      const { body } = await pageFor('identity');
      for (const accepted of ['gzip', '*', 'identity', 'gzip;q=0', 'br;q=0, *;q=0']) {
        const response = await pageFor(accepted);
        expectSame(response, response.body, body, `the page for ${accepted}`);
        const isAccepted = accepted === 'gzip' || accepted === '*';
        expectThat(response, isAccepted || !response.headers.has('content-encoding'), 'a page as it is');
      }
    },
  },
  {
    id: 'pages.walk',
    page: ALL,
    sentence: 'With any limit, the pages have each entry once, in one order; the last has no nextCursor.',
    async check(context) {
      const { period, all } = await threeDays(context, 4);
      for (const limit of [1, 5, 6, 12]) {
        const { entries, last } = await context.account.list([period.from, period.to], { limit });
        expectSame(last, names(entries), all, `the references in pages of ${limit}`);
        expectSame(last, last.body.nextCursor, null, 'nextCursor of the last page');
      }
    },
  },
  {
    id: 'pages.invalid-dates',
    page: PAGE,
    sentence: 'A from or to that is no day is 422 invalid_query, and so is from after to.',
    async check(context) {
      const { account } = context;
      for (const name of ['from', 'to']) {
        await expectRefusedQueries(account, name, ['', 'today', '2026-02-29', '2026-01-01T00:00:00Z']);
      }
      expectError(await account.page({ from: '2026-01-02', to: '2026-01-01' }), 422, 'invalid_query', [
        '/from',
      ]);
    },
  },
  {
    id: 'pages.repeated-parameter',
    page: PAGE,
    sentence: 'A repeated parameter is 422 invalid_query, even with one value.',
    async check({ account }) {
      const path = transactions(account.source.id);
      for (const [name, value] of [
        ['from', '2026-01-01'],
        ['limit', '5'],
      ]) {
        const response = await account.get(`${path}?${name}=${value}&${name}=${value}`);
        expectError(response, 422, 'invalid_query', [`/${name}`]);
      }
    },
  },
  {
    id: 'pages.misspelt-parameter',
    page: 'docs/api/errors.md#issues',
    sentence: 'A misspelt filter is refused, and the message names the nearest parameter.',
    async check({ account }) {
      const response = await account.page({ form: '2026-01-01' });
      expectError(response, 422, 'invalid_query', ['/form']);
      expectThat(
        response,
        response.body.error.issues[0].message.includes('from'),
        'a message that names from',
      );
    },
  },
  {
    id: 'pages.unknown-source',
    page: 'docs/api/error-codes.md#source_not_found',
    sentence: 'The entries of an id that is no source of the account are 404 source_not_found.',
    async check({ account }) {
      for (const source of [crypto.randomUUID(), 'x']) {
        expectError(await account.page({}, source), 404, 'source_not_found');
      }
    },
  },
  {
    id: 'cursors.stable',
    page: ALL,
    sentence:
      'Entries that are created meanwhile do not shift the pages: each that existed is listed exactly once.',
    async check(context) {
      const { account } = context;
      const { days, period, all } = await threeDays(context, 3);
      const [from, middle, to] = days;
      const seen: unknown[] = [];
      let cursor: string | null | undefined;
      do {
        const page = await account.page({ ...period, limit: 4, ...(cursor && { cursor }) });
        expectStatus(page, 200);
        seen.push(...names(page.body.transactions));
        cursor = page.body.nextCursor;
        await account.create(
          [to, middle, ...(seen.length < 8 ? [from] : [])].map((date) => context.entry(date)),
        );
        expectSame(page, new Set(seen).size, seen.length, 'the number of different references so far');
      } while (cursor && seen.length < 50);
      const { last } = await account.list([period.from, period.to]);
      const before = seen.filter((name) => all.includes(name as string));
      expectSame(last, before, all, 'the references that existed before');
    },
  },
  {
    id: 'cursors.again',
    page: ALL,
    sentence: 'The same cursor reads the same page again, and limit may change.',
    async check(context) {
      const { period, all, listed } = await threeDays(context, 2);
      const cursor = (await listed({ ...period, limit: 2 })).response.body.nextCursor;
      for (const limit of [2, 2, 3]) {
        const { response, listed: got } = await listed({ ...period, limit, cursor });
        expectSame(response, got, all.slice(2, 2 + limit), 'the references');
      }
    },
  },
  {
    id: 'cursors.other-request',
    page: ALL,
    sentence: 'With another source, from or to a cursor is 422 invalid_query.',
    async check(context) {
      const { account } = context;
      const { days, listed } = await threeDays(context, 1);
      const [from, middle, to] = days;
      const cursor = (await listed({ from, to, limit: 1 })).response.body.nextCursor;
      const others: Record<string, string>[] = [
        { from },
        { to },
        {},
        { from: middle, to },
        { from, to: middle },
      ];
      for (const query of others) {
        const response = await account.page({ ...query, limit: 1, cursor });
        expectError(response, 422, 'invalid_query', ['/cursor']);
      }
      const another = account.listed.find((id) => id !== account.source.id);
      if (another === undefined) return;
      expectError(await account.page({ from, to, cursor }, another), 422, 'invalid_query', ['/cursor']);
    },
  },
  {
    id: 'cursors.damaged',
    page: ALL,
    sentence: 'A cursor that no page gave is 422 invalid_query.',
    async check(context) {
      const { period, listed } = await threeDays(context, 1);
      const cursor: string = (await listed({ ...period, limit: 1 })).response.body.nextCursor;
      const at = Math.floor(cursor.length / 2);
      const changed = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
      for (const value of ['', 'null', cursor.slice(1), `${cursor}A`, changed]) {
        const response = await context.account.page({ ...period, cursor: value });
        expectError(response, 422, 'invalid_query', ['/cursor']);
      }
    },
  },
];
