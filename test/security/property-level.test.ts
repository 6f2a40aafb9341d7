/** API3: clients cannot set properties that the service sets. The tests of the description check what responses contain. */
import { expect, test } from 'bun:test';
import { rowsOf } from '../fixtures/books.ts';
import { entry, TestAccount } from '../fixtures/client.ts';

const account = await TestAccount.create();
const other = await TestAccount.create();

/** Properties of the books, of other resources and of JavaScript, none of them of an entry as it is sent. */
const NOT_THEIRS: Record<string, unknown> = {
  id: Bun.randomUUIDv7(),
  accountId: other.accountId,
  sourceId: other.sources['uk-property'],
  createdAt: '2020-01-01T00:00:00Z',
  status: 'confirmed',
  transactionCount: 0,
  external_ref: 'x',
  ['__proto__']: { category: 'periodAmount' },
  constructor: { prototype: { category: 'periodAmount' } },
};

test.each(Object.keys(NOT_THEIRS))(
  'an entry with the property %s is refused whole, alone and in a batch',
  async (name) => {
    // A definition, because an assignment to __proto__ would not make a property.
    const sent = Object.defineProperty(entry(), name, { value: NOT_THEIRS[name], enumerable: true });
    expect(JSON.stringify(sent)).toContain(`"${name}":`);

    const alone = await account.post(sent);
    const batched = await account.post([entry(), sent]);
    for (const response of [alone, batched]) {
      expect([response.status, response.body.error.code]).toEqual([422, 'invalid_transaction']);
    }
    expect(alone.body.error.issues.map(({ path }: { path: string }) => path)).toEqual([`/${name}`]);
    expect(batched.body.error.issues.map(({ path }: { path: string }) => path)).toEqual([`/1/${name}`]);
    expect(await rowsOf(account.accountId)).toEqual([]);
  },
);

test('a refused request leaves nothing in the process: later entries get no properties from it', async () => {
  const { amountPence: _, ...incomplete } = entry();
  for (const poison of [
    '{"__proto__":{"amountPence":1}}',
    '{"constructor":{"prototype":{"amountPence":1}}}',
  ]) {
    await account.post(poison);
    const { status, body } = await account.post(incomplete);
    expect([status, body.error.issues]).toEqual([
      422,
      [{ path: '/amountPence', message: expect.any(String) }],
    ]);
  }
});
