/** Several files in the import page, in a real browser: one after the other, with the use of columns kept for the next of the kind. */
import { expect } from 'bun:test';
import { connect, type Page, tabTo, testPage } from './browser.ts';
import { check, importAll, stored, total } from './import-steps.ts';

const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
const rents = (tenant: string, pounds: number) =>
  `Date,Tenant,Rent Due,Rent Paid,Expenses\n01/10/2026,${tenant},${pounds},${pounds},\n15/10/2026,Plumber ${tenant},,,${pounds / 10}\n`;
const FILES = [
  file('mill-lane.csv', rents('Patel', 1025)),
  file('notes.csv', 'no table\n'),
  file('station-road.csv', rents('Jones', 895)),
];
const choose = (page: Page, files: typeof FILES) =>
  page.getByLabel('Files', { exact: true }).setInputFiles(files);

testPage('files one after the other; columns are chosen once', async ({ account, page }) => {
  await connect(page, account.key);
  await page.getByLabel('Import into').selectOption(account.sources['uk-property']);
  await choose(page, FILES);
  await page.getByText('Then: notes.csv, station-road.csv').waitFor();
  await page.getByLabel('Rent Due', { exact: true }).selectOption('Not used');
  await page.getByLabel('Rent Paid', { exact: true }).selectOption('Money in');
  await page.getByText('This browser keeps the use of these columns').waitFor();
  await check(page);
  await importAll(page);
  await tabTo(page, /^Next file: notes\.csv$/);
  await page.keyboard.press('Enter');
  await page.getByText('Then: station-road.csv').waitFor();
  await page.getByRole('button', { name: 'Leave out notes.csv' }).click();
  // Nothing is chosen for it.
  await page.getByText('CSV file, 2 rows, 1 October 2026 to 15 October 2026.').waitFor();
  await page.getByText('This browser keeps the use of these columns').waitFor();
  await check(page);
  await importAll(page);
  expect(await total(page, 'Created')).toBe('2');
  await page.getByRole('button', { name: 'Import another file' }).waitFor();
  expect((await stored(account)).map(({ description, pence }) => [description, pence])).toEqual([
    ['Jones', 89_500],
    ['Patel', 102_500],
    ['Plumber Jones', 8_950],
    ['Plumber Patel', 10_250],
  ]);
  const kept = await page.evaluate<string>('JSON.stringify({ ...localStorage })');
  for (const text of ['Jones', 'Patel', '895.00', '1025.00', account.key]) expect(kept).not.toContain(text);
});

testPage('waiting files are confirmed, kept columns forgotten', async ({ account, page }) => {
  await connect(page, account.key);
  await page.getByLabel('Import into').selectOption(account.sources['uk-property']);
  await choose(page, FILES);
  const confirmations: string[] = [];
  page.on('dialog', (dialog) => {
    confirmations.push(dialog.message());
    void (confirmations.length === 1 ? dialog.dismiss() : dialog.accept());
  });
  await page.getByText('Then: notes.csv, station-road.csv').waitFor();
  await choose(page, FILES.slice(2));
  await page.getByText('Then: notes.csv, station-road.csv').waitFor();
  await choose(page, FILES.slice(2));
  await page.getByText('Then:').waitFor({ state: 'detached' });
  expect(confirmations).toEqual(Array(2).fill('2 files will not be imported.'));
  await page.getByLabel('Rent Due', { exact: true }).selectOption('Not used');
  await page.getByLabel('Rent Paid', { exact: true }).selectOption('Money in');
  await page.getByRole('button', { name: 'Forget it' }).click();
  await page.locator('.note.bad', { hasText: 'Rent Due' }).waitFor();
  expect(await page.evaluate<number>('localStorage.length')).toBe(0);
});
