/** The File step in a real browser: what was read in one line, the controls on request, and the columns that a person has to settle. */
import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testPage } from './browser.ts';
import { check, drop, importAll, openFile, stored } from './import-steps.ts';

const MONZO = readFileSync(join(import.meta.dir, '../files/monzo.csv'), 'utf8');

testPage('a recognised bank is one line; controls open where needed', async ({ account, page }) => {
  await openFile(page, account, 'monzo.csv', MONZO);
  await page.getByText('Monzo, 6 rows, 1 April 2026 to 3 April 2026. 1 row is skipped.').waitFor();
  const read = (await page.locator('.columns-read > div').allTextContents()).join('\n');
  expect(read).toMatch(
    /^DateDate01\/04\/2026, read as day, month, year\nAmountAmount950\.00\nDescriptionName/,
  );
  await page.getByText(/^Columns that are not used: Time, Emoji, /).waitFor();
  expect(await page.locator('#panel-import select').count()).toBe(1);
  await page.getByRole('button', { name: /^Change how monzo/ }).click();
  await page.getByLabel('Order of dates').selectOption('mdy');
  await page.getByText(/^Monzo, 6 rows, 4 January 2026 to 4 March 2026\./).waitFor();
  await page.getByRole('button', { name: /^Close/ }).click();
  expect(await page.locator('#panel-import select').count()).toBe(1);
  await drop(page, 'other.csv', 'Date,Description,Money in\n03/04/2026,Rent,1.00\n');
  await page.locator('.note.bad').waitFor();
  expect(await page.getByLabel('Order of dates').getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Order of dates').selectOption('mdy');
  await page.getByText('CSV file, 1 row, 4 March 2026.').waitFor();
});

testPage('nothing is read before each column of money is settled', async ({ account, page }) => {
  const rents = [
    'Date,Tenant,Rent Due,Rent Paid,Expenses',
    '01/10/2026,Patel,1025,1025,',
    '13/10/2026,Jones,895,895,',
    '15/10/2026,Plumber,,,120.50',
  ];
  // In the commit of the document in which the problem appears.
  const withProblem = page.evaluate<boolean>(
    `new Promise((resolve) => new MutationObserver(() => document.querySelector('#file-1-problem') && resolve(document.querySelector('.columns') !== null)).observe(document.body, { childList: true, subtree: true }))`,
  );
  await openFile(page, account, 'rents.csv', rents.join('\n'));
  expect(await withProblem).toBe(true);
  await page.locator('.note.bad', { hasText: 'Rent Due' }).waitFor();
  const column = (name: string) => page.locator('.columns').getByLabel(name, { exact: true });
  expect(await page.locator('.columns .unresolved th').allTextContents()).toEqual(['Rent Due', 'Rent Paid']);
  expect(await page.locator('.columns .unresolved td').first().textContent()).toBe('1025 · 895');
  expect(await column('Rent Paid').getAttribute('aria-invalid')).toBe('true');
  expect(await column('Expenses').inputValue()).toBe('moneyOut');
  expect(await page.getByRole('button', { name: 'Check the rows' }).count()).toBe(0);
  await column('Rent Due').selectOption('Not used');
  await page.locator('.note.bad', { hasText: 'Rent Paid' }).waitFor();
  await column('Rent Paid').selectOption('Money in');
  await page.getByText('CSV file, 3 rows, 1 October 2026 to 15 October 2026.').waitFor();
  await check(page);
  await importAll(page);
  expect((await stored(account)).map(({ type, pence }) => [type, pence])).toEqual([
    ['income', 102_500],
    ['income', 89_500],
    ['expense', 12_050],
  ]);

  await page.getByRole('button', { name: 'Import other files' }).click();
  await drop(page, 'next.csv', rents.slice(0, 3).join('\n').replaceAll('10/2026', '11/2026'));
  await page.getByText(/^CSV file, 2 rows, .* Columns as chosen on /).waitFor();
  await page.getByText(/^Your rules keep the use of these columns .* that name no bank account\.$/).waitFor();
  await page.getByRole('button', { name: 'Forget it' }).click();
  await page.locator('.note.bad', { hasText: 'Rent Due' }).waitFor();
});

testPage(
  'lines between rows, values and signs without a column are asked about, and an answer can be changed',
  async ({ account, page }) => {
    const list = [
      ...['Date,Description,Money out,Kind', 'Paid', '13/10/2026,PAINT,60.00,Done', 'Planned'],
      ...['14/10/2026,ROOF,700.00,Done', '15/10/2026,NAILS,12.00,Quote'],
    ];
    await openFile(page, account, 'list.csv', list.join('\n'));
    const question = (name: string) => page.locator('.questions').getByLabel(name, { exact: true });
    await page.locator('.note.bad', { hasText: 'Planned' }).waitFor();
    await question('Row 2').selectOption('Read the row as usual');
    await question('Row 4').selectOption('No payment');
    await question('“Done” in Kind').selectOption('Read the row as usual');
    await question('“Quote” in Kind').selectOption('No payment');
    await page.getByText(/^CSV file, 5 rows, 13 October 2026\. Columns .* 4 rows are skipped\.$/).waitFor();
    await question('Row 4').selectOption('Money out');
    await page
      .getByText(/^CSV file, 5 rows, 13 October 2026 to 14 October 2026\. .* 3 rows are skipped\.$/)
      .waitFor();
    await question('Row 4').selectOption('Choose…');
    await page.locator('.note.bad', { hasText: 'Planned' }).waitFor();
    await page.getByRole('button', { name: 'Remove list.csv' }).click();

    await drop(page, 'a.qif', '!Type:Bank\nD13/10/2026\nT60.00\nPPAINT\n^\n');
    await question('Amounts (T)').selectOption('Money out, a minus is money back');
    await check(page);
    await importAll(page);
    expect(await stored(account)).toMatchObject([{ type: 'expense', pence: 6_000 }]);
  },
);

testPage('rows that add up to another are a question of the next step', async ({ account, page }) => {
  const rents =
    'Date,Description,Money in\n13/10/2026,Flat A,900\n14/10/2026,Flat B,800\n15/10/2026,Rents,1700\n';
  await openFile(page, account, 'rents.csv', rents);
  await check(page);
  await page.getByText('1 row may be a total, a part or the other side of other rows: 4.').waitFor();
  await page.getByRole('button', { name: 'Leave them out' }).click();
  await importAll(page);
  expect((await stored(account)).map(({ pence }) => pence)).toEqual([90_000, 80_000]);
});

testPage('a file that cannot be read has its reason alone', async ({ account, page }) => {
  await openFile(page, account, 'statement.pdf', '%PDF-1.7\n');
  await page.getByText('This is a PDF; download the statement').first().waitFor();
  expect(await page.locator('#panel-import select').count()).toBe(1);
  await drop(page, 'monzo.csv', MONZO);
  await page.getByRole('button', { name: /^Change how monzo/ }).click();
  await page.getByLabel('Kind of file').selectOption('xlsx');
  await page.locator('.note.bad', { hasText: 'not an Excel workbook' }).waitFor();
  await page.getByLabel('Kind of file').selectOption('');
  await page.getByText('Monzo, 6 rows,').first().waitFor();
});
