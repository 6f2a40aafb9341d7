/** Rules that the books suggest in the import page, in a real browser: offered, and applied by a person only. */
import { expect } from 'bun:test';
import type { TestAccount } from '../../fixtures/client.ts';
import { sql } from '../../fixtures/system.ts';
import { connect, focused, type Page, tabTo, testPage } from './browser.ts';
import { cell, check, drop, importAll, leaveOut, openCheck } from './import-steps.ts';

interface Earlier {
  source: 'uk-property' | 'self-employment';
  date?: string;
  type?: 'income' | 'expense';
  category: string | null;
  descriptions: readonly string[];
}

/** Entries of the year before the file. */
async function store(account: TestAccount, ...all: readonly Earlier[]): Promise<void> {
  for (const { source, date = '2025-11-20', type = 'expense', category, descriptions } of all) {
    for (const description of descriptions) {
      await sql`
        insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type, category, description)
        values (${account.accountId}, gen_random_uuid(), ${account.sources[source]}, ${date}, 100, ${type}::ledger.entry_type,
                ${category}, ${description})`;
    }
  }
}

const WATER: Earlier = {
  source: 'uk-property',
  category: 'premisesRunningCosts',
  descriptions: ['THAMES WATER 1', 'THAMES WATER 2', 'THAMES WATER 3'],
};
const HOST: Earlier = {
  source: 'self-employment',
  category: 'adminCosts',
  descriptions: ['WEB HOST 1', 'WEB HOST 2'],
};
const STATEMENT = [
  ...['Date,Description,Amount', '2026-10-01,THAMES WATER 9,-30', '2026-10-02,WEB HOST 9,-12'],
  ...['2026-10-03,THAMES WATER 10,-31', '2026-10-04,NEW SHOP,-5'],
].join('\n');
const WATER_TEXT = 'Thames water, expense → uk-property / Rent, rates, insurance, ground rents, as 3 entries';
const HOST_TEXT = 'Web host, expense → self-employment / Admin costs, as 2 entries';

const state = (page: Page) => page.locator('#rules-state');
const offers = (page: Page) => page.locator('.suggestions li span');
const rules = (page: Page) => page.getByLabel('Rules, one on each line.').inputValue();

async function openSeveral(page: Page, account: TestAccount, text = STATEMENT): Promise<void> {
  await connect(page, account.key);
  await page
    .getByLabel('Import into')
    .selectOption({ label: 'Several – my rules or a column of the file say which' });
  await drop(page, 'bank.csv', text);
  await check(page);
}

/** What was imported, and not stored before. */
async function imported(account: TestAccount): Promise<string[]> {
  const rows = await sql`
    select s.name, category, description from ledger.entry e join ledger.source s using (account_id, source_id)
     where account_id = ${account.accountId} and entry_date >= '2026-10-01' order by entry_date`;
  return rows.map(({ name, category, description }) => `${description}: ${name} ${category}`);
}

testPage('what two sources suggest is offered, and one is applied', async ({ account, page }) => {
  await store(account, WATER, HOST);
  await openSeveral(page, account);
  await state(page).getByText('The books suggest 2 rules.').waitFor();
  await page.getByRole('status').getByText('The books suggest 2 rules.').waitFor();
  expect(await page.getByRole('button', { name: 'Go on with 0 new entries' }).count()).toBe(1);
  expect(await offers(page).allTextContents()).toEqual([WATER_TEXT, HOST_TEXT]);
  expect(await rules(page)).toBe('');
  await page.getByRole('button', { name: `Add the rule: ${WATER_TEXT}` }).click();
  await cell(page, 2, 'source').getByText('uk-property').waitFor();
  expect(await rules(page)).toBe(
    'description starts with "thames water" and type is expense -> uk-property / premisesRunningCosts  # as 3 entries\n',
  );
  await state(page).getByText('The books suggest 1 rule.').waitFor();
  expect(await offers(page).allTextContents()).toEqual([HOST_TEXT]);
  await page.getByRole('button', { name: 'Go on with 2 new entries' }).waitFor();
  await importAll(page);
  expect(await imported(account)).toEqual([
    'THAMES WATER 9: uk-property premisesRunningCosts',
    'THAMES WATER 10: uk-property premisesRunningCosts',
  ]);
});

testPage('by keyboard one is applied, then all, before "otherwise"', async ({ account, page }) => {
  const SHOP: Earlier = { ...HOST, descriptions: ['NEW SHOP', 'NEW SHOP'] };
  await store(account, WATER, HOST, SHOP);
  await connect(page, account.key);
  const kept = `ledger-import-rules ${account.accountId}`;
  await page.evaluate((name) => localStorage.setItem(name, 'otherwise -> ask'), kept);
  await page.reload();
  await openSeveral(page, account);
  await state(page).getByText('The books suggest 3 rules.').waitFor();
  await page.getByRole('heading', { name: /^Check what goes/ }).focus();
  await tabTo(page, /^Add all 3 rules$/);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await offers(page).nth(2).waitFor({ state: 'detached' });
  expect(await focused(page)).toStartWith(HOST_TEXT);
  await page.keyboard.press('Shift+Tab');
  expect(await focused(page)).toBe('Add all 2 rules');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Go on with 4 new entries' }).waitFor();
  await offers(page).first().waitFor({ state: 'detached' });
  expect(await focused(page)).toStartWith('Rules, one on each line');
  expect((await rules(page)).split('\n').at(-1)).toBe('otherwise -> ask');
  await importAll(page);
  expect(await imported(account)).toEqual([
    'THAMES WATER 9: uk-property premisesRunningCosts',
    'WEB HOST 9: self-employment adminCosts',
    'THAMES WATER 10: uk-property premisesRunningCosts',
    'NEW SHOP: self-employment adminCosts',
  ]);
});

testPage('nothing is offered where an entry contradicts', async ({ account, page }) => {
  const other = (descriptions: string[], date: string): Earlier => ({
    source: 'uk-property',
    category: 'other',
    descriptions,
    date,
  });
  const SHOP: Earlier = { ...HOST, descriptions: ['NEW SHOP', 'NEW SHOP'] };
  await store(account, WATER, HOST, SHOP, other(['WEB HOST 3'], '2025-12-01'));
  await store(account, other(['THAMES WATER 4'], '2026-10-02'));
  await openCheck(page, account, 'bank.csv', STATEMENT);
  await state(page).getByText('The books suggest 1 rule.').waitFor();
  expect(await offers(page).allTextContents()).toEqual([
    'New shop, expense → self-employment / Admin costs, as 2 entries',
  ]);
});

testPage('a suggestion goes with its rows, and comes back', async ({ account, page }) => {
  await store(account, HOST);
  await openCheck(page, account, 'bank.csv', STATEMENT);
  await state(page).getByText('The books suggest 1 rule.').waitFor();
  await page.getByLabel('Select row 3', { exact: true }).check();
  await page.getByLabel('Category of the selected rows').selectOption({ index: 1 });
  await state(page).getByText('suggest').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Undo/ }).click();
  await state(page).getByText('The books suggest 1 rule.').waitFor();
  // None is a choice, too.
  await page.getByLabel('Category of the selected rows').selectOption({ label: 'To be sorted in the app' });
  await state(page).getByText('suggest').waitFor({ state: 'detached' });
});

testPage('what an earlier rule asks about is not offered again, once its rule is added', async (opened) => {
  const { account, page } = opened;
  await store(account, HOST);
  await openSeveral(page, account);
  await page.getByLabel('Rules, one on each line.').fill('description contains "HOST" -> ask');
  await page.getByRole('button', { name: `Add the rule: ${HOST_TEXT}` }).click();
  await state(page).getByText('suggest').waitFor({ state: 'detached' });
  expect((await rules(page)).trim().split('\n')).toHaveLength(2);
});

testPage('without the year before there are no suggestions', async ({ account, page, allow }) => {
  allow(/404/);
  await store(account, HOST);
  await page.route(/transactions\?.*2025/, (route) => route.fulfill({ status: 404, json: {} }));
  const refused = page.waitForResponse(/transactions\?.*2025/);
  await openCheck(page, account, 'bank.csv', STATEMENT);
  await page.getByText('0 already in the books').waitFor();
  await (await refused).finished();
  expect(await state(page).textContent()).toBe('4 entries without a category.');
  expect(await page.getByRole('alert').count()).toBe(0);
  await importAll(page);
  expect(await imported(account)).toHaveLength(4);
});

testPage('a key that is refused meanwhile is reported', async ({ account, page, allow }) => {
  allow(/401/);
  await page.route(/transactions\?.*2025/, (route) =>
    route.fulfill({ status: 401, json: { error: { code: 'invalid_key', message: 'No.' } } }),
  );
  await openCheck(page, account, 'bank.csv', STATEMENT);
  await page.getByText('The key has stopped working.').waitFor();
});

testPage(
  'a decision about a row is offered for the other rows of its payee, with their sums',
  async ({ account, page }) => {
    const text = [
      ...['Date,Description,Amount', '2026-04-01,SAVINGS 1,-100', '2026-05-01,SAVINGS 2,-150.50'],
      ...['2026-06-01,SAVINGS 3,-60', '2026-06-02,SAVINGS 4,20', '2026-04-20,NATIONWIDE 4471 APR,-620'],
      ...['2026-05-20,NATIONWIDE 4471 MAY,-620', '2026-06-20,NATIONWIDE 4471 JUN,-621'],
      ...['2026-06-21,NEW SHOP 1,-5', '2026-06-22,NEW SHOP 2,-6', '2026-06-23,NEW SHOP 3,-7'],
    ].join('\n');
    await openCheck(page, account, 'bank.csv', text);
    await page.getByText('10 entries without a category.').waitFor();
    expect(await offers(page).count()).toBe(0);
    await leaveOut(page, 2);
    const savings = 'Savings, expense → leave out: 2 more rows, expense £210.50';
    await page.getByRole('button', { name: `Add the rule: ${savings}` }).click();
    await page.getByText('Left out: 3 rows, expense £310.50').waitFor();
    // One month is split by a rule of its own.
    const split = 'split: residentialFinancialCost 412.50, rest leave out';
    const month = `"NATIONWIDE" in May 2026 -> ${split}`;
    await page.getByLabel('Rules, one on each line.').fill(`${month}\n${await rules(page)}`);
    await page.getByRole('button', { name: 'Apply' }).click();
    const mortgage =
      'Nationwide, expense → split: Residential mortgage interest 412.50, rest leave out: 2 more rows, expense £1,241.00';
    await offers(page).getByText(mortgage).waitFor();
    // Decisions that differ give no rule.
    for (const [row, index] of [
      [9, 1],
      [10, 2],
    ] as const) {
      await page.getByLabel(`Select row ${row}`, { exact: true }).check();
      await page.getByLabel('Category of the selected rows').selectOption({ index });
      await page.getByLabel(`Select row ${row}`, { exact: true }).uncheck();
      if (index === 1) await offers(page).nth(1).waitFor();
      else await offers(page).nth(1).waitFor({ state: 'detached' });
    }
    expect(await offers(page).allTextContents()).toEqual([mortgage]);
    await page.getByRole('button', { name: `Add the rule: ${mortgage}` }).click();
    await page.getByText('Left out: 3 rows and parts of 3 rows, expense £934.00').waitFor();
    expect(await rules(page)).toBe(
      [
        month,
        'description starts with "savings" and type is expense -> leave out',
        `description starts with "nationwide" and type is expense -> ${split}`,
        '',
      ].join('\n'),
    );
  },
);
