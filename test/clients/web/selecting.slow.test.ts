/** Many rows at once on the Check step: search, selection, changes of what is selected, and undo. */
import { expect } from 'bun:test';
import type { TestAccount } from '../../fixtures/client.ts';
import { admin } from '../../fixtures/system.ts';
import { typedRows } from '../typed-rows.ts';
import { type Page, testPage } from './browser.ts';
import {
  cell,
  check,
  done,
  drop,
  goOn,
  importAll,
  openCheck,
  startImport,
  stored,
  total,
} from './import-steps.ts';

/** A statement of 387 rows: every 23rd is a rent, the others are none of a landlord's business. */
const STATEMENT = [
  'Date,Description,Amount',
  ...Array.from({ length: 387 }, (_, i) =>
    i % 23 === 0
      ? `2026-04-${10 + (i % 19)},Rent ${i},950.00`
      : `2026-04-${10 + (i % 19)},Shop ${i},-${i}.50`,
  ),
].join('\n');

const search = (page: Page, text: string) => page.getByLabel('Search the rows').fill(text);
const selectAll = (page: Page) => page.locator('.select-all').click();
const entries = (page: Page, count: number) =>
  page.getByRole('button', { name: `Go on with ${count} new entries` }).waitFor();

async function openStatement(page: Page, account: TestAccount, text = STATEMENT): Promise<void> {
  await openCheck(page, account, 'statement.csv', text);
  await page.getByText('0 already in the books').waitFor();
}

const LEAVE_OUT =
  '370 of 387 rows are left out by one search and two clicks, brought back by Ctrl+Z, and the rest imported';
testPage(LEAVE_OUT, async ({ account, page }) => {
  await openStatement(page, account);
  await search(page, 'shop');
  await selectAll(page);
  await page.getByRole('button', { name: 'Leave out 370' }).click();
  await entries(page, 17);
  await page.locator('.select-all').focus();
  await page.keyboard.press('Control+Z');
  await entries(page, 387);
  await page.getByRole('button', { name: 'Leave out 370' }).click();
  await entries(page, 17);
  await page.getByRole('button', { name: 'Bring back 370' }).click();
  await entries(page, 387);
  await page.getByRole('button', { name: 'Undo' }).click();
  await entries(page, 17);

  // What was selected for one search is not selected for another.
  await search(page, '');
  await page.getByText('Select all 387', { exact: true }).waitFor();
  await search(page, 'rent');
  await selectAll(page);
  await page.getByLabel('Category of the selected rows').selectOption('income:periodAmount');
  await page.getByText('Every entry has a category.').waitFor();
  await importAll(page);
  const rows = await stored(account);
  expect(rows).toHaveLength(17);
  expect(new Set(rows.map(({ category }) => category))).toEqual(new Set(['periodAmount']));
});

testPage('a corrected cell shows what the file has; Restore', async ({ account, page }) => {
  await openStatement(page, account);
  await cell(page, 2, 'amount').click();
  await page.keyboard.type('951.00');
  await page.keyboard.press('Enter');
  await cell(page, 2, 'amount').getByText('was £950.00').waitFor();
  await cell(page, 2, 'status').hover();
  await page.getByRole('button', { name: 'Restore row 2 as the file has it' }).click();
  await cell(page, 2, 'amount').getByText('£950.00', { exact: true }).waitFor();
  expect(await cell(page, 2, 'amount').textContent()).toBe('£950.00');
});

testPage("Shift selects a range; Ctrl+Z in a text is the text's own", async ({ account, page }) => {
  await openStatement(page, account);
  await page.getByLabel('Select row 3', { exact: true }).click();
  await page.getByLabel('Select row 6', { exact: true }).click({ modifiers: ['Shift'] });
  await page.getByText('4 selected', { exact: true }).waitFor();
  for (let row = 6; row < 8; row++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+Space');
  await page.getByText('6 selected', { exact: true }).waitFor();
  await page.keyboard.press('Control+A');
  await page.getByText('387 selected', { exact: true }).waitFor();
  const groups = page.getByLabel('Category of the selected rows').locator('optgroup');
  expect(await groups.evaluateAll((all) => all.map((group) => group.getAttribute('label')))).toEqual([
    'Income: 17 rows',
    'Expense: 370 rows',
  ]);
  await page.getByLabel('Category of the selected rows').selectOption('expense:repairsAndMaintenance');
  await page.getByText('17 entries without a category.').waitFor();
  await page.getByRole('button', { name: 'Leave out 387' }).click();
  await entries(page, 0);
  await page.getByLabel('Search the rows').focus();
  await page.keyboard.type('§');
  await page.getByText('Select all 0').waitFor();
  await page.keyboard.press('Control+Z');
  await page.getByText('Select all 387').waitFor();
  expect(await page.getByRole('button', { name: 'Go on with 0 new entries' }).count()).toBe(1);
});

testPage('a file of another property is offered to that property', async ({ account, page }) => {
  const { accountId } = account;
  const common = { accountId, type: 'uk-property', role: 'owner', sharePercent: 100 };
  await admin.createSource({ ...common, name: '4 Birch Road' });
  const rents =
    'Date,Description,Amount\n2026-04-01,Rent,900.00\n2026-04-02,Gas,-20.00\n2026-04-03,Agent,-90.00\n';
  await openCheck(page, account, 'rents.csv', rents);
  await importAll(page);
  await page.getByRole('button', { name: 'Import other files' }).click();
  await page.locator('#source').selectOption({ label: '4 Birch Road – UK property' });
  await drop(page, 'rents.csv', rents);
  await check(page);
  await page.getByText('3 of these 3 rows are already in').waitFor();
  const goOnButton = page.getByRole('button', { name: 'Go on with 3 new entries' });
  expect(await goOnButton.getAttribute('aria-disabled')).toBe('true');
  await page.getByRole('button', { name: 'Import into uk-property' }).click();
  await page.getByText('3 already in the books').waitFor();
  await page.getByRole('heading', { name: 'Check what goes into uk-property' }).waitFor();
  expect(await page.getByText('3 of these 3 rows are already in').count()).toBe(0);
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.locator('#source').selectOption({ label: '4 Birch Road – UK property' });
  await check(page);
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Import here all the same' }).click();
  await goOn(page);
  await page.getByText('An entry cannot be changed or deleted through this service afterwards.').waitFor();
  expect([await total(page, 'Income'), await total(page, 'Expense')]).toEqual(['£900.00', '£110.00']);
  await page.getByText('3 entries are without a category, to be sorted in the app.').waitFor();
  await startImport(page);
  await done(page);
  expect(await stored(account)).toHaveLength(6);
});

testPage(
  'a date that is likely to be mistyped is named twice, and needs a confirmation',
  async ({ account, page }) => {
    const rows = ['2062-04-06,Rent,900.00', '2026-04-06,Gas,-1.00'];
    await openStatement(page, account, typedRows('Date,Description,Amount', rows).join('\n'));
    const warning = page.locator('.warnings', { hasText: /^Row 2: .*2062/ });
    await warning.waitFor();
    await cell(page, 2, 'status').getByText('2062-04-06').waitFor();
    await goOn(page);
    await warning.waitFor();
    const button = page.getByRole('button', { name: 'Import 2 entries' });
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('This date is right: 2062-04-06').check();
    await startImport(page);
    await done(page);
    expect(await stored(account)).toHaveLength(2);
  },
);

testPage(
  'equal rows with one reference of the bank are a question, and the answer can be changed',
  async ({ account, page }) => {
    const rows = ['2026-04-06,Gas,-1.00,a', '2026-04-06,Gas,-1.00,a'];
    await openStatement(page, account, ['Date,Description,Amount,Transaction ID', ...rows].join('\n'));
    await page.getByRole('button', { name: 'They are one payment' }).click();
    await page.getByRole('button', { name: 'Go on with 1 new entry' }).waitFor();
    await page.getByRole('button', { name: 'Decide again' }).click();
    await page.getByRole('button', { name: 'They are payments of their own' }).click();
    await page.getByRole('button', { name: 'Go on with 2 new entries' }).click();
    await startImport(page);
    await done(page);
    expect(await stored(account)).toHaveLength(2);
  },
);
