/** The Books tab of the import page with 20,000 entries: time, memory, and rows in the document. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { TestAccount } from '../../fixtures/client.ts';
import { sql } from '../../fixtures/system.ts';
import { openBooks, rowsOf, showEntries, tilesOf } from './open-books.ts';

setDefaultTimeout(180_000);

const ENTRIES = 20_000;
/** What 20,000 entries, their search and the page may use. A browser tab has some GB. */
const HEAP_BYTES_MAX = 60 * 1024 * 1024;
const MB = 1024 * 1024;

test('20,000 entries are read, searched and scrolled within memory', async () => {
  const account = await TestAccount.create();
  const source = account.sources['uk-property'];
  await sql`
    insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type, category, description,
                              external_ref)
    select ${account.accountId}, gen_random_uuid(), ${source}, date '2022-04-06' + n / 14, 1 + n,
           (case when n % 3 = 0 then 'income' else 'expense' end)::ledger.entry_type, case when n % 3 = 1 then 'other' end,
           repeat('Description of an entry ', 1 + n % 6) || n, 'ref-' || n
      from generate_series(0, ${ENTRIES - 1}) n`;
  await sql`
    update ledger.source set transaction_count = ${ENTRIES}
     where account_id = ${account.accountId} and source_id = ${source}`;

  const { page, close } = await openBooks(account.key);
  const debugging = await page.context().newCDPSession(page);
  await debugging.send('Performance.enable');
  const heapBytes = async () => {
    await debugging.send('HeapProfiler.collectGarbage');
    const { metrics } = await debugging.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0;
  };
  const elements = () => page.evaluate<number>('document.querySelectorAll("*").length');
  const before = await heapBytes();

  const start = performance.now();
  await showEntries(page);
  await page.getByText(`of ${ENTRIES.toLocaleString('en')} entries`).waitFor();
  await page.getByRole('progressbar').waitFor({ state: 'detached' });
  const readMs = performance.now() - start;
  const sums = Array.from({ length: ENTRIES }, (_, n) => n).reduce(
    (sum, n) => sum + (n % 3 === 0 ? n + 1 : 0),
    0,
  );
  const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });
  expect((await tilesOf(page))[0]).toBe(pounds.format(sums / 100));
  expect((await tilesOf(page)).at(-1)).toBe('20,000');

  // The newest day is the last one; the oldest entry is reached by scrolling to the end.
  const table = page.getByRole('table', { name: 'Entries' });
  expect(await table.getAttribute('aria-rowcount')).toBe(String(ENTRIES + 1));
  expect(await rowsOf(page).count()).toBeLessThan(60);
  const frames = page.evaluate<number>(`new Promise((resolve) => {
    const list = document.querySelector('.entries');
    let longest = 0, last = performance.now(), turns = 0;
    const turn = (now) => {
      longest = Math.max(longest, now - last);
      last = now;
      list.scrollTop += 4_000;
      if (++turns < 60) requestAnimationFrame(turn); else resolve(longest);
    };
    requestAnimationFrame(turn);
  })`);
  const longestFrameMs = await frames;
  await table.focus();
  await page.keyboard.press('End');
  await rowsOf(page).filter({ hasText: '6 Apr 2022' }).first().waitFor();
  expect(await rowsOf(page).count()).toBeLessThan(60);

  const typed = performance.now();
  await page.getByLabel('Search', { exact: true }).fill('ref-19999');
  await page.getByText('1 of 20,000 entries').waitFor();
  const searchMs = performance.now() - typed;
  await page.getByLabel('Search', { exact: true }).fill('');
  await page.getByText('1 of 20,000 entries').waitFor({ state: 'hidden' });

  const used = await heapBytes();
  console.log(
    `20,000 entries: read in ${Math.round(readMs)} ms, search ${Math.round(searchMs)} ms, longest frame ${Math.round(longestFrameMs)} ms, ` +
      `heap ${(used / MB).toFixed(1)} MB (${(before / MB).toFixed(1)} MB before), ${await elements()} elements`,
  );
  expect(used).toBeLessThan(HEAP_BYTES_MAX);
  expect(await elements()).toBeLessThan(1_500);
  expect(searchMs).toBeLessThan(1_000);
  expect(longestFrameMs).toBeLessThan(500);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const text = await Bun.file(await download.path()).text();
  expect(text.trimEnd().split('\r\n')).toHaveLength(ENTRIES + 1);
  const [workbook] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download XLSX' }).click(),
  ]);
  expect(Bun.file(await workbook.path()).size).toBeGreaterThan(500_000);
  await close();
});
