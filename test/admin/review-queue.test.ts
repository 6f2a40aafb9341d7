/** The review queue: listing entries without a category, and setting one. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { status } from '@grpc/grpc-js';
import { CATEGORIES, ENTRY_TYPES, SOURCE_TYPES } from '../../proto/domain.ts';
import { expectCountsToEqualRows, rowsOf } from '../fixtures/books.ts';
import { entry, type Json, TestAccount } from '../fixtures/client.ts';
import { writesOf } from '../fixtures/day.ts';
import { readPages } from '../fixtures/paging.ts';
import { admin, sql } from '../fixtures/system.ts';
import { json, run } from './command-line.ts';

setDefaultTimeout(60_000);

/** The whole queue, read page by page. */
async function queueOf(accountId: string, limit = 3, sourceId?: string) {
  const read = (after?: string) =>
    admin.listUncategorised({
      accountId,
      limit,
      ...(after !== undefined && { after }),
      ...(sourceId !== undefined && { sourceId }),
    });
  const pages = await readPages(read, ({ next }) => next);
  for (const { entries } of pages.slice(0, -1)) expect(entries).toHaveLength(limit);
  // Only an empty list has an empty page.
  const last = pages.at(-1)?.entries.length;
  expect(last).toBeWithin(pages.length > 1 ? 1 : 0, limit + 1);
  return pages.flatMap(({ entries }) => entries);
}

async function statusOf(call: Promise<unknown>): Promise<[string | undefined, string]> {
  return call.then(
    (response) => ['OK', JSON.stringify(response)],
    (error) => [status[error.code], error.details],
  );
}

/** An account with nine entries per source on four days; every third entry has a category. */
async function accountWithQueue() {
  const account = await TestAccount.create();
  for (const type of SOURCE_TYPES) {
    const entries = Array.from({ length: 9 }, (_, n) =>
      entry({
        date: `2026-04-0${1 + (n % 4)}`,
        externalRef: `${type}-${n}`,
        ...(n % 3 === 0 && { category: CATEGORIES[type].income[0].key }),
      }),
    );
    expect((await account.post(entries, { source: account.sources[type] })).status).toBe(201);
  }
  return account;
}

test('the queue has exactly the entries without a category, newest first over all sources, for every page size', async () => {
  const account = await accountWithQueue();
  const uncategorised = (await rowsOf(account.accountId))
    .filter(({ category }) => category === null)
    .sort((a, b) => (`${a.date}${a.id}` < `${b.date}${b.id}` ? 1 : -1));
  expect(uncategorised).toHaveLength(18);
  for (const limit of [1, 3, 6, 18, 200]) {
    expect((await queueOf(account.accountId, limit)).map(({ id }) => id)).toEqual(
      uncategorised.map(({ id }) => id),
    );
  }
  const source = account.sources['foreign-property'];
  const ofSource = await queueOf(account.accountId, 2, source);
  expect(ofSource.map(({ id, sourceId }) => [id, sourceId])).toEqual(
    uncategorised.filter(({ sourceId }) => sourceId === source).map(({ id }) => [id, source]),
  );
});

test('entries of a removed source are not in the queue and cannot be categorised', async () => {
  const account = await accountWithQueue();
  const sourceId = account.sources['uk-property'];
  const [first] = await queueOf(account.accountId, 200, sourceId);
  await admin.removeSource({ id: sourceId });
  const left = await queueOf(account.accountId);
  expect(left).toHaveLength(12);
  expect(left.filter((each) => each.sourceId === sourceId)).toEqual([]);
  const call = admin.categorise({ accountId: account.accountId, ...first, category: 'periodAmount' });
  expect((await statusOf(call))[0]).toBe('NOT_FOUND');
});

test('a category removes the entry from the queue and is shown over HTTP; no other data changes', async () => {
  const account = await accountWithQueue();
  const { accountId, sources } = account;
  const before = [await rowsOf(accountId), await writesOf(accountId), await account.entries()] as const;
  const [first] = await queueOf(accountId, 200, sources['uk-property']);
  if (!first) throw new Error('the queue has an entry');

  const done = await admin.categorise({ accountId, ...first, category: 'taxDeducted' });
  expect(done).toMatchObject({ ...first, category: 'taxDeducted' });
  const changed = <Row extends { id: string }>(rows: Row[]) =>
    rows.map((row) => (row.id === first.id ? { ...row, category: 'taxDeducted' } : row));
  expect(await rowsOf(accountId)).toEqual(changed([...before[0]]));
  expect(await writesOf(accountId)).toEqual(before[1]);
  expect(await account.entries()).toEqual(changed(before[2]));
  expect((await queueOf(accountId)).map(({ id }) => id)).not.toContain(first.id);
  await expectCountsToEqualRows(account);

  // The reference still deduplicates.
  const again = await account.post(entry({ date: first.date, externalRef: first.externalRef }));
  const { id, externalRef } = first;
  expect([again.status, again.body.existing]).toEqual([200, [{ id, externalRef }]]);
  expect(again.body.conflicts).toEqual([{ index: 0, externalRef, id, fields: ['category'] }]);
});

test('a category is valid under the same rule as in POST: for the type of the source and the type of the entry', async () => {
  for (const sourceType of SOURCE_TYPES) {
    for (const type of ENTRY_TYPES) {
      const account = await TestAccount.create();
      const { accountId, sources } = account;
      await account.post(entry({ type }), { source: sources[sourceType] });
      const [uncategorised] = await queueOf(accountId);
      const valid = CATEGORIES[sourceType][type].map(({ key }): string => key);
      const other = CATEGORIES[sourceType][type === 'income' ? 'expense' : 'income'].at(-1)?.key ?? '';
      for (const category of [other, '', 'PERIODAMOUNT', "'"]) {
        const [code, details] = await statusOf(admin.categorise({ accountId, ...uncategorised, category }));
        expect([sourceType, type, category, code]).toEqual([sourceType, type, category, 'INVALID_ARGUMENT']);
        expect(details).toContain(valid.join(', '));
      }
      expect((await rowsOf(accountId))[0]?.category).toBeNull();
      // It can be corrected, and set to its present value.
      for (const category of [...valid, ...valid.slice(-1)]) {
        expect((await admin.categorise({ accountId, ...uncategorised, category })).category).toBe(category);
      }
    }
  }
});

test('an entry is found only by its own account, source, date and id', async () => {
  const [account, other] = [await accountWithQueue(), await accountWithQueue()];
  const { accountId, sources } = account;
  const [first] = await queueOf(accountId, 200, sources['uk-property']);
  const elsewhere = [
    { accountId: other.accountId },
    { sourceId: sources['self-employment'] },
    { date: '2020-01-01' },
    { id: Bun.randomUUIDv7() },
  ];
  for (const wrong of elsewhere) {
    const call = admin.categorise({ accountId, ...first, category: 'taxDeducted', ...wrong });
    expect([wrong, (await statusOf(call))[0]]).toEqual([wrong, 'NOT_FOUND']);
  }
  for (const wrong of [{ accountId: 'x' }, { sourceId: '' }, { date: '2026-02-30' }, { id: 'x' }]) {
    const call = admin.categorise({ accountId, ...first, category: 'taxDeducted', ...wrong });
    expect([wrong, (await statusOf(call))[0]]).toEqual([wrong, 'INVALID_ARGUMENT']);
  }
  expect(await queueOf(accountId)).toHaveLength(18);
});

test('a page has 1 to 200 entries of an existing account and source', async () => {
  const { accountId, sources } = await TestAccount.create();
  const cases: [object, string][] = [
    [{ limit: 0 }, 'INVALID_ARGUMENT'],
    [{ limit: 201 }, 'INVALID_ARGUMENT'],
    [{ after: '2026-04-06_x' }, 'INVALID_ARGUMENT'],
    [{ after: `2026-02-30_${accountId}` }, 'INVALID_ARGUMENT'],
    [{ accountId: Bun.randomUUIDv7() }, 'NOT_FOUND'],
    [{ sourceId: Bun.randomUUIDv7() }, 'NOT_FOUND'],
    [{ sourceId: (await TestAccount.create()).sources['uk-property'] }, 'NOT_FOUND'],
    [{ sourceId: sources['uk-property'], limit: 200 }, 'OK'],
  ];
  for (const [fields, code] of cases) {
    const call = admin.listUncategorised({ accountId, limit: 50, ...fields });
    expect([fields, (await statusOf(call))[0]]).toEqual([fields, code]);
  }
});

test('the command line lists the queue page by page, with the ids that "categorise" needs', async () => {
  const { accountId } = await accountWithQueue();
  const list = ['entry', 'uncategorised', '--account', accountId];
  const first = await json(...list, '--limit', '10');
  const second = await json(...list, '--limit', '10', '--after', first.next);
  expect([first.rows.length, second.rows.length, second.next]).toEqual([10, 8, undefined]);
  const ids = [...first.rows, ...second.rows].map(({ id }: Json) => id);
  expect(ids).toEqual((await queueOf(accountId)).map(({ id }) => id));

  const { id, date, sourceId } = first.rows.find(({ externalRef }: Json) => externalRef.startsWith('self'));
  const entryIds = ['--account', accountId, '--source', sourceId, '--date', date, '--id', id];
  const categorised = await json('entry', 'categorise', ...entryIds, '--category', 'turnover');
  expect(categorised).toMatchObject({ id, sourceId, date, category: 'turnover' });
  const rows =
    await sql`select category from ledger.entry where account_id = ${accountId} and entry_id = ${id}`;
  expect([...rows]).toEqual([{ category: 'turnover' }]);

  const shown = await run([...list, '--source', sourceId, '--limit', '2']);
  expect([shown.exitCode, shown.err]).toEqual([0, '']);
  expect(shown.out.trimEnd().split('\n')).toHaveLength(4);
  expect(shown.out).toMatch(/\nnext: --after \S+\n$/);
});
