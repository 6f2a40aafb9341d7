/** Rules about what a POST creates (docs/api/entries.md, docs/api/categories.md). */
import type { TestedAccount } from '../account.ts';
import type { Context } from '../context.ts';
import type { Json } from '../exchange.ts';
import { expectCounts, expectError, expectSame, expectSameSet, expectStatus } from '../expect.ts';
import type { ConformanceRule } from '../rule.ts';

const BATCH = 'docs/api/entries.md#create-a-batch';
const CATEGORIES = 'docs/api/categories.md#wrong-keys';

/** The category keys that the account's source accepts for a type of entry, and other keys. */
async function keysOf(
  account: TestedAccount,
  kind: 'income' | 'expense',
): Promise<{ keys: string[]; others: string[] }> {
  const response = await account.get('/api/v1/categories');
  expectStatus(response, 200);
  const keysIn = (set: Json): string[] => set.map(({ key }: Json) => key);
  const keys = keysIn(response.body[account.source.type][kind]);
  const all = Object.values<Json>(response.body).flatMap((set) => [
    ...keysIn(set.income),
    ...keysIn(set.expense),
  ]);
  return { keys, others: [...new Set(all)].filter((key) => !keys.includes(key)) };
}

/** Fails unless nothing is stored on this day. */
export async function expectNothingOn({ account }: Pick<Context, 'account'>, date: string): Promise<void> {
  const { entries, last } = await account.list([date]);
  expectSame(last, entries.length, 0, 'the number of stored entries');
}

export const entryRules: ConformanceRule[] = [
  {
    id: 'entries.object',
    page: BATCH,
    sentence: 'One entry can be sent as an object, and it is stored as it was sent.',
    async check(context) {
      const sent = context.entry(context.day(), { type: 'expense' });
      const response = await context.account.post(sent);
      expectCounts(response, 1, 0);
      const [{ id, externalRef }] = response.body.transactions;
      expectSame(response, externalRef, sent.externalRef, 'the reference of the created entry');
      const { entries, last } = await context.account.list([sent.date]);
      expectSame(last, entries, [{ ...sent, id, category: null }], 'the stored entries');
    },
  },
  {
    id: 'entries.array',
    page: BATCH,
    sentence: 'Entries of an array are created together, and listed in the response in the order sent.',
    async check(context) {
      const sent = context.entries(context.day(), 5).reverse();
      const response = await context.account.post(sent);
      expectCounts(response, 5, 0);
      const references = response.body.transactions.map(({ externalRef }: Json) => externalRef);
      expectSame(
        response,
        references,
        sent.map(({ externalRef }) => externalRef),
        'the references',
      );
      const { entries, last } = await context.account.list([`${sent[0]?.date}`]);
      const stored = entries.map(({ id, externalRef }) => ({ id, externalRef }));
      expectSameSet(last, stored, response.body.transactions, 'the stored entries');
    },
  },
  {
    id: 'entries.empty-fields',
    page: 'docs/api/entries.md#empty-fields',
    sentence: 'Fields that are not sent are null; an empty description is an empty text.',
    async check(context) {
      const date = context.day();
      const least = { date, type: 'income', amountPence: 1 };
      await context.account.create([least, { ...least, description: '' }]);
      const { entries, last } = await context.account.list([date]);
      const fields = entries.map(({ category, description, externalRef }) => [
        category,
        description,
        externalRef,
      ]);
      expectSameSet(
        last,
        fields,
        [
          [null, '', null],
          [null, null, null],
        ],
        'category, description and externalRef',
      );
    },
  },
  {
    id: 'entries.without-reference',
    page: 'docs/api/idempotency-keys.md',
    sentence: 'Entries without a reference are created each time that they are sent, however alike.',
    async check(context) {
      const date = context.day();
      const entries = context.entries(date, 2, { externalRef: undefined });
      for (let times = 0; times < 2; times++) expectCounts(await context.account.post(entries), 2, 0);
      const { entries: stored, last } = await context.account.list([date]);
      expectSame(last, stored.length, 4, 'the number of stored entries');
    },
  },
  {
    id: 'entries.atomic',
    page: BATCH,
    sentence: 'If one entry is invalid, no entry of the batch is created, at any position.',
    async check(context) {
      const date = context.day();
      for (const at of [0, 1, 2]) {
        const sent = context
          .entries(date, 3)
          .map((entry, index) => (index === at ? { ...entry, amountPence: 0 } : entry));
        const response = await context.account.post(sent);
        expectError(response, 422, 'invalid_transaction', [`/${at}/amountPence`]);
      }
      await expectNothingOn(context, date);
    },
  },
  {
    id: 'entries.empty-body',
    page: 'docs/api/error-codes.md#empty_body',
    sentence: 'An array without entries is 422 empty_body.',
    async check({ account }) {
      expectError(await account.post([]), 422, 'empty_body');
    },
  },
  {
    id: 'entries.too-many',
    page: 'docs/api/error-codes.md#too_many',
    sentence: '501 entries are 422 too_many, and nothing is created.',
    async check(context) {
      const date = context.day();
      expectError(await context.account.post(context.entries(date, 501)), 422, 'too_many');
      await expectNothingOn(context, date);
    },
  },
  {
    id: 'entries.most',
    page: 'docs/api/limits.md',
    sentence: '500 entries are not too many.',
    async check(context) {
      // The last one is invalid, so that the batch does not count towards the daily cap.
      const sent = context.entries(context.day(), 500, {});
      sent[499] = { ...context.entry('today') };
      expectError(await context.account.post(sent), 422, 'invalid_transaction', ['/499/date']);
    },
  },
  {
    id: 'entries.unknown-source',
    page: 'docs/api/error-codes.md#source_not_found',
    sentence: 'An id that is no source of the account is 404 source_not_found.',
    async check(context) {
      for (const source of [crypto.randomUUID(), 'x', `${context.account.source.id}0`]) {
        const response = await context.account.post(context.entry(context.day()), { source });
        expectError(response, 404, 'source_not_found');
      }
    },
  },
  {
    id: 'entries.order-of-errors',
    page: 'docs/api/errors.md#what-to-do',
    sentence: 'Errors of the query and of the body come before those about stored data.',
    async check(context) {
      const { account } = context;
      const source = crypto.randomUUID();
      const date = context.day();
      expectError(await account.post('{"date":', { source }), 400, 'invalid_json');
      expectError(await account.post([], { source }), 422, 'empty_body');
      expectError(
        await account.post(context.entry(date, { amountPence: 0 }), { source }),
        422,
        'invalid_transaction',
      );
      expectError(await account.page({ limit: 0 }, source), 422, 'invalid_query', ['/limit']);
      expectError(
        await account.post(context.entry(date, { category: 'x' }), { source }),
        404,
        'source_not_found',
      );
    },
  },
  {
    id: 'categories.accepted',
    page: 'docs/api/categories.md#find-the-keys',
    sentence: 'Every listed key is accepted for its type of entry, and comes back.',
    async check(context) {
      const date = context.day();
      const sent: Json[] = [];
      for (const type of ['income', 'expense'] as const) {
        const { keys } = await keysOf(context.account, type);
        sent.push(...keys.map((category) => context.entry(date, { type, category })));
      }
      expectCounts(await context.account.post(sent), sent.length, 0);
      const { entries, last } = await context.account.list([date]);
      const kept = (list: Json[]) => list.map(({ type, category }) => [type, category]);
      expectSameSet(last, kept(entries), kept(sent), 'the stored types and categories');
    },
  },
  {
    id: 'categories.refused',
    page: CATEGORIES,
    sentence:
      'A key of another type of source or entry is 422 invalid_category with the accepted keys, and nothing is created.',
    async check(context) {
      const date = context.day();
      for (const type of ['income', 'expense'] as const) {
        const { keys, others } = await keysOf(context.account, type);
        const sent = ['', `${keys[0]} `, `${keys[0]}`.toUpperCase(), ...others];
        const first = context.entry(date, { type });
        const batch = [first, ...sent.map((category) => context.entry(date, { type, category }))];
        const response = await context.account.post(batch);
        expectError(
          response,
          422,
          'invalid_category',
          sent.map((_, index) => `/${index + 1}/category`),
        );
        expectSame(response, response.body.error.validCategories, keys, 'validCategories');
      }
      const alone = await context.account.post(context.entry(date, { category: 'x' }));
      expectError(alone, 422, 'invalid_category', ['/category']);
      await expectNothingOn(context, date);
    },
  },
];
