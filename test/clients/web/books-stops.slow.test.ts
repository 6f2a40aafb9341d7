/** The Books tab in a real browser, when reading the entries stops: Cancel, connection, limit. */
import { beforeAll, describe, expect } from 'bun:test';
import { batch } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import type { Page } from './browser.ts';
import { downloaded, showEntries, testBooksOf, tilesOf } from './open-books.ts';

describe('a reading that stops', () => {
  let large: TestAccount;
  beforeAll(async () => {
    large = await TestAccount.create();
    expect((await large.post(batch('l', 500))).status).toBe(201);
  });
  const ofLarge = testBooksOf(() => large);
  const all = (page: Page) => page.locator('.tile dd', { hasText: '500' }).waitFor();

  /** Shows the entries, and holds the second page until the test lets it go. */
  async function showFirstPage(page: Page) {
    const isHeld = Promise.withResolvers<void>();
    const mayGo = Promise.withResolvers<void>();
    await page.route('**/transactions?*cursor=*', async (route) => {
      isHeld.resolve();
      await mayGo.promise;
      await route.fallback();
    });
    await showEntries(page);
    await isHeld.promise;
    return mayGo.resolve;
  }

  ofLarge('by Cancel keeps what was read, and says that it is a part', async ({ page }) => {
    const go = await showFirstPage(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Not all entries were read').waitFor();
    expect((await tilesOf(page)).at(-1)).toBe('200');
    go();
    expect((await downloaded(page, 'CSV')).text.trim().split('\r\n')).toHaveLength(201);
    await showEntries(page);
    await all(page);
  });

  ofLarge('because the connection broke goes on when it is back', async ({ page, allow }) => {
    allow(/ERR_INTERNET_DISCONNECTED/);
    const go = await showFirstPage(page);
    await page.context().setOffline(true);
    go();
    await page.getByText('The service cannot be reached. Reading goes on by itself').waitFor();
    await page.context().setOffline(false);
    await all(page);
  });

  ofLarge('at the minute limit says when it goes on', async ({ page, allow }) => {
    allow(/status of 429/);
    const error = { code: 'rate_limited', message: 'wait', retryAfterSeconds: 1 };
    const refusal = { status: 429, json: { error }, headers: { 'retry-after': '1' } };
    await page.route('**/transactions?*cursor=*', (route) => route.fulfill(refusal), { times: 1 });
    await showEntries(page);
    await page.getByText(/120 requests in a minute\. Reading goes on by itself at \d/).waitFor();
    await all(page);
  });
});
