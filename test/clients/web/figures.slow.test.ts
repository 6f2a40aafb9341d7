/** The figures of a quarter in a real browser: by mouse, by keyboard, after an import with rules, narrow and dark. */
import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { ukDay } from '../../../clients/typescript/days.ts';
import { titleOfWorkbook } from '../../../clients/typescript/export/workbook.ts';
import { taxYearOf } from '../../../clients/typescript/figures/periods.ts';

import { TestAccount } from '../../fixtures/client.ts';
import { admin } from '../../fixtures/system.ts';
import { violationsOf } from './axe.ts';
import { connect, focused, type Page, tabTo, testPage } from './browser.ts';
import { importAll, openCheck } from './import-steps.ts';
import { testBooksOf } from './open-books.ts';

const YEAR = taxYearOf(ukDay());
const rent = (date: string, amountPence: number) => ({
  date,
  amountPence,
  type: 'income',
  category: 'periodAmount',
  description: `Rent of ${date}`,
});

/** Two quarters of a flat and a joint house, an entry to be sorted, and a business with CIS deductions. */
async function landlord() {
  const account = await TestAccount.create();
  const { accountId } = account;
  const { id: joint } = await admin.createSource({
    accountId,
    type: 'uk-property',
    name: 'Joint house',
    role: 'owner',
    sharePercent: 50,
  });
  await account.post([
    rent(`${YEAR}-04-03`, 7),
    rent(`${YEAR}-04-06`, 90_000),
    rent(`${YEAR}-07-05`, 90_000),
    rent(`${YEAR}-07-06`, 95_000),
    { type: 'expense', date: `${YEAR}-05-01`, amountPence: 12_345, description: 'Somebody' },
  ]);
  await account.post([rent(`${YEAR}-07-31`, 101)], { source: joint });
  await account.post(
    [{ type: 'income', category: 'seTaxDeducted', date: `${YEAR}-07-06`, amountPence: 2_000 }],
    { source: account.sources['self-employment'] },
  );
  return account;
}

const showFigures = async (page: Page, quarter = '2') => {
  await page.getByText('Figures of a quarter', { exact: true }).first().click();
  await page.getByLabel('Quarter', { exact: true }).selectOption(quarter);
  await page.locator('table.figures').first().waitFor();
};
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const rowOf = (page: Page, name: string) =>
  page.locator('table.figures tr', { has: page.getByRole('rowheader', { name }) });
/** Of the first, second and so on of these rows. */
const textOf = async (page: Page, name: string, index = 0) =>
  (await rowOf(page, name).allInnerTexts())[index]?.replace(/\s+/g, ' ');

const RULE =
  'first what is to be sorted, then quarter and year so far of each business; a figure opens to its entries';
testBooksOf(landlord)(RULE, async ({ page, requests }) => {
  await showFigures(page);
  expect(await page.getByText('These figures are not final').isVisible()).toBe(true);
  const [unsorted] = await page.locator('.figures-unsorted').allInnerTexts();
  expect(unsorted).toMatch(/^uk-property: 1 entry\s+income £0.00, expense £123.45$/);
  expect(await page.getByText('Nothing is submitted from here').isVisible()).toBe(true);
  const uk = card(page, 'UK property');
  expect(await textOf(page, 'Rent received')).toBe(
    'Rent received periodAmount £951.01 your share £950.51 £2,751.01 your share £2,750.51',
  );
  await uk.getByText('Your share of Joint house is 50 %.').waitFor();
  await uk.getByText('If entries are your share: The sum of all expenses').waitFor();
  await card(page, 'Self-employment: self-employment')
    .getByText('Tax withheld from pay, CIS has no field in the summary')
    .waitFor();

  const before = requests.length;
  await uk.getByRole('button', { name: /^£951.01, UK property, Rent received/ }).click();
  const entries = uk.locator('.entry-description');
  expect(await entries.allInnerTexts()).toEqual([`Rent of ${YEAR}-07-31`, `Rent of ${YEAR}-07-06`]);
  await uk.getByRole('button', { name: 'Close' }).click();
  expect(await entries.count()).toBe(0);
  await uk.getByText('Each by itself').click();
  expect(await textOf(page, 'Rent received', 2)).toContain('£1.01 your share £0.51');
  await page.getByRole('button', { name: '1 entry of uk-property' }).click();
  await page.locator('.entry-description', { hasText: 'Somebody' }).waitFor();

  await page.getByLabel('Calendar quarters, from 1 April').check();
  await page.getByLabel('Quarter', { exact: true }).selectOption('1');
  // The first rent is in the year or not.
  await page.getByText('one entry is of 1 to 5 April').waitFor();
  expect(await page.locator('table.figures').count()).toBe(0);
  const lastYear = page.getByLabel(/^Quarters of /);
  for (const [quarters, sum] of [
    ['calendar', '£900.07'],
    ['standard', '£900.00'],
  ] as const) {
    await lastYear.selectOption(quarters);
    expect(await textOf(page, 'Rent received')).toBe(
      `Rent received periodAmount ${sum} your share ${sum} ${sum} your share ${sum}`,
    );
  }
  expect(requests.length).toBe(before);
});

testBooksOf(landlord)(
  'the answer that entries are the share is kept with the rules, and each type is printed on a page, each property by itself too',
  async ({ page }) => {
    await showFigures(page);
    await page.getByRole('button', { name: 'Joint house: They are my share' }).click();
    await page.getByText('The entries of Joint house are your share already (50 %)').waitFor();
    expect(await textOf(page, 'Rent received')).toBe('Rent received periodAmount £951.01 £2,751.01');
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    // The warnings, then the types.
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(3);
    // Paper is light, and a browser would repeat a foot on each page of a table.
    const styleOf = (selector: string, name: 'color' | 'display') =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${name}`);
    await page.emulateMedia({ colorScheme: 'dark' });
    const shown = [await styleOf('h2', 'color'), await styleOf('.figures tfoot', 'display')];
    await page.emulateMedia({ media: 'print' });
    const printed = [await styleOf('h2', 'color'), await styleOf('.figures tfoot', 'display')];
    expect([shown, printed]).toEqual([
      ['rgb(232, 236, 234)', 'table-footer-group'],
      ['rgb(23, 33, 28)', 'table-row-group'],
    ]);
    await page.emulateMedia({ media: null });
    const parts = page.locator('details.figures-parts > table').first();
    const states = [await parts.isVisible()];
    for (const event of ['beforeprint', 'afterprint']) {
      await page.evaluate(`dispatchEvent(new Event('${event}'))`);
      states.push(await parts.isVisible());
    }
    expect(states).toEqual([false, true, false]);
    await page.getByRole('tab', { name: 'Import' }).click();
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
    expect(kept).toContain('are my share');
  },
);

/** A villa in Spain. */
async function abroad() {
  const account = await TestAccount.create();
  const villa = { type: 'foreign-property', name: 'Villa', role: 'owner', sharePercent: 100 };
  const { id } = await admin.createSource({ accountId: account.accountId, ...villa, countryCode: 'ES' });
  const rent = { type: 'income', category: 'rentIncome', date: `${YEAR}-07-06`, amountPence: 5_000 };
  await account.post([rent], { source: id });
  return account;
}

testBooksOf(abroad)(
  "HMRC's id of a property abroad is checked, and kept with the rules",
  async ({ page }) => {
    await showFigures(page);
    const spain = card(page, 'Property in Spain');
    await spain.getByText("Villa, HMRC's id of the property: HMRC asks for its own id").waitFor();
    const field = spain.getByLabel("HMRC's id of Villa", { exact: true });
    const keep = spain.getByRole('button', { name: "Keep HMRC's id of Villa" });
    await field.fill('8e8b8450');
    expect(await keep.isDisabled()).toBe(true);
    expect(await violationsOf(page, [1280, 390, 320])).toEqual([]);
    await field.fill(' 8E8B8450-dc1b-4360-8109-7067337b42cb');
    await keep.click();
    await field.waitFor({ state: 'detached' });
    expect(await spain.getByText("Villa, HMRC's id of the property").count()).toBe(0);
    await page.getByRole('tab', { name: 'Import' }).click();
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
    expect(kept).toContain('is 8e8b8450-dc1b-4360-8109-7067337b42cb');
  },
);

testPage('the rules of an import set a refund against its category', async ({ page, account }) => {
  const csv = `Date,Description,Amount,Type\n${YEAR}-05-01,BOILERCO,-100.00,out\n${YEAR}-05-09,BOILERCO,40.00,in\n`;
  await openCheck(page, account, 'a.csv', csv);
  await page
    .getByLabel('Rules, one on each line')
    .fill(
      'type is expense -> repairsAndMaintenance\ndescription is "BOILERCO" -> uk-property / refund of repairsAndMaintenance',
    );
  await page.keyboard.press('Tab');
  await page.getByText('1 entry without a category.').waitFor();
  await page.getByRole('tab', { name: 'Books' }).click();
  await page.getByText('Figures of a quarter', { exact: true }).first().click();
  await page.getByText('There are no entries with a category in this tax year').waitFor();
  await page.getByRole('tab', { name: 'Import' }).click();
  await importAll(page);
  await page.getByRole('tab', { name: 'Books' }).click();
  await showFigures(page, '1');
  expect(await textOf(page, 'Repairs and maintenance')).toBe(
    'Repairs and maintenance repairsAndMaintenance £60.00 less refunds £40.00 £60.00 less refunds £40.00',
  );
  expect(await page.getByText('These figures are not final').count()).toBe(0);
});

testBooksOf(landlord)('the keyboard alone opens a figure and goes back to it', async ({ page }) => {
  await page.locator('input[name=books-view]').first().focus();
  await page.keyboard.press('ArrowRight');
  await tabTo(page, /^Quarter/);
  await page.keyboard.press('2');
  await page.locator('table.figures').first().waitFor();
  await tabTo(page, /^£951.01/);
  await page.keyboard.press('Enter');
  expect(await focused(page)).toMatch(/^UK property, Rent received, 6 Jul/);
  await tabTo(page, /^Close$/);
  await page.keyboard.press('Enter');
  expect(await focused(page)).toBe('£951.01');
});

testBooksOf(landlord)('at 1280, 390 and 320 pixels nothing is cut off', async ({ page }) => {
  await showFigures(page);
  await page.getByText('Each by itself').click();
  await page.getByRole('button', { name: /^£951.01/ }).click();
  expect(await violationsOf(page, [1280, 390, 320])).toEqual([]);
});

testBooksOf(landlord)(
  'figures are kept, and each change since them is explained',
  async ({ page, account }) => {
    await showFigures(page);
    const [kept] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Keep as JSON' }).click(),
    ]);
    expect(kept.suggestedFilename()).toMatch(/^figures 20\d\d-\d\d to 20\d\d-10-05\.json$/);
    const earlier = page.getByLabel('Earlier figures');
    await earlier.setInputFiles({ name: 'a.json', mimeType: '', buffer: Buffer.from('{}') });
    await page.getByText('a.json is not the document of `ledger figures --json`.').waitFor();
    await account.post([
      { ...rent(`${YEAR}-10-05`, 5), description: 'late' },
      { ...rent(`${YEAR}-10-06`, 30) },
    ]);
    await page.getByRole('button', { name: 'Show figures' }).click();
    await page.getByLabel('Quarter', { exact: true }).selectOption('3');
    await rowOf(page, 'Rent received').getByText('£2,751.36').first().waitFor();
    await earlier.setInputFiles(await kept.path());
    const changes = page.getByRole('table', { name: /£2,751.01 before, £2,751.36 now$/ });
    await changes.waitFor();
    const texts = (await changes.getByRole('row').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    expect(texts).toEqual([
      'Why Difference Your share',
      `1 entry after 5 Oct ${YEAR} £0.30 £0.30`,
      `5 Oct ${YEAR} late (added) £0.05 £0.05`,
      'Difference £0.35 £0.35',
    ]);
    const [workbook] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the workbook' }).click(),
    ]);
    expect(titleOfWorkbook(readFileSync(await workbook.path()))).toBe('figures');
    expect(await violationsOf(page, [1280, 390, 320])).toEqual([]);
  },
);

testPage('by keyboard, a tax year that is passed over is not read', async ({ page, account }) => {
  await account.post([rent(`${YEAR}-04-06`, 1)]);
  await connect(page, account.key);
  await page.getByRole('tab', { name: 'Books' }).click();
  await showFigures(page, '1');
  const readings: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('/sources')) readings.push(request.url());
  });
  const year = page.getByLabel('Tax year');
  await year.focus();
  await page.keyboard.press('ArrowDown');
  expect(await year.inputValue()).toBe(`${YEAR - 1}`);
  for (const key of ['ArrowUp', 'Enter']) await page.keyboard.press(key);
  await Promise.all([
    page.waitForResponse(/\/sources$/),
    page.getByRole('button', { name: 'Show figures' }).click(),
  ]);
  expect(readings).toHaveLength(1);
  await year.focus();
  for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key);
  await page.getByText('There are no entries with a category').waitFor();
  expect(readings).toHaveLength(2);
});

testPage('a year that could not be read to its end has no figures', async ({ page, account, allow }) => {
  allow(/401/);
  await account.post([rent(`${YEAR}-04-06`, 1)]);
  await connect(page, account.key);
  await page.getByRole('tab', { name: 'Books' }).click();
  await page.locator('.entry-description').waitFor();
  let pages = 0;
  const refused = { error: { code: 'invalid_key', message: 'The key was revoked.' } };
  await page.route('**/transactions?*', async (route) => {
    const response = await route.fetch();
    const next = { ...(await response.json()), nextCursor: 'more' };
    await (pages++ === 0 ? route.fulfill({ json: next }) : route.fulfill({ status: 401, json: refused }));
  });
  await page.getByText('Figures of a quarter', { exact: true }).first().click();
  await page.getByText('Not all entries of the year were read, so there are no figures.').waitFor();
  expect(await page.locator('table.figures').count()).toBe(0);
});
