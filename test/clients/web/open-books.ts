/** The Books tab in a real browser. */
import type { Page } from 'playwright-core';
import { connect, type Opened, type OpenOptions, openPage } from './browser.ts';

export async function openBooks(key: string, options: OpenOptions = {}): Promise<Opened> {
  const opened = await openPage(options);
  await opened.page.getByRole('tab', { name: 'Books' }).click();
  await connect(opened.page, key);
  return opened;
}

export const showEntries = (page: Page) => page.getByRole('button', { name: 'Show entries' }).click();

/** The header is the first one. */
export const rowsOf = (page: Page) => page.getByRole('table', { name: 'Entries' }).getByRole('row');

/** Income, expense, net and the number of entries. */
export const tilesOf = (page: Page) => page.locator('.tile dd').allTextContents();
