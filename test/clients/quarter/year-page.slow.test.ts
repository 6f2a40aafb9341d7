/** The landlord's year in the import page: the files at once, the rules pasted, each file checked and sent. */
import { expect, test } from 'bun:test';
import { admin } from '../../fixtures/system.ts';
import { BROWSER_TEST_MS, connect, openPage } from '../web/browser.ts';
import { done, startImport } from '../web/import-steps.ts';
import { RULES } from './landlord.ts';
import { expectedBooks, landlord } from './year-account.ts';
import { paymentsOfYear } from './year-model.ts';

const CLICKS_MAX = 60;
/** The list of properties, and the dialog of the system that chooses files: the browser reports no clicks there. */
const CLICKS_OF_SYSTEM = 4;

async function pushYear(): Promise<void> {
  const payments = paymentsOfYear();
  const [year, { page, close }] = await Promise.all([landlord(payments), openPage()]);
  await page.evaluate(
    'addEventListener("click", ({ isTrusted, detail }) => { if (isTrusted && detail) window.clicks = (window.clicks ?? 0) + 1 }, true)',
  );
  // The account has used the minute of its own key. A person takes longer than a minute for all files, and needs no second key.
  const anotherKey = async () =>
    connect(page, (await admin.createKey({ accountId: year.account.accountId })).key ?? '');
  await anotherKey();
  const several = 'Several – my rules or a column of the file say which';
  await page.getByLabel('Import into').selectOption({ label: several });
  await page.getByLabel('Files', { exact: true }).setInputFiles(year.paths);
  for (const index of year.paths.keys()) {
    if (index === 3) {
      await page.getByRole('button', { name: 'Change key' }).click();
      await anotherKey();
    }
    if (index > 0) await page.getByRole('button', { name: /^Next file/ }).click();
    await page.getByRole('button', { name: 'Check the rows' }).click();
    if (index === 0) {
      await page.locator('summary', { hasText: /^Categories/ }).click();
      await page.getByLabel('Rules, one on each line.').click();
      await page.keyboard.insertText(RULES);
      await page.keyboard.press('Tab');
    }
    await page.getByRole('button', { name: /^Go on with/, disabled: false }).click();
    await startImport(page);
    await done(page);
  }
  await page.getByRole('button', { name: 'Prove these 6 files' }).click();
  await page.locator('.note', { hasText: 'Proved: every row is accounted for.' }).waitFor();
  const names = await page.locator('.proven-files dt').allTextContents();
  expect(names).toEqual(year.files.map(({ name }) => name));
  const clicks = CLICKS_OF_SYSTEM + (await page.evaluate<number>('window.clicks'));
  expect(clicks).toBeLessThan(CLICKS_MAX);
  expect(await year.books()).toEqual(expectedBooks(payments));
  await close();
}

test('by mouse, with fewer than 60 clicks, and proved', pushYear, BROWSER_TEST_MS);
