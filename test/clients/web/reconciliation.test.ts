/** The reconciliation of the page, whose books another program has changed. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { reconcilePushed } from '../../../clients/web/import/reconcile/reconcile-pushed.ts';
import { sql } from '../../fixtures/system.ts';
import { check, file, newImporter, openFile, push } from './importer-fixture.ts';

setDefaultTimeout(60_000);

test('an entry that the app has moved to a day far from the file is a correction', async () => {
  const { account, importer, session } = await newImporter();
  await openFile(importer, file('Date,Description,Amount,Type\n2026-10-01,RENT,1000.00,income\n'));
  await check(importer);
  await push(importer);
  await sql`update ledger.entry set entry_date = '2026-10-22' where account_id = ${account.accountId}`;
  const { reconciliation, corrections } = await reconcilePushed(
    session,
    importer.state.value,
    importer.readerOf,
  );
  expect(reconciliation.counts).toEqual({ different: 1 });
  expect(corrections).toMatchObject([
    { action: 'change', is: 'date 2026-10-22', shouldBe: 'date 2026-10-01' },
  ]);
});
