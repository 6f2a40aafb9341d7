/** The first step of the import page, in a real browser: the key. */
import { expect } from 'bun:test';
import { TestAccount } from '../../fixtures/client.ts';
import { admin } from '../../fixtures/system.ts';
import { connect, testPage } from './browser.ts';
import { check, importAll, manyRows, openCheck, stored, total } from './import-steps.ts';

testPage('a key shows plan and sources; no entry is read', async ({ account, page, requests }) => {
  await connect(page, account.key);
  expect(await page.locator('.account').textContent()).toBe('Pro planChange key');
  expect(await page.locator('main').textContent()).toContain('uk-property');
  expect(requests.filter((request) => request.includes('/api/'))).toEqual([
    'GET /api/v1/me',
    'GET /api/v1/sources',
  ]);
});

testPage('the key is in no storage, no address, no title and no markup', async ({ account, page }) => {
  await connect(page, account.key);
  // Copying a storage leaves out items with names of its own, such as "key".
  const everything = await page.evaluate<string>(`(async () => JSON.stringify([
    ...[localStorage, sessionStorage].map((s) => Array.from({ length: s.length }, (_, n) => s.getItem(s.key(n)))),
    document.cookie, await indexedDB.databases(), await caches.keys(),
    location.href, history.state, document.title, document.documentElement.outerHTML,
  ]))()`);
  expect(everything).toContain('Bookkeeping Ledger');
  expect(everything).not.toContain(account.key);
  expect(await page.locator('input[type=password]').count()).toBe(0);
});

testPage('a key of another account begins anew, with the file', async ({ account, page }) => {
  await openCheck(page, account, 'rents.csv', manyRows(3));
  await importAll(page);
  await page.getByRole('button', { name: 'Reconcile this file' }).waitFor();
  await page.getByRole('button', { name: 'Change key' }).click();
  const other = await TestAccount.create();
  await connect(page, other.key);
  await page.locator('.file-name', { hasText: 'rents.csv' }).waitFor();
  await page.getByLabel('Import into').selectOption(other.sources['uk-property']);
  await check(page);
  await page.getByText('0 already in the books').waitFor();
  await importAll(page);
  expect([await total(page, 'Created'), await stored(other)]).toMatchObject(['3', { length: 3 }]);
});

testPage('a page that the browser keeps for its Back button gives up the key', async ({ account, page }) => {
  await connect(page, account.key);
  await page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`);
  await page.getByLabel('API key', { exact: true }).waitFor();
  expect(await page.getByLabel('API key', { exact: true }).inputValue()).toBe('');
});

testPage('the field is for a password, outside a form, and not remembered', async ({ page }) => {
  const field = page.getByLabel('API key', { exact: true });
  expect(await field.getAttribute('type')).toBe('password');
  expect(await field.getAttribute('autocomplete')).toBe('off');
  expect(await page.locator('form').count()).toBe(0);
});

testPage('a key that does not work is explained beside its field', async ({ page, allow }) => {
  allow(/status of 40[13]/);
  const field = page.getByLabel('API key', { exact: true });
  for (const [key, expected] of [
    [await revokedKey(), /not valid.*make a new one/],
    [(await TestAccount.create('free')).key, /no API access/],
    ['nonsense', /not valid/],
    ['two words', /characters that no key has|not valid/],
    ['', /Paste your API key/],
  ] as const) {
    await field.fill(key);
    await page.keyboard.press('Enter');
    await page.locator('#key-problem').filter({ hasText: expected }).waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await field.getAttribute('aria-describedby')).toContain('key-problem');
  }
});

testPage(
  'a key that reads only opens the books, and the step of the key says that it cannot import',
  async ({ account, page }) => {
    const { key = '' } = await admin.createKey({ accountId: account.accountId, readOnly: true });
    await page.getByLabel('API key', { exact: true }).fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'This key reads only' }).waitFor();
    expect(await page.getByLabel('API key', { exact: true }).inputValue()).toBe('');
    await page.getByRole('tab', { name: 'Books' }).click();
    await page.locator('#panel-books').getByLabel('API key').waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Import' }).click();
    await connect(page, account.key);
    await page.getByText('This key reads only').waitFor({ state: 'detached' });
  },
);

async function revokedKey(): Promise<string> {
  const { accountId } = await TestAccount.create();
  const { keyId, key = '' } = await admin.createKey({ accountId });
  await admin.revokeKey({ keyId });
  return key;
}
