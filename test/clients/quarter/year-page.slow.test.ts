/** The landlord's year in the import page, by mouse and by keyboard: the files at once, the rules pasted, each file checked and sent. */
import { expect, test } from 'bun:test';
import { admin } from '../../fixtures/system.ts';
import { connect, openPage, type Page, tabTo } from '../web/browser.ts';
import { done } from '../web/import-steps.ts';
import { RULES } from './landlord.ts';
import { expectedBooks, landlord } from './year-account.ts';
import { paymentsOfYear } from './year-model.ts';

const CLICKS_MAX = 60;
/** The list of properties, and the dialog of the system that chooses files: the browser reports no clicks there. */
const CLICKS_OF_SYSTEM = 4;

/** Waits for the limit of the minute are not what a person does. */
async function keyOf(accountId: string): Promise<string> {
  return (await admin.createKey({ accountId })).key ?? '';
}

async function connected() {
  const payments = paymentsOfYear();
  const year = await landlord(payments);
  const opened = await openPage();
  const { page } = opened;
  await page.evaluate(
    'addEventListener("click", ({ isTrusted, detail }) => { if (isTrusted && detail) window.clicks = (window.clicks ?? 0) + 1 }, true)',
  );
  await connect(page, await keyOf(year.account.accountId));
  return { ...opened, year, expected: expectedBooks(payments) };
}

type Year = Awaited<ReturnType<typeof connected>>;

/** Chooses the files and writes the rules: all but what differs between mouse and keyboard. */
const SEVERAL = 'Several – my rules or a column of the file say which';
const chooseFiles = (page: Page, { paths }: Year['year']) =>
  page.getByLabel('Files', { exact: true }).setInputFiles(paths);
const pasteRules = async (page: Page) => {
  await page.keyboard.insertText(RULES);
  await page.keyboard.press('Tab');
};
const isLast = (page: Page) => page.getByRole('button', { name: 'Import another file' }).isVisible();

test('by mouse, with fewer than 60 clicks, and proved', async () => {
  const { page, year, expected, close } = await connected();
  await page.getByLabel('Import into').selectOption({ label: SEVERAL });
  await chooseFiles(page, year);
  for (let isFirst = true; ; isFirst = false) {
    await page.getByRole('button', { name: 'Check the rows' }).click();
    if (isFirst) {
      await page.locator('summary', { hasText: /^Categories/ }).click();
      await page.getByLabel('Rules, one on each line.').click();
      await pasteRules(page);
    }
    await page.getByRole('button', { name: /^Go on with/, disabled: false }).click();
    await page.getByRole('button', { name: /^(Import [\d,]+ entr|Show the result)/ }).click();
    await done(page);
    if (await isLast(page)) break;
    await page.getByRole('button', { name: /^Next file/ }).click();
  }
  await page.getByRole('button', { name: 'Prove these 8 files' }).click();
  await page.locator('.note', { hasText: 'Proved: every row is accounted for.' }).waitFor();
  expect(await page.locator('.proven-files dt').allTextContents()).toEqual(
    year.files.map(({ name }) => name),
  );
  const clicks = CLICKS_OF_SYSTEM + (await page.evaluate<number>('window.clicks'));
  console.log(`The year in the page: ${clicks} clicks`);
  expect(clicks).toBeLessThan(CLICKS_MAX);
  expect(await year.books()).toEqual(expected);
  await close();
});

test('by keyboard alone', async () => {
  const { page, year, expected, close } = await connected();
  const press = async (name: RegExp) => {
    await tabTo(page, name);
    await page.keyboard.press('Enter');
  };
  await tabTo(page, /^Import into/);
  await page.keyboard.type('Several');
  await chooseFiles(page, year);
  for (let isFirst = true; ; isFirst = false) {
    await page.getByRole('button', { name: 'Check the rows' }).waitFor();
    await press(/^Check the rows/);
    await page.getByRole('button', { name: /^Go on with/ }).waitFor();
    if (isFirst) {
      await press(/^Categories/);
      await tabTo(page, /^Rules, one on each line/);
      await pasteRules(page);
    }
    await page.getByRole('button', { name: /^Go on with/, disabled: false }).waitFor();
    await press(/^Go on with/);
    await press(/^(Import [\d,]+ entr\w+|Show the result)$/);
    await done(page);
    if (await isLast(page)) break;
    await press(/^Next file/);
  }
  await press(/^Prove these 8 files/);
  await page.locator('.note', { hasText: 'Proved: every row is accounted for.' }).waitFor();
  expect(await page.evaluate<number | null>('window.clicks ?? null')).toBeNull();
  expect(await year.books()).toEqual(expected);
  await close();
});
