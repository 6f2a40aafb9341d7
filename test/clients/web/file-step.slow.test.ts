/** The File step in a real browser: a settled file in one line, the questions at their columns, and the first rows as entries. */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../fixtures/until.ts';
import { type Page, tabTo, testPage, withPage } from './browser.ts';
import { check, drop, importAll, openFile, shownText, stored } from './import-steps.ts';

const MONZO = readFileSync(join(import.meta.dir, '../bank-files/monzo.csv'), 'utf8');

const phone = { width: 390, height: 844 };
const use = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const question = (page: Page, name: string) => page.locator('.questions > li', { hasText: name });
const preview = async (page: Page) =>
  (await page.locator('.preview tbody tr').all()).map(async (row) =>
    (await row.locator('td').allTextContents()).join('|'),
  );
const previewed = async (page: Page) => Promise.all(await preview(page));

testPage(
  'a settled file is one line; Change shows its first rows as entries, and all choices',
  async ({ account, page }) => {
    await openFile(page, account, 'monzo.csv', MONZO);
    await page.getByText('Monzo, 6 rows, 1 April 2026 to 3 April 2026. 1 row is skipped.').waitFor();
    expect(await page.locator('.file .note').textContent()).toEndWith(' In £950.00, out £30.99.');
    expect((await page.locator('.file').boundingBox())?.height).toBeLessThan(120);
    expect(await page.locator('#panel-import select').count()).toBe(1);
    await page.getByRole('button', { name: /^Change how monzo/ }).click();
    expect((await previewed(page))[0]).toBe(
      '1 Apr 2026|uk-property||£950.00||J Okafor - Rent April flat 2 - RENT FLAT 2',
    );
    expect(await use(page, 'Name').inputValue()).toBe('description');
    await page.getByLabel('Order of dates').selectOption('mdy');
    await page.getByText(/^Monzo, 6 rows, 4 January 2026 to 4 March 2026\./).waitFor();
    await page.getByRole('button', { name: /^Close/ }).click();
    await drop(page, 'other.csv', 'Date,Description,Money in\n03/04/2026,Rent,1.00\n');
    await page.getByRole('button', { name: 'The month comes first' }).click();
    await page.getByText('CSV file, 1 row, 4 March 2026.').waitFor();
  },
);

const AGENT = [
  'Acme Lettings,,,,',
  'Statement,,,,',
  'Date,Tenant,Rent,Fee,Repairs',
  '13/10/2026,Patel,1025.00,102.50,',
  '14/10/2026,Jones,895.00,89.50,120.00',
].join('\n');

/** @param column of several that one question is about */
const button = (page: Page, name: string, column = '') =>
  (column ? page.getByRole('group', { name: `The answer for ${column}` }) : page)
    .getByRole('button', { name, exact: true })
    .first();
const clicked = (page: Page, name: string, column?: string) => button(page, name, column).click();
const tapped = (page: Page, name: string, column?: string) => button(page, name, column).tap();
async function typed(page: Page, name: string, column = ''): Promise<void> {
  if (column) await use(page, column).focus();
  await tabTo(page, new RegExp(`^${name}$`));
  await page.keyboard.press('Enter');
}
test.each([
  ['by mouse', clicked, { viewport: { width: 1280, height: 720 } }],
  ['by keyboard alone', typed, { viewport: { width: 1280, height: 720 } }],
  ['by keyboard alone on a telephone', typed, { viewport: phone }],
  ['by touch', tapped, { viewport: phone, visitor: { hasTouch: true } }],
] as const)(
  'columns of amounts are one question, settled %s: the rows follow each answer, and one button confirms all',
  (_, press, options) =>
    withPage(async ({ account, page }) => {
      const isNarrow = options.viewport === phone;
      await openFile(page, account, 'agent.csv', AGENT);
      await question(page, 'Rent').first().waitFor();
      expect(await previewed(page)).toEqual([
        '13/10/2026|uk-property||||Patel',
        '14/10/2026|uk-property||||Jones',
      ]);
      await page.getByText('1 question is open').waitFor();
      expect(await page.locator('.questions > li').count()).toBe(1);
      if (isNarrow) expect(await lowControls(page)).toEqual([]);
      expect(await page.getByRole('button', { name: 'Confirm these columns' }).isDisabled()).toBe(true);
      for (const [column, answer, row] of [
        ['Rent', 'Money in', '14/10/2026|uk-property||895.00||Jones'],
        ['Fee', 'Money out', '14/10/2026|uk-property||895.00|89.50|Jones'],
        ['Repairs', 'Money out', '14/10/2026|uk-property||895.00|89.50 + 120.00|Jones'],
        ['', 'Confirm these columns', '14 Oct 2026|uk-property||£895.00||Jones'],
      ] as const) {
        await press(page, answer, column);
        await page
          .locator('.preview')
          .getByText(row.split('|')[0] ?? '')
          .last()
          .waitFor();
        await until(answer, async () => (await previewed(page)).includes(row), 20_000);
      }
      await page
        .getByText(/^CSV file, 2 rows, 13 October 2026 to 14 October 2026\..* In £1,920\.00, out £312\.00\.$/)
        .waitFor();
      if (isNarrow) expect(await lowControls(page)).toEqual([]);
      await press(page, 'Check the rows');
      await page.getByRole('button', { name: /^Go on with/ }).waitFor();
      if (isNarrow) expect(await lowControls(page)).toEqual([]);
      await importAll(page);
      expect((await stored(account)).map(({ type, pence }) => [type, pence])).toEqual([
        ['income', 102_500],
        ['expense', 10_250],
        ['income', 89_500],
        ['expense', 12_000],
        ['expense', 8_950],
      ]);
    }, options),
);

test.each([
  ['by mouse', clicked, { viewport: { width: 1280, height: 720 } }],
  ['by keyboard alone on a telephone', typed, { viewport: phone }],
  ['by touch', tapped, { viewport: phone, visitor: { hasTouch: true } }],
] as const)('amounts that add up are one question, answered %s', (_, press, options) =>
  withPage(async ({ account, page }) => {
    const rows = [
      '13/10/2026,Patel,1025.00,102.50,20.50,902.00',
      '14/10/2026,Jones,895.00,89.50,17.90,787.60',
    ];
    await openFile(page, account, 'net.csv', ['Date,Tenant,Rent,Fee,VAT,Net', ...rows].join('\n'));
    await question(page, 'In each row "Net" is "Rent", money in, less "Fee" and "VAT", money out').waitFor();
    expect(await page.locator('.questions > li').count()).toBe(1);
    expect((await previewed(page))[0]).toBe('13/10/2026|uk-property||1025.00 ?|102.50 ? + 20.50 ?|Patel');
    await press(page, 'Sum of the row, to check it');
    await page.locator('.note', { hasText: 'In £1,920.00, out £230.40.' }).waitFor();
    expect(await use(page, 'Fee').inputValue()).toBe('moneyOut');
    await press(page, 'Check the rows');
    await page.getByRole('button', { name: 'Go on with 6 new entries' }).waitFor();
  }, options),
);

test.each([
  ['by mouse', clicked, { viewport: { width: 1280, height: 720 } }],
  ['by keyboard alone on a telephone', typed, { viewport: phone }],
  ['by touch', tapped, { viewport: phone, visitor: { hasTouch: true } }],
] as const)('a column that gives the direction is an answer about the amount, %s', (_, press, options) =>
  withPage(async ({ account, page }) => {
    const rows = ['13/10/2026,professionalFees,Smith,9.00', '14/10/2026,periodAmount,Patel,30.00'];
    await openFile(page, account, 'list.csv', ['Date,Category,Item,Amount', ...rows].join('\n'));
    await page.getByText('1 question is open').waitFor();
    await press(page, 'Amount: another column says in or out');
    const confirm = page.getByRole('button', { name: 'Confirm these values' });
    const answer = (value: string, text: string) =>
      page
        .getByRole('group', { name: `“${value}” in Category` })
        .getByRole('button', { name: text })
        .click();
    await answer('professionalFees', 'Money out');
    expect(await confirm.isDisabled()).toBe(true);
    await answer('periodAmount', 'Money in');
    if (options.viewport === phone) expect(await lowControls(page)).toEqual([]);
    await press(page, 'Confirm these values');
    await page.locator('.note.good', { hasText: 'In £30.00, out £9.00.' }).waitFor();
    expect(await page.locator('.questions').count()).toBe(0);
  }, options),
);

testPage(
  'a column of amounts can be one entry with an earlier one, and is sent so',
  async ({ account, page }) => {
    const rows = [
      '13/10/2026,Patel,1025.00,102.50,20.50,902.00',
      '14/10/2026,Jones,895.00,89.50,17.90,787.60',
    ];
    await openFile(page, account, 'net.csv', ['Date,Tenant,Rent,Fee,VAT,Net', ...rows].join('\n'));
    await clicked(page, 'Sum of the row, to check it');
    await page.locator('.note', { hasText: 'In £1,920.00, out £230.40.' }).waitFor();
    await use(page, 'Category of Fee').selectOption('professionalFees');
    // Rent is money in, and comes before: only the fee is offered.
    const offered = await use(page, 'Entry of VAT').locator('option').allTextContents();
    expect(offered).toEqual(['An entry of its own', 'One entry with Fee']);
    await use(page, 'Entry of VAT').selectOption('One entry with Fee');
    await use(page, 'Category of VAT').waitFor({ state: 'detached' });
    await page.locator('td', { hasText: '£123.00' }).first().waitFor();
    expect((await previewed(page)).slice(0, 2)).toEqual([
      '13 Oct 2026|uk-property||£1,025.00||Patel',
      '13 Oct 2026|uk-property|Professional fees||£123.00|Patel',
    ]);
    await check(page);
    await page.getByRole('button', { name: 'Go on with 4 new entries' }).waitFor();
    await importAll(page);
    expect((await stored(account)).map(({ pence, category }) => [pence, category])).toEqual([
      ...[
        [102_500, null],
        [12_300, 'professionalFees'],
      ],
      ...[
        [89_500, null],
        [10_740, 'professionalFees'],
      ],
    ]);
  },
);

/** Controls that are lower than a finger needs. A label or a cell is around a checkbox. */
const lowControls = (page: Page) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('button, select, summary, input, textarea')].filter((e) => e.checkVisibility() && !e.matches('[type=file], [type=checkbox], .sr-only') && e.getBoundingClientRect().height < 44).map((e) => e.outerHTML)`,
  );

testPage(
  'a use counts once it is confirmed, and one that another column has is a conflict at both',
  async ({ account, page }) => {
    await openFile(page, account, 'a.csv', 'Date,When,Text,Money in\n13/10/2026,13/10/2026,Rent,5.00\n');
    await page.getByRole('button', { name: 'Change how a.csv is read' }).click();
    await use(page, 'When').focus();
    for (let presses = 0; presses < 20; presses++) await page.keyboard.press('ArrowUp');
    expect(await use(page, 'When').inputValue()).toBe('date');
    expect(await page.locator('.file .note.good').count()).toBe(1);
    expect(await page.evaluate<number>('localStorage.length')).toBe(0);
    await page.keyboard.press('Escape');
    expect(await use(page, 'When').inputValue()).toBe('ignore');
    for (let presses = 0; presses < 20; presses++) await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByText('1 question is open').waitFor();
    for (const name of ['Date', 'When'])
      expect(await use(page, name).getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByRole('button', { name: 'Check the rows' }).count()).toBe(0);
    await use(page, 'Date').selectOption('ignore');
    await page.getByText('CSV file, 1 row, 13 October 2026.').waitFor();
    // A column of amounts is left out only with its sum in sight.
    const said: string[] = [];
    page.on('dialog', async (dialog) => {
      said.push(dialog.message());
      await (said.length === 1 ? dialog.dismiss() : dialog.accept());
    });
    await use(page, 'Money in').selectOption('ignore');
    expect(await use(page, 'Money in').inputValue()).toBe('moneyIn');
    await use(page, 'Money in').selectOption('ignore');
    await page.getByText('5.00 in all is left out.').waitFor();
    expect(said[0]).toBe('“Money in” has 5.00 in all. Leave this out?');
  },
);

testPage(
  'the direction of a card is a question in words of its amounts, and can be flipped',
  async ({ account, page }) => {
    await openFile(
      page,
      account,
      'card.csv',
      'Date,Text,Amount\n13/10/2026,PAINT,60.00\n14/10/2026,NAILS,12.00\n20/10/2026,PAINT,-12.00\n',
    );
    await page.getByRole('button', { name: '60.00 is money in, -12.00 is money out' }).click();
    await page.getByText(/In £72.00, out £12.00\.$/).waitFor();
    await page.getByRole('button', { name: 'Flip in and out' }).click();
    await page.getByText(/In £12.00, out £72.00\.$/).waitFor();
    expect((await previewed(page))[0]).toBe('13 Oct 2026|uk-property|||£60.00|PAINT');
  },
);

testPage(
  'lines between rows, values and signs without a column are asked about, and an answer can be changed',
  async ({ account, page }) => {
    const list = [
      ...['Date,Description,Money out,Kind', 'Paid', '13/10/2026,PAINT,60.00,Done', 'Planned'],
      ...['14/10/2026,ROOF,700.00,Done', '15/10/2026,NAILS,12.00,Quote'],
    ];
    await openFile(page, account, 'list.csv', list.join('\n'));
    const answer = (name: string, text: string) =>
      page.getByRole('group', { name, exact: true }).getByRole('button', { name: text }).click();
    await shownText(page, 'Row 4 is a line of text, "Planned"').waitFor();
    await answer('Row 2', 'Neither');
    await answer('Row 4', 'No payment');
    await answer('“Done” in Kind', 'Neither');
    await answer('“Quote” in Kind', 'No payment');
    await page.getByText(/^CSV file, 5 rows, 13 October 2026\. Columns .* 4 rows are skipped\.$/).waitFor();
    await answer('Row 4', 'Money out');
    await page
      .getByText(/^CSV file, 5 rows, 13 October 2026 to 14 October 2026\. .* 3 rows are skipped\.$/)
      .waitFor();
    await answer('Row 4', 'Money out');
    await shownText(page, 'Row 4 is a line of text, "Planned"').waitFor();
    await page.getByRole('button', { name: 'Remove list.csv' }).click();

    await drop(page, 'a.qif', '!Type:Bank\nD13/10/2026\nT60.00\nPPAINT\nLRepairs\n^\n');
    await shownText(page, 'The categories (L) may say the direction: Repairs.').waitFor();
    await answer('“Repairs” in L', 'Neither');
    await answer('Amounts (T)', 'Amount: money out, a minus is money back');
    await check(page);
    await importAll(page);
    expect(await stored(account)).toMatchObject([{ type: 'expense', pence: 6_000 }]);
  },
);

testPage('a file that cannot be read has its reason alone', async ({ account, page }) => {
  await openFile(page, account, 'statement.pdf', '%PDF-1.7\n');
  await page.getByText('This is a PDF or a picture; download the statement').first().waitFor();
  expect(await page.locator('#panel-import select').count()).toBe(1);
  await drop(page, 'monzo.csv', MONZO);
  await page.getByRole('button', { name: /^Change how monzo/ }).click();
  await page.getByLabel('Kind of file').selectOption('xlsx');
  await page.locator('.note.bad', { hasText: 'not an Excel workbook' }).waitFor();
  await page.getByLabel('Kind of file').selectOption('');
  await page.getByText('Monzo, 6 rows,').first().waitFor();
});
