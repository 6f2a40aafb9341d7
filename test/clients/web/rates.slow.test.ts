/** Amounts in other currencies in the import page, in a real browser: refused, converted by a file of rates, imported, and reconciled. */
import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { connect, type Page, testPage } from './browser.ts';
import { check, drop, importAll, openFile, shownText, stored } from './import-steps.ts';

const EUROS =
  'Currency: EUR\nDate,Description,Amount,Type\n2026-10-01,RENT CASA,850.00,in\n2026-11-04,FEE,-1.01,out\n';
const OCTOBER = 'month,currency,pounds per unit\n2026-10,EUR,0.8612\n';
const ALL = `${OCTOBER}2026-11,EUR,0.87\n`;
const choose = (page: Page, text: string) =>
  page
    .getByLabel('File of rates')
    .setInputFiles({ name: 'rates.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

testPage(
  'euros are refused, converted by chosen rates, and reconciled by them',
  async ({ account, page }) => {
    await openFile(page, account, 'casa.csv', EUROS);
    await drop(page, 'pounds.csv', 'Date,Description,Amount\n2026-10-02,RENT,900\n');
    // The question is in the file that needs the rates, and in no other.
    const files = page.locator('.file', { has: page.getByLabel('File of rates') });
    await files.getByText('casa.csv', { exact: true }).waitFor();
    expect(await files.count()).toBe(1);
    await page.getByRole('button', { name: 'Remove pounds.csv' }).click();
    await page.getByText('None of the 2 payments can be read').first().waitFor();
    await choose(page, 'month,currency,rate\n2026-10,EUR,0.8612\n');
    await page.locator('.problem', { hasText: 'The rates have the column "rate"' }).waitFor();
    for (const encoding of ['latin1', 'utf16le'] as const) {
      const buffer = Buffer.from(`\ufeff${OCTOBER}é`, encoding);
      await page
        .getByLabel('File of rates')
        .setInputFiles({ name: `${encoding}.csv`, mimeType: 'text/csv', buffer });
      await page.getByText(`${encoding}.csv is not a text in UTF-8 of at most 1 MB.`).waitFor();
    }
    await choose(page, OCTOBER);
    await shownText(page, '1 row in EUR, converted to pounds by rates.csv.').waitFor();
    await shownText(page, '1 row needs a rate.').waitFor();
    await page.getByRole('button', { name: 'Remove the rates' }).click();
    await page.getByText('None of the 2 payments can be read').first().waitFor();
    await choose(page, OCTOBER);
    await check(page);
    await page.getByText('The rates have no EUR for 2026-11-04, and none for 2026-11.').first().waitFor();
    await importAll(page);
    await page.getByRole('button', { name: 'Reconcile this file' }).click();
    await page.getByRole('cell', { name: 'EUR -1.01' }).waitFor();
    // The rates stay for the next import. Where rows are checked, others can be chosen.
    await page.getByRole('button', { name: 'Import other files' }).click();
    await drop(page, 'casa.csv', EUROS);
    await check(page);
    await choose(page, ALL);
    await shownText(page, '2 rows in EUR, converted to pounds by rates.csv.').waitFor();
    await importAll(page);
    expect((await stored(account)).map(({ description, type, pence }) => [description, type, pence])).toEqual(
      [
        ['RENT CASA - EUR 850.00 at 0.8612 GBP per EUR', 'income', 73_202],
        ['FEE - EUR 1.01 at 0.87 GBP per EUR', 'expense', 88],
      ],
    );
    await page.getByRole('button', { name: 'Reconcile this file' }).click();
    await page.locator('.note', { hasText: 'Reconciled: every row is accounted for.' }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the reconciliation' }).click();
    const result = JSON.parse(readFileSync((await (await saved).path()) ?? '', 'utf8'));
    expect(result.rates.sha256).toBe(new Bun.CryptoHasher('sha256').update(ALL).digest('hex'));
  },
);

testPage('rows that wait for a property are counted as converted', async ({ account, page }) => {
  await connect(page, account.key);
  await page.getByLabel('Import into').selectOption('by-rules');
  await drop(page, 'casa.csv', EUROS);
  await page.getByText('None of the 2 payments can be read').first().waitFor();
  await choose(page, ALL);
  await page.getByText('The next step decides where 2 rows belong.').first().waitFor();
  await shownText(page, '2 rows in EUR, converted to pounds by rates.csv.').waitFor();
});
