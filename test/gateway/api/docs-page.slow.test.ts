/** The page /api/v1/docs in a real browser: openPage fails on every request to another host, CSP violation and console error. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BROWSER_TEST_MS, openPage, type Page } from '../../clients/web/browser.ts';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(BROWSER_TEST_MS);

const DOCS = '/api/v1/docs';
const GUIDES = join(import.meta.dir, '../../../docs/api');
const TITLES = readdirSync(GUIDES).map(
  (file) => /^# (.+)$/m.exec(readFileSync(join(GUIDES, file), 'utf8'))?.[1] ?? '',
);

const token = (page: Page) => page.getByPlaceholder('Token').first();

/** Everything that the browser keeps for the page, as one text. */
const stored = (page: Page) =>
  page.evaluate<string>(`(async () => JSON.stringify([
    { ...localStorage }, { ...sessionStorage }, document.cookie, await indexedDB.databases(), await caches.keys(),
  ]))()`);

/** Whether everything fits a window of 390 px, and the page is dark. */
const narrow = (page: Page) =>
  page.evaluate<[boolean, boolean]>(
    "[document.documentElement.scrollWidth === 390, document.body.classList.contains('dark-mode')]",
  );
const PHONE = { width: 390, height: 844 };

test('the side bar lists every guide, a link between guides leads to its heading, and the quick start has the address of the service', async () => {
  const { page, requests, close } = await openPage({ path: DOCS });
  const sideBar = page.getByRole('complementary', { name: /^Sidebar/ });
  for (const title of TITLES) await sideBar.getByText(title, { exact: true }).first().waitFor();
  await page.getByText(`export LEDGER_URL=${system.url} `).first().waitFor();
  expect(await page.evaluate<string>('document.body.innerText')).not.toContain('127.0.0.1:3000');
  await page.getByRole('link', { name: 'Handle errors' }).click();
  await page.waitForURL(/#description\/errors$/);
  const { y } =
    (await page.getByRole('heading', { name: 'Errors', exact: true }).first().boundingBox()) ?? {};
  expect(y).toBeWithin(0, 200);
  expect([...new Set(requests)].sort()).toEqual([
    `GET ${DOCS}`,
    `GET ${DOCS}/scalar.js`,
    'GET /api/v1/openapi.json',
  ]);
  await page.setViewportSize(PHONE);
  expect(await narrow(page)).toEqual([true, false]);
  await close();
});

/** Waits until the page shows this heading at its top, as its address says. */
const atHeading = (page: Page, id: string) =>
  until(`the page is at ${id}`, async () => {
    const box = await page.locator(`:is(h1, h2)[id$="description/${id}"]`).boundingBox();
    return Math.abs(box?.y ?? 1000) < 300;
  });

test('a request is tried with a key, which is nowhere afterwards; the address of a guide opens the page there, on a dark phone too', async () => {
  const account = await TestAccount.create();
  await account.post(entry());
  const { page, requests, close } = await openPage({ path: DOCS, colorScheme: 'dark' });
  await token(page).fill(account.key);
  await page.getByText('Get the account of the key').first().click();
  await page.getByRole('button', { name: /^Test Request.*\/me/ }).click();
  await page.getByRole('button', { name: /^Send/ }).first().click();
  await page.getByText('200 OK').waitFor();
  await page.getByText(account.accountId).first().waitFor();
  expect(requests.filter((request) => request === 'GET /api/v1/me')).toHaveLength(1);
  expect(await stored(page)).not.toContain(account.key);
  expect(page.url()).not.toContain(account.key);
  await page.goto('about:blank');
  // Before the page opens: a change of the size while it scrolls to the guide leaves it elsewhere.
  await page.setViewportSize(PHONE);
  // The import page links to this guide.
  await page.goto(`${DOCS}#description/keys-and-requests`);
  await token(page).waitFor({ state: 'attached' });
  expect(await token(page).inputValue()).toBe('');
  await atHeading(page, 'keys-and-requests');
  expect(await narrow(page)).toEqual([true, true]);
  await close();
});
