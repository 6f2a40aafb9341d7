/** Every step of the import page by axe-core, on a wide and on a narrow screen, each in light and dark. */
import { expect } from 'bun:test';
import { violationsOf } from './axe.ts';
import { connect, testPage } from './browser.ts';
import { check, done, drop, goOn, startImport } from './import-steps.ts';

const FILE = `Date,Description,Amount,Category
25/04/2026,Rent,950.00,
33/04/2026,Repairs,-20.00,
03/04/2026,Gas,-1.234,nothing
04/04/2026,Zero,0.00,
05/04/2026,A long description without any space: ${'x'.repeat(200)},-3.00,
`;

const RULE =
  '1280 and 390 pixels wide, light and dark: no step has a violation, and nothing is wider than the screen';
testPage(RULE, async ({ account, page }) => {
  const found: string[] = [];
  const look = async (step: string) => {
    found.push(...(await violationsOf(page, [1280, 390])).map((violation) => `${step}: ${violation}`));
  };
  await page.locator('#key:focus').waitFor();
  await look('key');
  await connect(page, account.key);
  await page.getByLabel('Import into').selectOption(account.sources['uk-property']);
  await look('file');
  await drop(page, 'a.csv', FILE);
  await page.locator('.file .note', { hasText: 'CSV file, 5 rows' }).waitFor();
  await look('recognised');
  await page.getByRole('button', { name: /^Change how/ }).click();
  await look('settings');
  await page.getByLabel('Date', { exact: true }).selectOption('ignore');
  await page.locator('.note.bad').waitFor();
  await look('not recognised');
  await page.getByLabel('Date', { exact: true }).selectOption('date');
  await check(page);
  await page.getByText('0 already in the books').waitFor();
  await look('check');
  await page.locator('.grid-body .cell.amount').first().click();
  await look('an editor');
  await page.getByLabel('Amount in pounds of row 2').waitFor();
  await page.keyboard.press('Escape');
  await goOn(page);
  await look('push');
  await startImport(page);
  await done(page);
  await look('result');
  expect(found).toEqual([]);
});

const OPEN = {
  'several columns of amounts': [
    'Date,Details,Takings,Plumber,Agent',
    '01/05/2026,May,900.00,,90.00',
    '01/06/2026,June,900.00,120.00,90.00',
  ],
  'a column that may be the sum of the row': [
    'Date,Details,Rent,Fee,Paid',
    '01/05/2026,May,900.00,90.00,810.00',
    '01/06/2026,June,800.00,80.00,720.00',
  ],
  'the direction': ['Date,Details,Amount', '01/05/2026,Shop,60.00', '02/05/2026,Bakery,12.00'],
  'a line between rows': [
    'Date,Details,Amount',
    '01/05/2026,Rent,900.00',
    'Deductions',
    '02/05/2026,Gas,30.00',
    '03/05/2026,Oil,40.00',
  ],
};

for (const [question, lines] of Object.entries(OPEN))
  testPage(`a question about ${question} has no violation, at both widths`, async ({ account, page }) => {
    await connect(page, account.key);
    await page.getByLabel('Import into').selectOption(account.sources['uk-property']);
    await drop(page, 'a.csv', lines.join('\n'));
    await page.locator('.questions > li').first().waitFor();
    expect(await violationsOf(page, [1280, 390])).toEqual([]);
  });
