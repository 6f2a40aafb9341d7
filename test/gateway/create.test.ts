/** What became of each entry (docs/api/entries.md). */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { CATEGORIES, ENTRY_TYPES, SOURCE_TYPES, type SourceType } from '../../proto/domain.ts';
import { batch, expectCountsToEqualRows, rowsOf } from '../fixtures/books.ts';
import { entry, TestAccount } from '../fixtures/client.ts';
import { failure } from '../fixtures/endpoints.ts';
import { expectError } from '../fixtures/expect-error.ts';

setDefaultTimeout(60_000);

const account = await TestAccount.create();
const { 'uk-property': uk, 'foreign-property': foreign, 'self-employment': self } = account.sources;
// Whatever a test did, the counters are right after it.
afterAll(() => expectCountsToEqualRows(account));

test('a reference that is known on another source of the account is existing there and not created here', async () => {
  const sent = entry({ externalRef: 'elsewhere' });
  const [created] = (await account.post(sent, { source: self })).body.transactions;
  const { status, body } = await account.post(sent, { source: uk });
  expect([status, body.created, body.existing]).toEqual([200, 0, [created]]);
  expect(body.conflicts).toEqual([{ index: 0, ...created, fields: ['sourceId'] }]);
});

const LISTS = SOURCE_TYPES.flatMap((source) => ENTRY_TYPES.map((type) => [source, type] as const));
const keysOf = (source: SourceType, type: 'income' | 'expense') =>
  CATEGORIES[source][type].map(({ key }): string => key);
const ALL_KEYS = [...new Set(LISTS.flatMap(([source, type]) => keysOf(source, type)))];

test.each(LISTS)(
  'every category that is not a %s %s category is refused there, and nothing is created',
  async (source, type) => {
    const before = await rowsOf(account.accountId);
    const valid = keysOf(source, type);
    const sent = [...ALL_KEYS, 'PeriodAmount', 'turnover ', '', 'constructor'];
    const entries = sent.map((category) => entry({ type, category }));
    const response = await account.post(entries, { source: account.sources[source] });
    expect(failure(response)).toEqual([422, 'invalid_category']);
    expect(response.body.error.validCategories).toEqual(valid);
    const wrong = sent.flatMap((key, index) => (valid.includes(key) ? [] : [`/${index}/category`]));
    expect(response.body.error.issues.map(({ path }: { path: string }) => path)).toEqual(wrong);
    expect(await rowsOf(account.accountId)).toEqual(before);
  },
);

test('invalid_category lists the keys for the type of the refused entry, and proposes the nearest', async () => {
  const expense = await account.post(entry({ type: 'expense', category: 'travelCost' }), { source: foreign });
  expect(failure(expense)).toEqual([422, 'invalid_category']);
  expect(expense.body.error.validCategories).toEqual(keysOf('foreign-property', 'expense'));
  expect(expense.body.error.message).toEndWith('; did you mean travelCosts (travel costs)?');
  expect(expense.body.error.issues[0].path).toBe('/category');

  const both = [entry({ type: 'expense' }), entry({ category: 'turnovr' })];
  const mixed = await account.post(both, { source: self });
  expect(mixed.body.error.validCategories).toEqual(keysOf('self-employment', 'income'));
  expect(mixed.body.error.message).toEndWith('; did you mean turnover (sales and business income)?');
  expect(mixed.body.error.issues).toHaveLength(1);
  expect(mixed.body.error.issues[0].path).toBe('/1/category');
});

test('invalid_category has the keys, with their labels, for the type of each refused entry in its message', async () => {
  const types = ['income', 'expense', 'income'] as const;
  const { body } = await account.post(types.map((type) => entry({ type, category: 'cheese' })));
  const messages: string[] = body.error.issues.map(({ message }: { message: string }) => message);
  expect(messages).toHaveLength(types.length);
  for (const [n, type] of types.entries()) {
    const labelled = CATEGORIES['uk-property'][type].map(({ key, label }) => `${key} (${label})`);
    expect(messages[n]).toEndWith(`; accepted: ${labelled.join(', ')}`);
  }
});

test('invalid_category recognises a label', async () => {
  const messageOf = async (category: string) => (await account.post(entry({ category }))).body.error.message;
  expect(await messageOf('Rent received')).toEndWith('; did you mean periodAmount (rent received)?');
  expect(await messageOf('lease premium')).toEndWith('; did you mean premiumsOfLeaseGrant (lease premiums)?');
});

test('of more than 100 invalid categories the first 100 are listed', async () => {
  const response = await account.post(Array(150).fill(entry({ category: 'turnover' })));
  expect(failure(response)).toEqual([422, 'invalid_category']);
  expect(response.body.error.issues).toHaveLength(100);
  expect(response.body.error.issues[99].path).toBe('/99/category');
});

test('one invalid category of 500 entries: none of them is stored', async () => {
  const before = await rowsOf(account.accountId);
  const sent = batch('whole', 500).map((item, at) => (at === 499 ? { ...item, category: 'turnover' } : item));
  expect(failure(await account.post(sent))).toEqual([422, 'invalid_category']);
  expect(await rowsOf(account.accountId)).toEqual(before);
});

test('an error message stays short, however long the value that it repeats', async () => {
  const long = 'x'.repeat(4_000);
  expectError(await account.post(entry(), { source: long }), 'source_not_found', { status: 404 });
  const response = await account.post(entry({ category: long }));
  const fields = { validCategories: keysOf('uk-property', 'income'), issues: [expect.any(Object)] };
  expectError(response, 'invalid_category', { status: 422, fields });
});
