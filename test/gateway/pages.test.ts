/** Reading a source page by page (docs/api/paging.md). */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { type ApiResponse, entry, TestAccount, type Transaction } from '../fixtures/client.ts';

setDefaultTimeout(60_000);

const refs = (list: Transaction[]) => list.map(({ externalRef }) => externalRef);
const on = (date: string, ...names: string[]) => names.map((externalRef) => entry({ date, externalRef }));

/** An account with `count` entries, three to a date; their refs in the order of the list. */
async function ledger(count: number) {
  const account = await TestAccount.create();
  const sent = Array.from({ length: count }, (_, index) =>
    entry({
      date: `2026-01-${String(1 + Math.floor(index / 3)).padStart(2, '0')}`,
      externalRef: `e${index}`,
    }),
  );
  expect((await account.post(sent)).status).toBe(201);
  return { account, order: sent.map((_, index) => `e${index}`).reverse() };
}

/** The paths of an invalid_query. */
function issuesOf({ status, body }: ApiResponse): string[] {
  expect([status, body.error?.code]).toEqual([422, 'invalid_query']);
  for (const { message } of body.error.issues) expect(message).toBeString();
  return body.error.issues.map(({ path }: { path: string }) => path);
}

const { account } = await ledger(60);
const path = `/api/v1/sources/${account.sources['uk-property']}/transactions`;

test('the newest date comes first, and within a date the newest created, later in a batch being newer', async () => {
  const account = await TestAccount.create();
  await account.post([...on('2026-03-02', 'a', 'b'), ...on('2026-03-01', 'c'), ...on('2026-03-02', 'd')]);
  await account.post([...on('2026-03-01', 'e'), ...on('9999-12-31', 'f'), ...on('0001-01-01', 'g')]);
  for (const name of ['h', 'i']) await account.post(on('2026-03-02', name));
  expect(refs(await account.entries())).toEqual(['f', 'i', 'h', 'd', 'b', 'a', 'e', 'c', 'g']);
  expect(refs(await account.entries(undefined, 1))).toEqual(['f', 'i', 'h', 'd', 'b', 'a', 'e', 'c', 'g']);
});

test('an entry has all seven fields in the order of the specification, null where nothing was sent', async () => {
  const account = await TestAccount.create();
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

test('a source without entries is one empty page', async () => {
  const { status, body } = await account.page({}, account.sources['self-employment']);
  expect([status, body]).toEqual([200, { transactions: [], nextCursor: null }]);
});

test('limit is 1 to 200', async () => {
  const { account, order } = await ledger(90);
  await account.post(on('2025-01-01', ...Array.from({ length: 120 }, (_, index) => `old${index}`)));
  const one = await account.page({ limit: 1 });
  expect(refs(one.body.transactions)).toEqual(order.slice(0, 1));
  const most = await account.page({ limit: 200 });
  expect(most.body.transactions).toHaveLength(200);
  expect(most.body.nextCursor).toBeString();
  const wrong = '0 201 -1 1.0 1.5 1e2 +5 0x10 ten ٥ 5,0 null'.split(' ');
  for (const limit of [...wrong, '', ' 5', '5 ', '9'.repeat(40)]) {
    expect([limit, ...issuesOf(await account.page({ limit }))]).toEqual([limit, '/limit']);
  }
});

test('a cursor of another source or other filters is refused', async () => {
  const query = { from: '2026-01-02', to: '2026-01-15', limit: 2 };
  const { nextCursor: cursor } = (await account.page(query)).body;
  expect((await account.page({ ...query, cursor })).status).toBe(200);
  const others = [
    { limit: 2 },
    { from: query.from, limit: 2 },
    { to: query.to, limit: 2 },
    { ...query, from: '2026-01-03' },
    { ...query, to: '2026-01-14' },
    { from: query.to, to: '2026-01-31', limit: 2 },
  ];
  for (const other of others) expect(issuesOf(await account.page({ ...other, cursor }))).toEqual(['/cursor']);
  for (const type of ['foreign-property', 'self-employment'] as const) {
    expect(issuesOf(await account.page({ ...query, cursor }, account.sources[type]))).toEqual(['/cursor']);
  }
  const unfiltered = (await account.page({ limit: 2 })).body.nextCursor;
  expect(issuesOf(await account.page({ ...query, cursor: unfiltered }))).toEqual(['/cursor']);
});

test('a cursor that is damaged in any one character is refused', async () => {
  const { nextCursor } = (await account.page({ limit: 2 })).body;
  expect(nextCursor.length).toBeGreaterThan(20);
  for (let at = 0; at < nextCursor.length; at++) {
    for (const character of [nextCursor[at] === 'A' ? 'B' : 'A', '~']) {
      const cursor = nextCursor.slice(0, at) + character + nextCursor.slice(at + 1);
      expect([at, ...issuesOf(await account.page({ cursor }))]).toEqual([at, '/cursor']);
    }
  }
});

test('a from or to that is not a calendar day is refused with its path', async () => {
  // The rule dates.refused of the conformance kit has more: the schema is that of the date of an entry.
  const days = ['', 'today', '2026-02-29', '0000-01-01', '2026-01-01T00:00:00Z', '2026-01-01\n', '\0'];
  for (const day of days) {
    expect([day, ...issuesOf(await account.page({ from: day }))]).toEqual([day, '/from']);
    expect([day, ...issuesOf(await account.page({ to: day }))]).toEqual([day, '/to']);
  }
  expect((await account.page({ from: '2024-02-29', to: '2028-02-29' })).status).toBe(200);
});

test('from after to is refused', async () => {
  expect(issuesOf(await account.page({ from: '2026-01-02', to: '2026-01-01' }))).toEqual(['/from']);
});

test('everything that is wrong with a query is listed at once', async () => {
  const response = await account.get(`${path}?from=x&to=y&limit=0&cursor=a&cursor=b`);
  expect(issuesOf(response).sort()).toEqual(['/cursor', '/from', '/limit', '/to']);
});

test('an id that is not a source of the account is source_not_found', async () => {
  for (const source of [Bun.randomUUIDv7(), 'x', (await TestAccount.create()).sources['uk-property']]) {
    const { status, body } = await account.page({}, source);
    expect([status, body.error.code]).toEqual([404, 'source_not_found']);
  }
});
