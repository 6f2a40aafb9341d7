/** What a person is typing is kept, and the keys go where the person has put the focus. */
import { expect } from 'bun:test';
import { TestAccount } from '../../fixtures/client.ts';
import { connect, holdPauses, type Page, testPage } from './browser.ts';
import { cell, check, goOn, importAll, manyRows, startImport, stored } from './import-steps.ts';

/** The File step, with these rows pasted. */
async function paste(page: Page, sourceId: string | undefined, text: string): Promise<void> {
  await page.getByLabel('Import into').selectOption(sourceId ?? '');
  await page.getByText('Paste rows instead').click();
  await page.getByLabel('Rows, with their header').fill(text);
  await page.getByRole('button', { name: 'Read these rows' }).click();
}

async function checkRows(page: Page, account: TestAccount, count: number): Promise<void> {
  await connect(page, account.key);
  await paste(page, account.sources['uk-property'], manyRows(count));
  await check(page);
}

/** Keeps back what the books have until it is called. */
async function holdBooks(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/transactions?*', async (route) => {
    await promise;
    return route.fallback();
  });
  return resolve;
}

testPage('a choice in a cell survives the end of the comparison', async ({ account, page }) => {
  const release = await holdBooks(page);
  await checkRows(page, account, 3);
  await cell(page, 2, 'type').click();
  await page.keyboard.press('ArrowDown');
  release();
  await page.getByText('0 already in the books').waitFor();
  expect(await page.getByLabel('Type of row 2').inputValue()).toBe('expense');
  await page.keyboard.press('Enter');
  await cell(page, 2, 'type').getByText('Expense').waitFor();
});

testPage('rows are compared with the source that was chosen last', async ({ account, page }) => {
  await account.post([
    { date: '2026-04-01', type: 'income', amountPence: 100, description: 'Row 0', externalRef: 'r0' },
  ]);
  const release = await holdBooks(page);
  await connect(page, account.key);
  const rows =
    '[{"date":"2026-04-01","type":"income","amountPence":100,"description":"Row 0","externalRef":"r0"}]';
  await paste(page, account.sources['uk-property'], rows);
  await check(page);
  await page.getByText('comparing with the books…').waitFor();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByLabel('Import into').selectOption(account.sources['self-employment']);
  const read = page.waitForResponse(/transactions\?/);
  release();
  await read;
  await check(page);
  await page.getByText('0 already in the books').waitFor();
});

testPage('another account does not get what was still being pushed to the one before', async ({ page }) => {
  const [account, other] = [await TestAccount.create(), await TestAccount.create()];
  await checkRows(page, account, 600);
  await goOn(page);
  const isSending = Promise.withResolvers<void>();
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/transactions', async (route) => {
    isSending.resolve();
    await promise;
    return route.fallback();
  });
  await startImport(page);
  await isSending.promise;
  await page.getByRole('button', { name: 'Change key' }).click();
  await connect(page, other.key);
  await page.getByLabel('Import into').selectOption(other.sources['uk-property']);
  const response = page.waitForResponse('**/transactions');
  resolve();
  await response;
  await check(page);
  await importAll(page);
  expect([(await stored(account)).length, (await stored(other)).length]).toEqual([500, 600]);
});

testPage(
  'the columns stay open, with the focus in their file, while they are chosen',
  async ({ account, page }) => {
    await connect(page, account.key);
    const rows = 'Buchungstag;Zweck;Soll;Haben\n13.03.2026;Miete;;12,50\n14.03.2026;Farbe;3,20;\n';
    await paste(page, account.sources['uk-property'], rows);
    for (const [column, use] of [
      ['Buchungstag', 'Date'],
      ['Haben', 'Money in'],
      ['Soll', 'Money out'],
      ['Confirm these columns', undefined],
      ['Zweck', 'Description'],
    ] as const) {
      const choice = use
        ? page.getByLabel(column, { exact: true })
        : page.getByRole('button', { name: column });
      await choice.focus();
      await (use ? choice.selectOption(use) : choice.press('Enter'));
      await page.locator('[aria-labelledby=file-1-name][aria-busy=false]').waitFor();
      expect(await page.locator('.file :focus').count()).toBe(1);
    }
    await page.getByLabel('Decimal mark').selectOption('comma: 1.234,56');
    await page.getByText('CSV file, 2 rows, 13 March 2026 to 14 March 2026.').waitFor();
  },
);

testPage('the focus stays in the table when the last row leaves it', async ({ account, page }) => {
  await connect(page, account.key);
  await paste(page, account.sources['uk-property'], 'Date,Description,Money in\n2026-02-31,a,1.00\n');
  await check(page);
  await page.getByText('Problems only').click();
  await cell(page, 2, 'date').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('2026-02-28');
  await page.keyboard.press('Enter');
  await page.getByText('There are no such rows.').waitFor();
  expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Rows of the file');
});

testPage(
  'dates are in the calendar of the books for a visitor with another one, and do not depend on the time zone',
  async ({ account, page }) => {
    await checkRows(page, account, 1);
    expect(await cell(page, 2, 'date').textContent()).toMatch(/2026/);
    await page.getByRole('img', { name: /2026/ }).waitFor();
  },
  { visitor: { locale: 'fa-IR', timezoneId: 'Pacific/Pago_Pago' } },
);

testPage('the file that was read is announced at once', async ({ account, page }) => {
  await connect(page, account.key);
  await holdPauses(page);
  await paste(page, account.sources['uk-property'], manyRows(300));
  const status = page.getByRole('status').filter({ hasText: 'The file was read: 300 entries.' });
  await status.waitFor({ state: 'attached' });
});

testPage(
  'with the colours of the system, the chosen tab and the chosen filter can be told from the others',
  async ({ account, page }) => {
    await checkRows(page, account, 3);
    await page.getByRole('group', { name: 'Show', exact: true }).waitFor();
    await page.emulateMedia({ forcedColors: 'active' });
    const groups = await page.evaluate<string[][]>(
      `[...document.querySelectorAll('.tabs, fieldset.filters')].map((group) =>
        [...group.querySelectorAll('button, .chip')].map((e) => getComputedStyle(e).borderBottomColor + getComputedStyle(e).outlineStyle))`,
    );
    expect(groups.length).toBeGreaterThanOrEqual(2);
    for (const [chosen, ...others] of groups) {
      expect(others.length).toBeGreaterThan(0);
      expect(others).not.toContain(chosen);
    }
  },
);

testPage('a cell out of sight keeps its text, and the table the focus', async ({ account, page }) => {
  await checkRows(page, account, 300);
  await page.getByText('0 already in the books').waitFor();
  const scroll = (top: number) => page.evaluate(`scrollTo(0, ${top})`);
  await cell(page, 2, 'description').click();
  await page.keyboard.type('Edited');
  await scroll(9_000);
  await cell(page, 2, 'description').waitFor({ state: 'detached' });
  await scroll(0);
  await cell(page, 2, 'description').getByText('Edited').waitFor();
  await page.locator('[data-place="3:1"]').click();
  await scroll(9_000);
  await page.locator('[data-place="3:1"]').waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowDown');
  await page.locator('[data-place="4:1"]:focus').waitFor();
});

testPage('leaving a cell for another control leaves the focus there', async ({ account, page }) => {
  await checkRows(page, account, 3);
  await cell(page, 2, 'description').click();
  await page.keyboard.type('Edited');
  await page.locator('#rules').click();
  await cell(page, 2, 'description').getByText('Edited').waitFor();
  await page.keyboard.type('note');
  expect(await page.locator('#rules').inputValue()).toBe('note');
});
