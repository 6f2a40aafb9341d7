/** The order of a result does not depend on the plan that the database chooses. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { batch } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { openSql } from '../../fixtures/system.ts';

setDefaultTimeout(60_000);

test('known entries are described in the order of the request, also where the database joins them sorted', async () => {
  const account = await TestAccount.create();
  const sent = batch('known', 50);
  expect((await account.post(sent)).status).toBe(201);
  const references = sent.map(({ externalRef }) => externalRef).reverse();
  const db = openSql(1);
  try {
    await db.unsafe('set enable_hashjoin = off');
    const [row] = await db<{ knownJson: string }[]>`
      select known_json as "knownJson"
        from ledger.describe_known(
          ${account.accountId}, ${account.sources['uk-property']},
          array(select row(gen_random_uuid(), '2026-04-06', 'income', 1, null, null, reference)::ledger.sent_entry
                  from unnest(string_to_array(${references.join()}, ',')) with ordinality as sent (reference, place)
                 order by place),
          null, 0, null)`;
    const { existing } = JSON.parse(row?.knownJson ?? '');
    expect(existing.map(({ index }: { index: number }) => index)).toEqual([...references.keys()]);
  } finally {
    await db.end();
  }
});
