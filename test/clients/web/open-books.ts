/** The Books tab in a real browser. */
import { test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { TestAccount } from '../../fixtures/client.ts';
import { BROWSER_TEST_MS, connect, type Opened, type OpenOptions, openPage, type Page } from './browser.ts';

/** Tests with the Books tab of an account open, once it has read what it opens with. */
export const testBooksOf =
  (accountOf: () => TestAccount | Promise<TestAccount>, options?: OpenOptions) =>
  (name: string, body: (opened: Opened & { account: TestAccount }) => Promise<void>) => {
    const run = async () => {
      const account = await accountOf();
      const opened = await openBooks(account.key, options);
      await body({ account, ...opened });
      await opened.close();
    };
    test(name, run, BROWSER_TEST_MS);
  };

async function openBooks(key: string, options: OpenOptions = {}): Promise<Opened> {
  const opened = await openPage(options);
  await opened.page.getByRole('tab', { name: 'Books' }).click();
  await connect(opened.page, key);
  await opened.page.getByText(/^All read:|no properties or businesses yet/).waitFor({ state: 'attached' });
  return opened;
}

export const choosePeriod = (page: Page, name: string) =>
  page.getByLabel('Period', { exact: true }).selectOption(name);
export const chooseSource = (page: Page, idOrName: string) =>
  page.locator('#books-source').selectOption(idOrName);

/** The entries of all dates. */
export const showEntries = (page: Page) => choosePeriod(page, 'All dates');

/** The header is the first one. */
export const rowsOf = (page: Page) => page.getByRole('table', { name: 'Entries' }).getByRole('row');

/** Income, expense, net and the number of entries. */
export const tilesOf = (page: Page) => page.locator('.tile dd').allTextContents();

/** A file that the page made, by the button of its kind. */
export async function downloaded(page: Page, kind: 'CSV' | 'XLSX') {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Download ${kind}` }).click(),
  ]);
  const bytes = new Uint8Array(readFileSync(await download.path()));
  return { name: download.suggestedFilename(), bytes, text: new TextDecoder().decode(bytes) };
}
