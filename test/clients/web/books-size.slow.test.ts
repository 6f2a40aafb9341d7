/** The Books tab of the import page with 20,000 entries: memory, and rows in the document. */
import { expect } from 'bun:test';
import { TestAccount } from '../../fixtures/client.ts';
import { sql } from '../../fixtures/system.ts';
import { downloaded, rowsOf, showEntries, testBooksOf, tilesOf } from './open-books.ts';

const ENTRIES = 20_000;
/** What 20,000 entries, their search and the page may use. A browser tab has some GB. */
const HEAP_BYTES_MAX = 60 * 1024 * 1024;

async function largeAccount() {
  const account = await TestAccount.create();
  const { accountId, sources } = account;
  await sql`
    insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type, category, description,
                              external_ref)
    select ${accountId}, gen_random_uuid(), ${sources['uk-property']}, date '2022-04-06' + n / 14, 1, 'income',
           case when n % 3 = 1 then 'periodAmount' end, repeat('Description of an entry ', 1 + n % 6) || n, 'ref-' || n
      from generate_series(0, ${ENTRIES - 1}) n`;
  await sql`
    update ledger.source set transaction_count = ${ENTRIES}
     where account_id = ${accountId} and source_id = ${sources['uk-property']}`;
  return account;
}

testBooksOf(largeAccount)('20,000 entries: read, searched, scrolled', async ({ page }) => {
  await showEntries(page);
  await page.locator('.tile dd', { hasText: '20,000' }).waitFor();
  await page.getByRole('progressbar').waitFor({ state: 'detached' });
  expect(await tilesOf(page)).toEqual(['£200.00', '£0.00', '£200.00', '20,000']);

  // The newest day is the last one; the oldest entry is reached by scrolling to the end.
  const table = page.getByRole('table', { name: 'Entries' });
  expect(await table.getAttribute('aria-rowcount')).toBe(String(ENTRIES + 1));
  expect(await rowsOf(page).count()).toBeLessThan(60);
  await table.focus();
  await page.keyboard.press('End');
  await rowsOf(page).filter({ hasText: '6 Apr 2022' }).first().waitFor();
  expect(await rowsOf(page).count()).toBeLessThan(60);

  await page.getByLabel('Search', { exact: true }).fill('ref-19999');
  await page.getByText('1 of 20,000 entries').waitFor();
  await page.getByLabel('Search', { exact: true }).fill('');
  await page.getByText('1 of 20,000 entries').waitFor({ state: 'hidden' });

  const debugging = await page.context().newCDPSession(page);
  await debugging.send('HeapProfiler.collectGarbage');
  expect(await page.evaluate<number>('performance.memory.usedJSHeapSize')).toBeLessThan(HEAP_BYTES_MAX);
  expect(await page.evaluate<number>('document.querySelectorAll("*").length')).toBeLessThan(1_500);
  await debugging.detach();

  expect((await downloaded(page, 'CSV')).text.trimEnd().split('\r\n')).toHaveLength(ENTRIES + 1);
  expect((await downloaded(page, 'XLSX')).bytes.length).toBeGreaterThan(500_000);
});
