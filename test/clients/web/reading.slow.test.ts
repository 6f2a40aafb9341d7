/** The file beside what the page does with it: it is read in a worker, and its balances are checked before the import. */
import { expect } from 'bun:test';
import { typedRows } from '../typed-rows.ts';
import { testPage } from './browser.ts';
import { check, drop, importAll, openCheck, openFile, shownText, stored } from './import-steps.ts';

const HEADER = 'Date,Description,Amount,Balance';
const csv = (...rows: string[]) => typedRows(HEADER, rows).join('\n');
const MAY = csv(
  '2026-05-01,RENT PATEL,950.00,1950.00',
  '2026-05-04,PLUMBER,-80.00,1870.00',
  '2026-05-09,SHOP,-20.00,1850.00',
);
const JUNE = csv('2026-06-01,RENT PATEL,950.00,2800.00', '2026-06-03,GARDENER,-40.00,2760.00');

testPage('a missing row is shown, and the file can be imported', async ({ account, page }) => {
  await openCheck(page, account, 'may.csv', MAY.replace(/.*PLUMBER.*\n/, ''));
  await page.getByText('Rows may be missing, doubled or changed.').waitFor();
  await page.getByText('Row 3 does not follow from row 2: -80.00 is missing.').waitFor();
  await importAll(page);
  expect(await stored(account)).toHaveLength(2);
});

testPage('a file whose rows follow says so', async ({ account, page }) => {
  await openCheck(page, account, 'may.csv', MAY);
  await shownText(page, 'From 1,000.00 to 1,850.00 every row follows').waitFor();
  expect(await page.getByText('Rows may be missing').count()).toBe(0);
});

testPage('the next file of the account must go on where the last one ended', async ({ account, page }) => {
  const named = async () => {
    await page.getByRole('button', { name: /^Change how/ }).click();
    await page.getByLabel(/name of the bank account/i).fill('Joint');
    await page.getByLabel(/name of the bank account/i).blur();
  };
  await openFile(page, account, 'may.csv', MAY);
  await named();
  await check(page);
  await importAll(page);
  await page.getByRole('button', { name: 'Import other files' }).click();
  // The name is proposed for the next file.
  await drop(page, 'june.csv', JUNE);
  const names = "[...document.querySelectorAll('#account-names option')].map(({ value }) => value)";
  await page.locator('#account-names option').first().waitFor({ state: 'attached' });
  expect(await page.evaluate<string[]>(names)).toEqual(['Joint']);
  await page.getByRole('button', { name: 'Remove june.csv' }).click();
  const said = shownText(page, 'Joint: The last file of the account ended with 1,850.00 on 9 May 2026');
  const goesOn = shownText(page, 'Joint: It goes on from 1,850.00 of 9 May 2026');
  for (const [text, isMissing] of [
    [JUNE.replace('2800', '2900').replace('2760', '2860'), true],
    [JUNE, false],
  ] as const) {
    await drop(page, 'june.csv', text);
    await named();
    await check(page);
    await said.or(goesOn).waitFor();
    expect(await said.isVisible()).toBe(isMissing);
    if (!isMissing) break;
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Remove june.csv' }).click();
  }
  // The rules file takes the balance to another device.
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const text = await Bun.file((await (await saved).path()) ?? '').text();
  expect(text).toBe('balance of "Joint" on 2026-05-09: 1850.00\n');
  await page.evaluate('localStorage.clear()');
  await page.reload();
  await openFile(page, account, 'june.csv', JUNE);
  await named();
  await check(page);
  await page.getByText('No problems', { exact: true }).waitFor();
  expect(await goesOn.count()).toBe(0);
  const buffer = Buffer.from(text);
  await page.getByLabel('Rules file').setInputFiles({ name: 'rules.txt', mimeType: 'text/plain', buffer });
  await goesOn.waitFor();
  expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain(account.key);
});

testPage('a page that cannot load its reader says what to do', async ({ account, page, allow }) => {
  allow(/ERR_FAILED/);
  await page.route('**/reader-worker-*', (route) => route.abort());
  await page.reload();
  await openFile(page, account, 'may.csv', MAY);
  await page.getByText('The part of the page that reads files could not be loaded.').first().waitFor();
  await page.unroute('**/reader-worker-*');
  await drop(page, 'may.csv', MAY);
  await check(page);
  await importAll(page);
  expect(await stored(account)).toHaveLength(3);
});

testPage('a file is read after the connection is lost', async ({ account, page }) => {
  await openFile(page, account, 'may.csv', MAY);
  await page.context().setOffline(true);
  await drop(page, 'june.csv', JUNE);
  await page
    .getByText(/2 rows, 1 June 2026/)
    .first()
    .waitFor();
});

testPage('the error of a dropped folder goes when rows are pasted', async ({ account, page }) => {
  await openFile(page, account, 'may.csv', MAY);
  // The browser cannot read a folder.
  await page.evaluate(`(() => { const read = File.prototype.arrayBuffer;
    File.prototype.arrayBuffer = () => { File.prototype.arrayBuffer = read; return Promise.reject(new Error('x')); } })()`);
  await drop(page, 'statements', '');
  const problem = page.getByText('The browser cannot read these');
  await problem.waitFor();
  await page.getByText('Paste rows instead').click();
  await page.getByLabel('Rows, with their header').fill(JUNE);
  await page.getByRole('button', { name: 'Read these rows' }).click();
  await page.getByRole('button', { name: 'Remove pasted text' }).waitFor();
  expect(await problem.count()).toBe(0);
});

testPage(
  'a name shows the characters that would change the order of its letters',
  async ({ account, page }) => {
    await openFile(page, account, 'may\u202exslx.csv', MAY);
    await page.getByText('may\\u202exslx.csv').first().waitFor();
    expect(await page.content()).not.toContain('\u202e');
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
