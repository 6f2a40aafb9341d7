/** The landlord's year in the import page: the files and the rules are chosen, checked in one list, sent once, and reconciled. */
import { expect, test } from 'bun:test';
import { admin } from '../../fixtures/system.ts';
import { BROWSER_TEST_MS, connect, openPage } from '../web/browser.ts';
import { done, startImport } from '../web/import-steps.ts';
import { expectedBooks, landlord } from './year-account.ts';
import { paymentsOfYear } from './year-model.ts';

/** The browser reports none in the list of properties (2) and in the dialogs that choose six files (3) and one (2). */
const CLICKS_OF_SYSTEM = 7;

test(
  'by mouse, with at most 20 clicks, and reconciled',
  async () => {
    const payments = paymentsOfYear();
    const [year, { page, close }] = await Promise.all([landlord(payments), openPage()]);
    await page.evaluate(
      'addEventListener("click", ({ isTrusted, detail }) => { if (isTrusted && detail) window.clicks = (window.clicks ?? 0) + 1 }, true)',
    );
    const { key = '' } = await admin.createKey({ accountId: year.account.accountId });
    await connect(page, key);
    /** Presses the button, and answers the dialog that chooses files. */
    const choose = async (name: string, paths: string | string[]) => {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name }).click();
      await (await chooser).setFiles(paths);
    };
    const several = 'Several – my rules or a column of the file say which';
    await page.getByLabel('Import into').selectOption({ label: several });
    await choose('Choose files', year.paths);
    await page.getByRole('button', { name: 'Check the rows' }).click();
    await choose('Load a rules file', year.rules);
    await page.getByRole('button', { name: /^Go on with [1-9]/, disabled: false }).click();
    await startImport(page);
    await done(page);
    await page.getByRole('button', { name: 'Reconcile these 6 files' }).click();
    await page.locator('.note', { hasText: 'Reconciled: every row is accounted for.' }).waitFor();
    const names = await page.locator('.reconciled-files dt').allTextContents();
    expect(names).toEqual(year.files.map(({ name }) => name));
    const clicks = CLICKS_OF_SYSTEM + (await page.evaluate<number>('window.clicks'));
    expect(clicks).toBeLessThanOrEqual(20);
    expect(await year.books()).toEqual(expectedBooks(payments));
    await close();
  },
  BROWSER_TEST_MS,
);
