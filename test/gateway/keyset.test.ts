/** Where one page ends and the next begins: no entry twice, none left out (docs/api/paging.md). */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { encodeCursor } from '../../gateway/input/page-query.ts';
import { rowsOf } from '../fixtures/books.ts';
import { entry, TestAccount } from '../fixtures/client.ts';
import { expectError } from '../fixtures/expect-error.ts';

setDefaultTimeout(60_000);

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
const ids = (list: { id: string }[]) => list.map(({ id }) => id);

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
    for (let limit = 1; limit <= listed.length + 1; limit++) {
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
  const issues = [{ path: '/cursor', message: expect.any(String) }];
  for (const date of ['2026-02-30', '0000-01-01', 'yesterday!', 'infinity  ', '\0'.repeat(10)]) {
    const cursor = encodeCursor(scope, { date, id: Bun.randomUUIDv7() });
    expectError(await account.page({ cursor }, uk), 'invalid_query', { status: 422, fields: { issues } });
  }
});
