/** What the Books tab shows before anything is chosen: this tax year, what was imported, and dates as the visitor writes them. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { taxYearName, taxYearOf, today } from '../../../clients/web/books/periods.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { connect, openPage } from './browser.ts';
import { check, done, goOn, openFile, push } from './import-steps.ts';
import { choosePeriod, chooseSource, openBooks, rowsOf, showEntries, tilesOf } from './open-books.ts';

setDefaultTimeout(120_000);

const rent = (date: string, amountPence: number) => ({ type: 'income', date, amountPence });

describe('the tab opens', () => {
  const year = taxYearOf(today());

  test('with this tax year of every property and business; a period or one of them is a choice away', async () => {
    const two = await TestAccount.create();
    await two.post([rent(`${year}-04-06`, 100), rent(`${year}-04-05`, 200)]);
    await two.post([rent(`${year}-12-01`, 400)], { source: two.sources['self-employment'] });
    const { page, close } = await openBooks(two.key);
    expect(await page.locator('.books-heading').textContent()).toContain('All properties and businesses');
    expect(await tilesOf(page)).toEqual(['£5.00', '£0.00', '£5.00', '2']);
    expect(await page.locator('.entry-source').allTextContents()).toEqual(['self-employment', 'uk-property']);
    await choosePeriod(page, `Last tax year, ${taxYearName(year - 1)}`);
    await page.locator('.tile dd', { hasText: /^1$/ }).waitFor();
    expect((await tilesOf(page))[0]).toBe('£2.00');
    await choosePeriod(page, `6 Oct ${year} to 5 Jan ${year + 1}`);
    await page.locator('.tile dd', { hasText: '£4.00' }).first().waitFor();
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe(`${year}-10-06`);
    await choosePeriod(page, 'All dates');
    await chooseSource(page, two.sources['uk-property']);
    await page.locator('.tile dd', { hasText: '£3.00' }).first().waitFor();
    expect(await page.locator('.entry-source').count()).toBe(0);
    await close();
  });

  test('after an import with what was imported: the property and the period', async () => {
    const importing = await TestAccount.create();
    await importing.post([rent('2024-05-01', 100)], { source: importing.sources['self-employment'] });
    const { page, close } = await openPage();
    const csv = 'Date,Description,Amount\n2024-05-01,Rent,950.00\n2024-06-30,Gas,-12.00\n';
    await openFile(page, importing, 'a.csv', csv);
    await check(page);
    await goOn(page);
    await push(page);
    await done(page);
    await page.getByRole('tab', { name: 'Books' }).click();
    await page.locator('.books-heading', { hasText: '1 May 2024 to 30 June 2024' }).waitFor();
    await rowsOf(page).nth(2).waitFor();
    expect(await tilesOf(page)).toEqual(['£950.00', '£12.00', '£938.00', '2']);
    expect(await page.locator('#books-source').inputValue()).toBe(importing.sources['uk-property']);
    await close();
  });

  test('and nothing is read before it is shown', async () => {
    const { page, close, requests } = await openPage();
    await connect(page, (await TestAccount.create()).key);
    await page.getByLabel('Import into').waitFor();
    expect(requests.some((request) => request.includes('/transactions'))).toBe(false);
    await close();
  });
});

test.each([
  ['de-DE', '6 Apr 2026'],
  ['en-US', 'Apr 6, 2026'],
])('dates are British, or of the visitor’s own English: %s', async (locale, date) => {
  const visited = await TestAccount.create();
  await visited.post([rent('2026-04-06', 223_456)]);
  const { page, close } = await openBooks(visited.key, { locale });
  await showEntries(page);
  await rowsOf(page).nth(1).waitFor();
  expect((await tilesOf(page))[0]).toBe('£2,234.56');
  expect(await rowsOf(page).nth(1).textContent()).toContain(date);
  await close();
});
