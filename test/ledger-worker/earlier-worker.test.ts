/** What a worker of the version before calls is there until the last of them is replaced. */
import { expect, test } from 'bun:test';
import { hashApiKey } from '../../proto/api-key.ts';
import { rowsOf } from '../books.ts';
import { TestAccount } from '../client.ts';
import { sql } from '../system.ts';

test('a worker of the version before goes on creating entries, by the function that it knows', async () => {
  const { accountId, key, sources } = await TestAccount.create();
  const create = async (refs: string[], category = 'NULL', keyHash = hashApiKey(key)) => {
    const ids = refs.map(() => Bun.randomUUIDv7());
    const all = (value: unknown) => `{${refs.map(() => value)}}`;
    const [answer] = await sql`
      select outcome, detail
        from ledger.create_entries(
               ${accountId}, ${keyHash}, ${sources['uk-property']}, ${`{${ids}}`}::uuid[], ${all('2026-04-06')}::date[],
               ${all('income')}::ledger.entry_type[], ${all(1)}::bigint[], ${all(category)}::text[], ${all('NULL')}::text[],
               ${`{${refs}}`}::text[], 5000, '24 h', '10 s', null, null, '24 h')`;
    return { ids, ...answer };
  };
  const first = await create(['a', 'b']);
  expect(first).toMatchObject({ outcome: 'created', detail: { added: 2, ids: null, existing: [] } });
  const [id] = first.ids;
  expect(await create(['c', 'a'])).toMatchObject({
    outcome: 'created',
    detail: { added: 1, ids: null, existing: [{ index: 1, id, differingFields: [] }] },
  });
  expect(await create(['d'], 'turnover')).toMatchObject({
    outcome: 'invalid_categories',
    detail: { sourceType: 'uk-property', indexes: [0] },
  });
  expect(await create(['d'], 'NULL', Buffer.alloc(32))).toMatchObject({
    outcome: 'invalid_key',
    detail: null,
  });
  expect((await rowsOf(accountId)).map(({ externalRef }) => externalRef).sort()).toEqual(['a', 'b', 'c']);
});
