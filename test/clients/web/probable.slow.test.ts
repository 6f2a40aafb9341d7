/** Rows that are probably in the books, in the import page: a person decides, and nothing is sent or left out before. */
import { expect } from 'bun:test';
import type { TestAccount } from '../../fixtures/client.ts';
import { typedRows } from '../typed-rows.ts';
import { type Page, tabTo, testPage } from './browser.ts';
import { cell, check, done, drop, importAll, openCheck, stored, total } from './import-steps.ts';

const csv = (...rows: string[]) => typedRows('Date,Description,Amount', rows).join('\n');
/** The bank books the first two payments later, and describes one in another way. */
const PENDING = csv('2026-05-01,PENDING TESCO,-12.50', '2026-05-02,RENT PATEL,950', '2026-05-03,PLUMBER,-80');
const BOOKED = csv(
  '2026-05-02,TESCO STORES 3310,-12.50',
  '2026-05-04,RENT PATEL,950',
  '2026-05-03,PLUMBER,-80',
);

async function openBooked(page: Page, account: TestAccount): Promise<void> {
  await openCheck(page, account, 'may.csv', PENDING);
  await importAll(page);
  await page.getByRole('button', { name: 'Import other files' }).click();
  await drop(page, 'booked.csv', BOOKED);
  await check(page);
  await cell(page, 2, 'status').getByText('Probably in the books').waitFor();
}

const payments = async (account: TestAccount) =>
  (await stored(account)).map(({ date, pence, description }) => `${date} ${description} ${pence}`);
const AT_FIRST = ['2026-05-01 PENDING TESCO 1250', '2026-05-02 RENT PATEL 95000', '2026-05-03 PLUMBER 8000'];
const isBlocked = (page: Page) => page.getByRole('button', { name: /^Go on with/, disabled: true }).waitFor();

testPage('each stops the import until a person has decided', async ({ account, page }) => {
  await openBooked(page, account);
  await cell(page, 2, 'status')
    .getByText('uk-property has this amount on 1 May 2026: PENDING TESCO. Is it the same payment?')
    .waitFor();
  expect(await cell(page, 4, 'status').textContent()).toStartWith('In the books');
  await isBlocked(page);
  await page.getByRole('button', { name: '2 rows are probably in the books: decide' }).click();
  await cell(page, 4, 'status').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Leave out row 2' }).click();
  await isBlocked(page);
  await page.getByRole('button', { name: 'Import row 3 as another payment' }).click();
  await page.getByLabel('All rows').check({ force: true });
  await cell(page, 3, 'status').getByText('New').waitFor();
  await importAll(page);
  expect(await total(page, 'Created')).toBe('1');
  expect(await payments(account)).toEqual([...AT_FIRST, '2026-05-04 RENT PATEL 95000']);
});

testPage('all are decided at once; a decision is taken back by Ctrl+Z', async ({ account, page }) => {
  await openBooked(page, account);
  await page.getByLabel('Probably in the books').check({ force: true });
  await page.getByLabel('Select all 2').check();
  // No single button stores them a second time.
  const questions: string[] = [];
  page.on('dialog', (dialog) => {
    questions.push(dialog.message());
    void (questions.length === 1 ? dialog.dismiss() : dialog.accept());
  });
  await page.getByRole('button', { name: 'Import 2 as other payments' }).click();
  await isBlocked(page);
  expect(questions).toEqual([
    expect.stringContaining(
      '2 rows, income £950.00, expense £12.50: your books probably have these payments.',
    ),
  ]);
  await page.getByRole('button', { name: 'Import 2 as other payments' }).click();
  await page.getByRole('button', { name: /^Go on with/, disabled: false }).waitFor();
  await page.keyboard.press('Control+z');
  await isBlocked(page);
  await page.getByRole('button', { name: 'Leave out 2' }).click();
  await page.getByRole('button', { name: /^Go on with 0 new / }).click();
  await page.getByRole('button', { name: 'Show the result' }).click();
  await done(page);
  expect(await payments(account)).toEqual(AT_FIRST);
});

testPage(
  'one that is the stored entry is known by decision, counts as in the books, and can be decided again',
  async ({ account, page }) => {
    await openBooked(page, account);
    const income = await page.locator('.bar-totals .income').textContent();
    await page.getByText('1 already in the books').waitFor();
    await page.getByLabel('Probably in the books').check({ force: true });
    await page.getByLabel('Select all 2').check();
    await page.getByRole('button', { name: 'Leave out 2' }).click();
    await page.getByLabel('Known by decision 2').check({ force: true });
    for (const row of [2, 3]) await cell(page, row, 'status').getByText('Known by decision').waitFor();
    await page.getByText('3 already in the books').waitFor();
    // Its amounts count as those of the other rows in the books.
    expect(await page.locator('.bar-totals .income').textContent()).toBe(income);
    expect(await page.getByLabel(/^Left out/).count()).toBe(0);
    await page.getByRole('button', { name: 'Decide again about row 2' }).click();
    await page.getByRole('button', { name: '1 row is probably in the books: decide' }).waitFor();
    await page.getByLabel('Select all 1').check();
    await page.getByRole('button', { name: 'Decide again about 1' }).click();
    await page.getByRole('button', { name: '2 rows are probably in the books: decide' }).click();
    for (const row of [2, 3]) await cell(page, row, 'status').getByText('Probably in the books').waitFor();
  },
);

testPage('by keyboard: Enter imports a row, Delete leaves it out', async ({ account, page }) => {
  await openBooked(page, account);
  await tabTo(page, /^2 rows are probably/);
  await page.keyboard.press('Enter');
  await cell(page, 2, 'line').click();
  for (const key of ['End', 'Enter']) await page.keyboard.press(key);
  await cell(page, 2, 'status').waitFor({ state: 'detached' });
  await page.keyboard.press('Delete');
  await page.getByText('There are no such rows.').waitFor();
  await page.getByRole('button', { name: /^Go on with 1 new /, disabled: false }).click();
  await page.getByRole('button', { name: 'Import 1 entry' }).click();
  await done(page);
  expect(await payments(account)).toEqual([
    ...AT_FIRST.slice(0, 2),
    '2026-05-02 TESCO STORES 3310 1250',
    ...AT_FIRST.slice(2),
  ]);
});
