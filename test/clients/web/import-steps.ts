/** The steps of the import in a browser, and what the books have afterwards. */
import type { Page } from 'playwright-core';
import type { TestAccount } from '../../fixtures/client.ts';
import { sql } from '../../fixtures/system.ts';
import { connect } from './browser.ts';

/** Drops a file on the page, as a mouse does. */
export async function drop(page: Page, name: string, text: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    `(() => { const t = new DataTransfer(); t.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)})); return t; })()`,
  );
  await page.dispatchEvent('.drop', 'drop', { dataTransfer: transfer });
}

/** The File step done, with this text as a file. */
export async function openFile(page: Page, account: TestAccount, name: string, text: string): Promise<void> {
  await connect(page, account.key);
  await page.getByLabel('Import into').selectOption(account.sources['uk-property']);
  await drop(page, name, text);
}

/** The Check step, with this text as a file. */
export async function openCheck(page: Page, account: TestAccount, name: string, text: string): Promise<void> {
  await openFile(page, account, name, text);
  await check(page);
}

export const check = (page: Page) => page.getByRole('button', { name: 'Check the rows' }).click();
export const goOn = (page: Page) => page.getByRole('button', { name: /^Go on with/ }).click();
export const startImport = (page: Page) =>
  page.getByRole('button', { name: /^(Import [\d,]+ entr|Show the result)/ }).click();
export const done = (page: Page) => page.getByRole('heading', { name: /^Done:/ }).waitFor();
/** From the Check step to the result. */
export async function importAll(page: Page): Promise<void> {
  await goOn(page);
  await startImport(page);
  await done(page);
}
export const cell = (page: Page, row: number | string, column: string) =>
  page
    .locator('[role=row]', { has: page.getByLabel(`Select row ${row}`, { exact: true }) })
    .locator(`.cell.${column}`);

/** Leaves the row out, by keyboard: the button in the row needs the pointer on it. */
export const leaveOut = async (page: Page, row: number | string) => {
  await cell(page, row, 'line').click();
  await page.keyboard.press('Delete');
};

/** The entries of the account in the database, oldest first. */
export const stored = (account: TestAccount) =>
  sql`select entry_date::text as date, type, amount_pence::int as pence, description, category from ledger.entry
      where account_id = ${account.accountId} order by entry_date, description`;

export const manyRows = (count: number) =>
  [
    'Date,Description,Money in',
    ...Array.from({ length: count }, (_, i) => `2026-04-0${(i % 9) + 1},Row ${i},${i + 2}.00`),
  ].join('\n');

/** A paragraph that is seen: what is announced to screen readers says the same, up to four seconds later. */
export const shownText = (page: Page, hasText: string | RegExp) =>
  page.locator('p:not(.sr-only)', { hasText });

/** A total of the step, by its name. */
export const total = async (page: Page, name: string) => {
  const term = page.locator('.totals > div', {
    has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }),
  });
  return (await term.locator('dd').first().textContent()) ?? '';
};
