/** The sums before an import, in a real browser on a phone: by category with what is new, refunds, and the rows of each rule. */
import { expect } from 'bun:test';
import { connect, type Page, testPage } from './browser.ts';
import { check, drop, total } from './import-steps.ts';

const RULES = `description starts with "RENT" -> uk-property / periodAmount
description is "REFUND B" -> uk-property / refund of repairsAndMaintenance
description is "RENT A" -> foreign-property / rentIncome
description is "NOBODY" -> leave out
description is "SAVINGS" -> leave out
description is "MORTGAGE" -> uk-property / split: residentialFinancialCost 412.50, rest leave out
otherwise -> self-employment`;
const STATEMENT = `Date,Description,Amount,External ref
2026-10-01,RENT A,900,r1
2026-10-02,RENT B,800,r2
2026-10-03,REFUND B,40,r3
2026-10-04,ODD,-1,r4
2026-10-05,SAVINGS,-500,r5
2026-10-06,SAVINGS,35.50,r6
2026-10-07,MORTGAGE,-620,r7
`;

/** The cells of each row under this title. */
const rowsOf = async (page: Page, title: string) => {
  const details = page.locator('.import-sums details', { has: page.locator('summary', { hasText: title }) });
  const rows = await details.locator('tbody tr, li').allInnerTexts();
  return rows.map((row) => row.split(/\s*[\n\t]\s*/).join('; '));
};

testPage(
  'the sums before an import say what is new, what is a refund, what each rule decides, and which sums are left out',
  async ({ account, page }) => {
    const rent = { date: '2026-10-01', type: 'income', category: 'periodAmount', description: 'RENT A' };
    await account.post([{ ...rent, amountPence: 90_000, externalRef: 'r1' }]);
    await connect(page, account.key);
    await page.getByLabel('Import into').selectOption('by-rules');
    await drop(page, 'bank.csv', STATEMENT);
    await check(page);
    await page.getByLabel('Rules, one on each line.').fill(RULES);
    await page.getByRole('button', { name: 'Apply' }).click();
    const leftOut = page.locator('details', {
      hasText: 'Left out: 2 rows and parts of 1 row, income £35.50, expense £707.50',
    });
    const leftOutByRule = [
      'description is "SAVINGS" -> leave out: 2 rows, income £35.50, expense £500.00',
      'description is "MORTGAGE" -> uk-property / split: residentialFinancialCost 412.…: parts of 1 row, expense £207.50',
    ];
    await leftOut.waitFor();
    expect(await total(page, 'New entries')).toBe('4');
    expect(await leftOut.locator('li').allTextContents()).toEqual(leftOutByRule);
    await page.getByRole('button', { name: 'Go on with 4 new entries', disabled: false }).click();
    await page.getByRole('heading', { name: 'Import 4 entries into' }).waitFor();
    expect(await leftOut.locator('li').allTextContents()).toEqual(leftOutByRule);
    expect(await rowsOf(page, 'Sums by category')).toEqual([
      'self-employment',
      'To be sorted in the app; Expense; £1.00; 1 entry; £1.00; 1 entry',
      'uk-property',
      'Rent received; Income; £1,700.00; 2 entries; £800.00; 1 entry',
      'To be sorted in the app; Income; £40.00; 1 entry; £40.00; 1 entry',
      'Residential mortgage interest; Expense; £412.50; 1 entry; £412.50; 1 entry',
    ]);
    expect(await rowsOf(page, '1 refund')).toEqual([
      'REFUND B, uk-property: £40.00, set against Repairs and maintenance',
    ]);
    const rules = 'Rules: 5 used, 1 covered by earlier rules, 1 without a row';
    await page.getByText(rules).click();
    expect(await rowsOf(page, rules)).toEqual([
      `description is "RENT A" -> foreign-property / rentIncome; Its row goes to an earlier rule: description starts with "RENT" -> uk-property / periodAmount; 0`,
      'description is "NOBODY" -> leave out; 0',
      'description starts with "RENT" -> uk-property / periodAmount; 2',
      'description is "REFUND B" -> uk-property / refund of repairsAndMaintenance; 1',
      'description is "SAVINGS" -> leave out; 2',
      'description is "MORTGAGE" -> uk-property / split: residentialFinancialCost 412.…; 1',
      'otherwise -> self-employment; 1',
    ]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
  },
  { viewport: { width: 390, height: 844 } },
);
