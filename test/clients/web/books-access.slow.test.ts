/** The Books tab for everyone: narrow, dark, by keyboard, by screen reader; and what the chart draws. */
import { beforeAll, describe, expect } from 'bun:test';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { until } from '../../fixtures/until.ts';
import { NEXT_FRAME, violationsOf } from './axe.ts';
import { BROWSER_TEST_MS, connect, focused, type Page, tabTo, testPage } from './browser.ts';
import { rowsOf, showEntries, testBooksOf, tilesOf } from './open-books.ts';

const MONTHS = Array.from(
  { length: 30 },
  (_, n) => `${2024 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}`,
);
const ENTRIES = MONTHS.filter((month) => month !== '2025-02').flatMap((month, n) => [
  entry({ date: `${month}-01`, amountPence: 90_000 + n, category: 'periodAmount', description: `Rent ${n}` }),
  entry({ date: `${month}-15`, type: 'expense', description: 'x'.repeat(n === 28 ? 500 : 20) }),
  entry({
    date: `${month}-20`,
    type: 'expense',
    amountPence: 5_000,
    category: 'other',
    externalRef: `${'long-'.repeat(30)}${n}`,
  }),
]);

let account: TestAccount;
beforeAll(async () => {
  account = await TestAccount.create();
  expect((await account.post(ENTRIES)).status).toBe(201);
});

const ofAccount = testBooksOf(() => account);
const chart = (page: Page) => page.getByRole('img', { name: /^Bar chart of income and expense by/ });

const WIDTHS = [1280, 390, 320];
ofAccount('at 1280, 390 and 320 pixels nothing is cut off; no violation of axe-core', async ({ page }) => {
  expect(await violationsOf(page, WIDTHS)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await showEntries(page);
  await chart(page).waitFor();
  await page.getByText('Show as table').click();
  const entries = 'document.querySelector(".entries")';
  for (const width of WIDTHS) {
    expect(await violationsOf(page, [width])).toEqual([]);
    expect(await page.evaluate<number>(`${entries}.scrollWidth - ${entries}.clientWidth`)).toBe(0);
  }
  await page.getByLabel('Search', { exact: true }).fill('no such text');
  await page.getByText('No entry has this text.').waitFor();
  expect(await violationsOf(page, [320])).toEqual([]);
});

describe('the chart', () => {
  /** How many pixels above and below the middle of the canvas have the colour of income and of expense. */
  const coloured = (page: Page) =>
    page.evaluate<Record<'income' | 'expense', { above: number; below: number; colour: string }>>(`(() => {
      // The chart replaces its canvas when the colours change.
      const canvas = document.querySelector('canvas') ?? document.createElement('canvas');
      const context = canvas.getContext('2d', { willReadFrequently: true });
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      return Object.fromEntries(['income', 'expense'].map((name) => {
        const colour = getComputedStyle(document.querySelector('.chart-key.' + name)).color;
        const [red, green, blue] = colour.match(/\\d+/g).map(Number);
        const found = { above: 0, below: 0, colour };
        for (let at = 0; at < data.length; at += 4) {
          if (data[at] !== red || data[at + 1] !== green || data[at + 2] !== blue || data[at + 3] !== 255) continue;
          const y = Math.floor(at / 4 / canvas.width);
          found[y < canvas.height * 0.55 ? 'above' : 'below'] += 1;
        }
        return [name, found];
      }));
    })()`);

  ofAccount('draws income above expense, in the colours of the visitor', async ({ page }) => {
    await showEntries(page);
    await page.getByRole('img', { name: /Jan 2024 to Jun 2026/ }).waitFor();
    await page.evaluate(NEXT_FRAME);
    const areDrawn = async () => (await coloured(page)).income.above > 5_000;
    await until('the bars are drawn', areDrawn, BROWSER_TEST_MS);
    const light = await coloured(page);
    expect(light.income.above).toBeGreaterThan(10 * light.income.below);
    expect(light.expense.below).toBeGreaterThan(2_000);
    expect(light.expense.below).toBeGreaterThan(10 * light.expense.above);
    await page.emulateMedia({ colorScheme: 'dark' });
    const areDark = async () => {
      const { income } = await coloured(page);
      return income.colour !== light.income.colour && income.above > 5_000;
    };
    await until('the bars have the colours of the dark scheme', areDark, BROWSER_TEST_MS);
  });

  ofAccount('of many years has a bar for longer times, and every month in its table', async ({ page }) => {
    const old = await TestAccount.create();
    const dates = Array.from({ length: 20 }, (_, n) => [`${1990 + n}-01-01`, `${1990 + n}-12-31`]).flat();
    expect((await old.post(dates.map((date) => entry({ date, amountPence: 2 ** 53 - 1 })))).status).toBe(201);
    await page.getByRole('button', { name: 'Change key' }).click();
    await connect(page, old.key);
    await page.setViewportSize({ width: 390, height: 800 });
    await showEntries(page);
    await page.getByRole('img', { name: /by year, 1990 to 2009/ }).waitFor();
    await page.getByText('each bar is a year').waitFor();
    const sum = '£3,602,879,701,896,396.40';
    expect(await tilesOf(page)).toEqual([sum, '£0.00', sum, '40']);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.getByText('Show as table').click();
    await page.locator('.chart-table tbody tr').nth(239).waitFor();
  });
});

testPage('the keyboard alone suffices, from the key to the file', async ({ page }) => {
  const scrolled = (selector: string) =>
    page.evaluate<number>(`document.querySelector('${selector}').scrollTop`);
  await connect(page, account.key);
  await page.evaluate('document.activeElement.blur()');
  await tabTo(page, /^Import$/);
  await page.keyboard.press('ArrowRight');
  expect(await focused(page)).toBe('Books');
  await tabTo(page, /^Property or business/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await tabTo(page, /^From/);
  await page.keyboard.type('01012025');
  await page.keyboard.press('Enter');
  await rowsOf(page).nth(1).waitFor();
  expect((await tilesOf(page)).at(-1)).toBe('51');
  await tabTo(page, /^Search/);
  await page.keyboard.type('rent received');
  await page.locator('.tile dd', { hasText: /^17$/ }).waitFor();
  await tabTo(page, /^Download CSV/);
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(download.suggestedFilename()).toEndWith('.csv');
  await tabTo(page, /^Show as table/);
  await page.keyboard.press('Enter');
  await tabTo(page, /^MonthIncome/);
  await page.keyboard.press('End');
  await until('the months scroll', async () => (await scrolled('.chart-scroll')) > 0);
  await tabTo(page, /^DateDescription/);
  await page.keyboard.press('End');
  await until('the entries scroll', async () => (await scrolled('.entries')) > 0);
});
