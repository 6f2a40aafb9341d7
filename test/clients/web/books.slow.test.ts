/** The Books tab of the import page in a real browser: entries, search, sums, files, and what goes wrong. */
import { beforeAll, describe, expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { ukDay } from '../../../clients/typescript/days.ts';
import { taxYearOf } from '../../../clients/typescript/figures/periods.ts';
import { taxYearLabel } from '../../../clients/web/books/periods.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { admin } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';
import { runLedger, writeFile } from '../cli/command.ts';
import { BROWSER_TEST_MS, type Page, testPage } from './browser.ts';
import { importAll, openCheck } from './import-steps.ts';
import {
  choosePeriod,
  chooseSource,
  downloaded,
  rowsOf,
  showEntries,
  testBooksOf,
  tilesOf,
} from './open-books.ts';

const HOSTILE = '<img src=x onerror="document.title=\'hacked\'">';
const FORMULA = '=HYPERLINK("https://evil.example","click")';

const newEntry = (fields: object) => ({ date: '2026-04-06', type: 'expense', amountPence: 1, ...fields });
const ENTRIES = [
  newEntry({ type: 'income', category: 'periodAmount', amountPence: 123_456, description: 'Rent of April' }),
  newEntry({ type: 'income', date: '2025-12-01', amountPence: 100_000, description: FORMULA }),
  newEntry({ category: 'other', amountPence: 2_550, description: HOSTILE, externalRef: '=1+1' }),
  newEntry({
    category: 'repairsAndMaintenance',
    date: '2026-02-03',
    amountPence: 70_000,
    externalRef: 'r-7',
  }),
];

let account: TestAccount;
beforeAll(async () => {
  account = await TestAccount.create();
  expect((await account.post(ENTRIES)).status).toBe(201);
});

const search = (page: Page, text: string) => page.getByLabel('Search', { exact: true }).fill(text);

const ofAccount = testBooksOf(() => account);
describe('the tab opens', () => {
  const year = taxYearOf(ukDay());
  const rent = (date: string, amountPence: number) => newEntry({ type: 'income', date, amountPence });
  const withTwoSources = async () => {
    const two = await TestAccount.create();
    await two.post([rent(`${year}-04-06`, 100), rent(`${year}-04-05`, 200)]);
    await two.post([rent(`${year}-12-01`, 400)], { source: two.sources['self-employment'] });
    return two;
  };

  testBooksOf(withTwoSources)(
    'with this tax year of every property and business; a period or one of them is a choice away',
    async ({ page, account: { sources } }) => {
      expect(await page.locator('.books-heading').textContent()).toContain('All properties and businesses');
      expect(await tilesOf(page)).toEqual(['£5.00', '£0.00', '£5.00', '2']);
      const names = await page.locator('.entry-source').allTextContents();
      expect(names).toEqual(['self-employment', 'uk-property']);
      await choosePeriod(page, `Last tax year, ${taxYearLabel(year - 1)}`);
      await page.locator('.tile dd', { hasText: /^1$/ }).waitFor();
      expect((await tilesOf(page))[0]).toBe('£2.00');
      await choosePeriod(page, `6 Oct ${year} to 5 Jan ${year + 1}`);
      await page.locator('.tile dd', { hasText: '£4.00' }).first().waitFor();
      expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe(`${year}-10-06`);
      await choosePeriod(page, 'All dates');
      await chooseSource(page, sources['uk-property']);
      await page.locator('.tile dd', { hasText: '£3.00' }).first().waitFor();
      expect(await page.locator('.entry-source').count()).toBe(0);
    },
  );

  testPage('after an import with what was imported: the property and the period', async ({ page }) => {
    const importing = await TestAccount.create();
    await importing.post([rent('2024-05-01', 100)], { source: importing.sources['self-employment'] });
    const csv =
      'Date,Description,Amount,Type\n2024-05-01,Rent,950.00,income\n2024-06-30,Gas,-12.00,expense\n';
    await openCheck(page, importing, 'a.csv', csv);
    await importAll(page);
    await page.getByRole('tab', { name: 'Books' }).click();
    await page.locator('.books-heading', { hasText: '1 May 2024 to 30 June 2024' }).waitFor();
    await rowsOf(page).nth(2).waitFor();
    expect(await tilesOf(page)).toEqual(['£950.00', '£12.00', '£938.00', '2']);
    expect(await page.locator('#books-source').inputValue()).toBe(importing.sources['uk-property']);
  });
});

describe('the entries', () => {
  ofAccount('are shown with labels, sums by month and category, and every text as text', async ({ page }) => {
    await showEntries(page);
    await rowsOf(page).nth(4).waitFor();
    expect(await tilesOf(page)).toEqual(['£2,234.56', '£725.50', '£1,509.06', '4']);
    const amounts = ['£25.50', '£1,234.56', '£700.00', '£1,000.00'];
    expect(await page.locator('.entry-amount').allTextContents()).toEqual(amounts);
    const texts = await rowsOf(page).allInnerTexts();
    const text = texts.join('\n');
    for (const each of [HOSTILE, FORMULA, '=1+1', 'Rent received', 'To be sorted in the app', '6 Apr 2026']) {
      expect(text).toContain(each);
    }
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.title()).not.toContain('hacked');
    const [categories = ''] = await page.locator('table', { hasText: 'By category' }).allInnerTexts();
    expect(categories.replace(/\s+/g, ' ')).toContain(
      'To be sorted in the app 1 £1,000.00 Expense Repairs and',
    );
    await page.getByText('Show as table').click();
    await page.locator('.chart-table table').waitFor();
    const [months] = await page.locator('.chart-table').allInnerTexts();
    expect(months).toMatch(/Dec 2025\s+£1,000.00\s+£0.00\s+£1,000.00\s+Jan 2026\s+£0.00/);
    expect(months).toMatch(/Feb 2026\s+£0.00\s+£700.00\s+-£700.00/);
  });

  ofAccount('between two dates are read with these dates', async ({ page }) => {
    await chooseSource(page, account.sources['uk-property']);
    await showEntries(page);
    await rowsOf(page).nth(4).waitFor();
    const urls: string[] = [];
    const show = () => page.getByRole('button', { name: 'Show entries' }).click();
    page.on('request', (request) => request.url().includes('/transactions') && urls.push(request.url()));
    await page.getByLabel('From', { exact: true }).fill('2026-01-01');
    await page.getByLabel('To', { exact: true }).fill('2025-01-01');
    await show();
    await page.getByText('The last day is before the first one').waitFor();
    await page.getByLabel('To', { exact: true }).fill('2026-03-31');
    expect(await page.getByLabel('Period', { exact: true }).inputValue()).toBe('other');
    await show();
    await page.locator('.tile dd', { hasText: /^1$/ }).waitFor();
    expect(await rowsOf(page).count()).toBe(2);
    expect(urls).toEqual([expect.stringMatching(/\/transactions\?limit=200&from=2026-01-01&to=2026-03-31$/)]);
  });

  ofAccount('are searched: rows, sums and files are of what was found', async ({ page }) => {
    await showEntries(page);
    await search(page, 'SORTED app');
    await page.getByText('1 of 4 entries').waitFor();
    expect(await rowsOf(page).count()).toBe(2);
    expect(await tilesOf(page)).toEqual(['£1,000.00', '£0.00', '£1,000.00', '1']);
    expect((await downloaded(page, 'CSV')).text.split('\r\n')).toHaveLength(3);
    await search(page, 'nothing has this');
    await page.getByText('No entry has this text.').waitFor();
    await search(page, '');
    await rowsOf(page).nth(4).waitFor();
  });

  ofAccount('of a source without any: the page says so', async ({ page }) => {
    await chooseSource(page, account.sources['self-employment']);
    await page.getByText(/^There are no entries in this period: self-employment, 6 April /).waitFor();
    await page.getByRole('button', { name: 'Show all dates' }).click();
    await page.getByText('There are no entries yet: self-employment, all dates.').waitFor();
  });
});

describe('a file of the entries', () => {
  for (const kind of ['CSV', 'XLSX'] as const) {
    ofAccount(`as ${kind} is known to \`ledger push\` and to the Import tab`, async ({ page }) => {
      await showEntries(page);
      await rowsOf(page).nth(4).waitFor();
      const { name, bytes, text } = await downloaded(page, kind);
      expect(name).toBe(`uk-property.${kind.toLowerCase()}`);
      if (kind === 'CSV') expect(text).toContain(`"'=HYPERLINK(""https://evil.example"",""click"")"`);

      const file = writeFile(name, bytes);
      const args = ['push', file, '--source', account.sources['uk-property'], '--yes', '--json'];
      const { exitCode, out, err } = await runLedger(args, { env: { LEDGER_API_KEY: account.key } });
      expect([exitCode, err]).toEqual([0, '']);
      expect(JSON.parse(out)).toMatchObject({ created: 0 });

      await page.getByRole('tab', { name: 'Import' }).click();
      await page.locator('#source').selectOption(account.sources['uk-property']);
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByRole('button', { name: 'Check the rows' }).click();
      await page.locator('#panel-import').getByText(FORMULA).first().waitFor();
      await page.getByText('4 already in the books').waitFor();
    });
  }

  const withTwoSources = async () => {
    const two = await TestAccount.create();
    await two.post(ENTRIES);
    await two.post(ENTRIES[1], { source: two.sources['self-employment'] });
    return two;
  };
  testBooksOf(withTwoSources)('is one for each property or business', async ({ page }) => {
    await showEntries(page);
    await rowsOf(page).nth(5).waitFor();
    const files: string[] = [];
    page.on('download', async (file) => {
      const lines =
        readFileSync(await file.path(), 'utf8')
          .trim()
          .split('\r\n').length - 1;
      files.push(`${file.suggestedFilename()} ${lines}`);
    });
    await page.getByRole('button', { name: 'Download CSV' }).click();
    await until('both files are saved', () => files.length === 2, BROWSER_TEST_MS);
    expect(files.sort()).toEqual(['self-employment.csv 1', 'uk-property.csv 4']);
  });

  const withStrangeName = async () => {
    const named = await TestAccount.create();
    const { id } = await admin.createSource({
      accountId: named.accountId,
      type: 'uk-property',
      role: 'owner',
      sharePercent: 100,
      name: '../<Flat> "2": A/B',
    });
    await named.post(ENTRIES[0], { source: id });
    named.sources['uk-property'] = id;
    return named;
  };
  testBooksOf(withStrangeName)('has a name for every file system', async ({ page, account: { sources } }) => {
    await showEntries(page);
    await chooseSource(page, sources['uk-property']);
    await page.getByLabel('From', { exact: true }).fill('2026-01-01');
    await page.keyboard.press('Enter');
    await page.locator('.books-heading', { hasText: 'from 1 Jan 2026' }).waitFor();
    expect((await downloaded(page, 'CSV')).name).toMatch(/^_?_Flat_ _2__ A_B 2026-01-01\.csv$/);
  });
});
