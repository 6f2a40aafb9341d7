/** Reading a source page by page (docs/api/paging.md): what clients/conformance/rules/pages.ts does not say. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { encodeCursor } from '../../gateway/input/page-query.ts';
import { rowsOf } from '../fixtures/books.ts';
import { type ApiResponse, entry, TestAccount } from '../fixtures/client.ts';
import { failure } from '../fixtures/endpoints.ts';

setDefaultTimeout(60_000);

const ids = (list: { id: string }[]) => list.map(({ id }) => id);

/** The paths of an invalid_query. */
function issuesOf(response: ApiResponse): string[] {
  expect(failure(response)).toEqual([422, 'invalid_query']);
  return response.body.error.issues.map(({ path }: { path: string }) => path);
}

const account = await TestAccount.create();
const uk = account.sources['uk-property'];

// Many entries of one date, and dates of one entry. Ids ascend in the order of creation, and dates do not.
const CREATED: [date: string, entries: number][] = [
  ['2026-03-02', 4],
  ['2026-03-03', 1],
  ['2026-03-01', 5],
  ['2026-03-02', 3],
  ['0001-01-01', 2],
  ['9999-12-31', 2],
  ['2026-03-04', 1],
  ['2026-03-02', 2],
];
for (const [date, entries] of CREATED) {
  expect((await account.post(Array.from({ length: entries }, () => entry({ date })))).status).toBe(201);
}

test.each([
  {},
  { from: '2026-03-02' },
  { to: '2026-03-02' },
  { from: '2026-03-01', to: '2026-03-03' },
  { from: '2026-03-02', to: '2026-03-02' },
  { from: '0001-01-01', to: '9999-12-31' },
])(
  'the pages neither repeat an entry nor leave one out, within a date and where one ends: %j',
  async (range: { from?: string; to?: string }) => {
    const { from = '0001-01-01', to = '9999-12-31' } = range;
    const listed = (await rowsOf(account.accountId)).filter(({ date }) => date >= from && date <= to);
    expect(listed.length).toBeGreaterThan(8);
    for (const limit of [1, 2, 3, 7, listed.length - 1, listed.length, listed.length + 1]) {
      const pages = await account.pages({ ...range, limit }, uk);
      expect([limit, pages.flatMap(({ transactions }) => ids(transactions))]).toEqual([limit, ids(listed)]);
      expect([limit, pages.length]).toEqual([limit, Math.ceil(listed.length / limit)]);
    }
  },
);

test('a cursor continues in the same source, however its id is written', async () => {
  const [first, second] = await account.pages({ limit: 10 }, uk);
  const cursor = first?.nextCursor ?? '';
  const { body } = await account.page({ limit: 10, cursor }, uk.toUpperCase());
  expect(body).toEqual(second);
});

// Its digest is no secret.
test('a forged cursor with no calendar day is refused', async () => {
  const scope = { sourceId: uk, from: undefined, to: undefined };
  for (const date of ['2026-02-30', '0000-01-01', 'yesterday!', 'infinity  ', '\0'.repeat(10)]) {
    const cursor = encodeCursor(scope, { date, id: Bun.randomUUIDv7() });
    expect([date, ...issuesOf(await account.page({ cursor }, uk))]).toEqual([date, '/cursor']);
  }
});

test('an entry has all seven fields in the order of the specification, null where nothing was sent', async () => {
  const account = await TestAccount.create();
  const empty = await account.page();
  expect([empty.status, empty.body]).toEqual([200, { transactions: [], nextCursor: null }]);
  const { body: created } = await account.post(entry());
  const { body } = await account.page();
  const [{ id }] = created.transactions;
  const expected = { category: null, amountPence: 45_000, description: null, externalRef: null };
  expect(body).toEqual({
    transactions: [{ id, date: '2026-04-06', type: 'income', ...expected }],
    nextCursor: null,
  });
  const fields = ['id', 'date', 'type', 'category', 'amountPence', 'description', 'externalRef'];
  expect(Object.keys(body.transactions[0])).toEqual(fields);
});

test('a cursor that is damaged in any one character is refused', async () => {
  const { nextCursor } = (await account.page({ limit: 2 })).body;
  expect(nextCursor.length).toBeGreaterThan(20);
  for (let at = 0; at < nextCursor.length; at++) {
    const character = nextCursor[at] === 'A' ? 'B' : 'A';
    const cursor = nextCursor.slice(0, at) + character + nextCursor.slice(at + 1);
    expect([at, ...issuesOf(await account.page({ cursor }))]).toEqual([at, '/cursor']);
  }
});

test('issues has each parameter that fails, beside any other', async () => {
  const failing: Record<string, string> = {
    from: 'from=2026-02-30',
    to: 'to=2026-04-06&to=2026-04-07',
    cursor: 'cursor=',
    limit: 'limit=0',
    colour: 'colour=red',
    'a/b': 'a%2Fb=1',
  };
  const path = (name: string) => `/${name.replace('/', '~1')}`;
  const names = Object.keys(failing);
  for (let chosen = 1; chosen < 2 ** names.length; chosen++) {
    const some = names.filter((_, n) => chosen & (1 << n));
    const query = some.map((name) => failing[name]).join('&');
    const paths = issuesOf(await account.get(`/api/v1/sources/${uk}/transactions?${query}`));
    expect(paths.sort()).toEqual(some.map(path).sort());
  }
});

test('a from or to that is not a calendar day is refused with its path', async () => {
  // The rule dates.refused of the conformance kit has more: the schema is that of the date of an entry.
  for (const day of ['0000-01-01', '2026-01-01\n', '\0']) {
    expect([day, ...issuesOf(await account.page({ from: day }))]).toEqual([day, '/from']);
    expect([day, ...issuesOf(await account.page({ to: day }))]).toEqual([day, '/to']);
  }
  expect((await account.page({ from: '2024-02-29', to: '2028-02-29' })).status).toBe(200);
});
