/** Several files in the import page, in a real browser: read at once, checked in one list, imported once, and reconciled. */
import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { workbook } from '../typescript/import/workbook.ts';
import { connect, type Page, testPage } from './browser.ts';
import {
  cell,
  check,
  goOn,
  importAll,
  leaveOut,
  openCheck,
  shownText,
  startImport,
  stored,
  total,
} from './import-steps.ts';

const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
const rents = (tenant: string, pounds: number) =>
  `Date,Tenant,Rent Due,Rent Paid,Expenses\n01/10/2026,${tenant},${pounds}.00,${pounds}.00,\n15/10/2026,Plumber ${tenant},,,${pounds / 10}\n`;
const NOTES = file('notes.csv', 'no table\n');
const RENTS = [file('rents.csv', rents('Patel', 1025)), NOTES, file('rents.csv', rents('Jones', 895))];
const choose = (page: Page, files: ReturnType<typeof file>[]) =>
  page.getByLabel('Files', { exact: true }).setInputFiles(files);

testPage(
  'files are read at once, and imported as one; columns are chosen once',
  async ({ account, page }) => {
    await connect(page, account.key);
    await page.getByLabel('Import into').selectOption(account.sources['uk-property']);
    await choose(page, RENTS);
    await page.getByRole('button', { name: 'Remove notes.csv' }).click();
    expect(await page.locator('.file-name').allTextContents()).toEqual(['rents.csv', 'rents (2).csv']);
    page.on('dialog', (dialog) => dialog.accept());
    await page.getByLabel('Rent Due', { exact: true }).first().selectOption('Not used');
    await page.getByLabel('Rent Paid', { exact: true }).first().selectOption('Money in');
    await page.getByRole('button', { name: 'Confirm these columns' }).first().click();
    await page.locator('.file .note.good', { hasText: 'Columns as chosen on' }).nth(1).waitFor();
    await page.getByText('Your rules keep the use of these columns').waitFor();
    // A file that is open is not opened again.
    await choose(page, RENTS.slice(2));
    await check(page);
    await cell(page, '2 of rents (2).csv', 'file').getByText('rents (2).csv').waitFor();
    await leaveOut(page, '3 of rents (2).csv');
    await cell(page, '3 of rents.csv', 'description').click();
    await page.keyboard.type('Gas');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Go on with 3 new entries' }).waitFor();
    await page.keyboard.press('Control+Z');
    await cell(page, '3 of rents.csv', 'description').getByText('Plumber Patel').waitFor();
    await importAll(page);
    expect(await total(page, 'Created')).toBe('3');
    expect((await stored(account)).map(({ description, pence }) => [description, pence])).toEqual([
      ['Jones', 89_500],
      ['Patel', 102_500],
      ['Plumber Patel', 10_250],
    ]);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the report (CSV)' }).click();
    const report = readFileSync((await (await saved).path()) ?? '', 'utf8').split('\r\n');
    expect(report.map((line) => [line.split(',')[1], line.split(',').at(-1)]).slice(1, 5)).toEqual([
      ['created', 'rents.csv'],
      ['created', 'rents.csv'],
      ['created', 'rents (2).csv'],
      ['left out', 'rents (2).csv'],
    ]);
    expect(new Set(report.slice(1, 4).map((line) => line.split(',')[2])).size).toBe(3);
    const kept = await page.evaluate<string>('JSON.stringify({ ...localStorage })');
    for (const text of ['Jones', 'Patel', '895.00', '1025.00', account.key]) expect(kept).not.toContain(text);
    await page.getByRole('button', { name: 'Reconcile these 2 files' }).click();
    await page.locator('.note', { hasText: 'Reconciled: every row is accounted for.' }).waitFor();
  },
);

const HEADER = 'Date,Description,Amount,Balance';
const MAY = [HEADER, '2026-05-01,RENT,950.00,1950.00', '2026-05-31,SHOP,-20.00,1930.00'].join('\n');
const JUNE = [HEADER, '2026-05-31,SHOP,-20.00,1930.00', '2026-06-01,RENT,950.00,2880.00'].join('\n');

testPage('a row of two files is counted once, when their account is known', async ({ account, page }) => {
  await openCheck(page, account, 'may.csv', MAY);
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await choose(page, [file('june.csv', JUNE)]);
  const question = page.getByText('Row 2 of june.csv is equal to row 3 of may.csv').first();
  await question.waitFor();
  expect(await page.getByRole('button', { name: 'Check the rows' }).count()).toBe(0);
  for (const name of ['may.csv', 'june.csv']) {
    await page.getByRole('button', { name: `Change how ${name}` }).click();
    const card = page.locator('.file', { has: page.getByRole('heading', { name, exact: true }) });
    await card.getByLabel('Name of the bank account').fill('Joint');
    await card.getByLabel('Name of the bank account').blur();
  }
  await check(page);
  await cell(page, '2 of june.csv', 'status').getByText('It repeats row 3 of may.csv.').waitFor();
  await shownText(page, /^june.csv, Joint: It goes on from/)
    .or(shownText(page, /^june\.csv, Joint/))
    .first()
    .waitFor();
  await goOn(page);
  await startImport(page);
  await page.getByRole('button', { name: 'Reconcile these 2 files' }).click();
  await page.locator('.note', { hasText: 'Reconciled: every row is accounted for.' }).waitFor();
  expect(await stored(account)).toHaveLength(3);
});

const sheet = (name: string, ...rows: string[][]) => ({
  name,
  rows: Object.fromEntries(rows.map((cells, index) => [index + 1, cells])),
});
const BOOK = {
  name: 'book.xlsx',
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(
    workbook([
      sheet('Invoices', ['Date', 'Description', 'Income'], ['2026-05-01', 'RENT', '950.00']),
      sheet('Notes', ['Nothing']),
      sheet('Expenses', ['Date', 'Description', 'Expense'], ['2026-05-02', 'PLUMBER', '80.00']),
    ]),
  ),
};

testPage(
  'each sheet with a table is a file, and one that is not read is named',
  async ({ account, page }) => {
    const otherSheet = page.locator('.note', { hasText: 'The sheet “Expenses” of book.xlsx is not read.' });
    await connect(page, account.key);
    await page.getByLabel('Import into').selectOption(account.sources['uk-property']);
    await choose(page, [BOOK]);
    await otherSheet.waitFor();
    await check(page);
    await otherSheet.waitFor();
    await importAll(page);
    await otherSheet.waitFor();
    await page.getByRole('button', { name: 'Reconcile this file' }).click();
    await page.locator('.note', { hasText: 'Reconciled: every row is accounted for.' }).waitFor();
    expect(await otherSheet.count()).toBe(2);
    await page.getByRole('button', { name: 'Import other files' }).click();
    await choose(page, [BOOK]);
    await page.getByRole('button', { name: 'Read “Expenses” too' }).click();
    await otherSheet.waitFor({ state: 'detached' });
    expect(await page.locator('.file-name').allTextContents()).toEqual([
      'book.xlsx',
      'Expenses of book.xlsx',
    ]);
    // Choosing the workbook again reads its other sheet, once.
    await page.getByRole('button', { name: 'Remove Expenses of book.xlsx' }).click();
    await otherSheet.waitFor();
    await choose(page, [BOOK]);
    // The other file shows when the second choice has been added.
    await choose(page, [BOOK, NOTES]);
    await page.getByRole('button', { name: 'Remove notes.csv' }).click();
    await otherSheet.waitFor({ state: 'detached' });
    expect(await page.locator('.file-name').allTextContents()).toEqual([
      'book.xlsx',
      'Expenses of book.xlsx',
    ]);
    await page.getByRole('button', { name: 'Remove book.xlsx', exact: true }).click();
    await check(page);
    await importAll(page);
    // Both readings of the workbook are in the proof.
    await page.getByRole('button', { name: 'Reconcile these 2 files' }).click();
    await page.locator('.note', { hasText: 'Reconciled: every row is accounted for.' }).waitFor();
    expect((await stored(account)).map(({ type, pence }) => [type, pence])).toEqual([
      ['income', 95_000],
      ['expense', 8_000],
    ]);
  },
);
