/** Tests with the import page of the real service open in the browser of the run. */
import { test } from 'bun:test';
import { TestAccount } from '../../fixtures/client.ts';
import { BROWSER_TEST_MS, type Opened, type OpenOptions, openPage, type Page } from './open-page.ts';

export { BROWSER_TEST_MS, type Opened, type OpenOptions, openPage, type Page };

/** Gives the page a key, as a person does. */
export async function connect(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Change key' }).waitFor();
}

/** The text of what has the focus, or its name. */
export const focused = (page: Page) =>
  page.evaluate<string>(
    `(() => { const e = document.activeElement; return (e.labels?.[0] ?? e).textContent || e.getAttribute('aria-label') || e.tagName })()`,
  );

/** Presses Tab until such an element has the focus. */
export async function tabTo(page: Page, text: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (text.test(await focused(page))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The Tab key does not reach ${text}`);
}

/** From now on no pause of the page ends by itself: what comes all the same has not waited. */
export const holdPauses = (page: Page) =>
  page.evaluate(
    `(() => { const set = setTimeout; globalThis.setTimeout = (run, ms) => set(run, ms >= 500 ? 2 ** 31 - 1 : ms) })()`,
  );

type Body = (opened: Opened & { account: TestAccount }) => Promise<void>;

/** Opens the page for a new account, whose key the page does not have yet. Afterwards there were no faults. */
export async function withPage(body: Body, options?: OpenOptions): Promise<void> {
  const [account, opened] = await Promise.all([TestAccount.create(), openPage(options)]);
  await body({ account, ...opened });
  await opened.close();
}

export const testPage = (name: string, body: Body, options?: OpenOptions): void =>
  test(name, () => withPage(body, options), BROWSER_TEST_MS);
