/** The Books tab in a real browser, when reading the entries stops: Cancel, key, connection, limit. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { downloaded, openBooks, showEntries, tilesOf } from './open-books.ts';

setDefaultTimeout(120_000);

const OFFLINE = /status of 40[13]|ERR_INTERNET_DISCONNECTED/;

describe('a reading that stops', () => {
  let large: TestAccount;
  beforeAll(async () => {
    large = await TestAccount.create();
    const entries = Array.from({ length: 500 }, (_, n) => entry({ externalRef: `l-${n}` }));
    expect((await large.post(entries)).status).toBe(201);
  });

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

  test('by Cancel keeps what was read, and says that it is a part', async () => {
    const { page, close } = await openBooks(large.key);
    const go = await showFirstPage(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Not all entries were read').waitFor();
    expect((await tilesOf(page)).at(-1)).toBe('200');
    go();
    expect((await downloaded(page, 'CSV')).text.trim().split('\r\n')).toHaveLength(201);
    await showEntries(page);
    await page.locator('.tile dd', { hasText: '500' }).waitFor();
    await close();
  });

  test('because the connection broke goes on by itself when it is back', async () => {
    const { page, close } = await openBooks(large.key, { allowed: OFFLINE });
    const go = await showFirstPage(page);
    await page.context().setOffline(true);
    go();
    await page.getByText('The service cannot be reached. Reading goes on by itself').waitFor();
    await page.context().setOffline(false);
    await page.locator('.tile dd', { hasText: '500' }).waitFor();
    await close();
  });

  test('at the minute limit says when it goes on', async () => {
    const { page, close } = await openBooks(large.key, { allowed: /status of 429/ });
    let isRefused = false;
    await page.route('**/transactions?*cursor=*', async (route) => {
      if (isRefused) return route.fallback();
      isRefused = true;
      const error = { code: 'rate_limited', message: 'wait', retryAfterSeconds: 2 };
      await route.fulfill({ status: 429, json: { error }, headers: { 'retry-after': '2' } });
    });
    await showEntries(page);
    await page.getByText(/120 requests in a minute\. Reading goes on by itself at \d/).waitFor();
    await page.locator('.tile dd', { hasText: '500' }).waitFor();
    await close();
  });
});
