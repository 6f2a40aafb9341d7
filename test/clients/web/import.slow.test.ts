/** The whole way through the import page in a real browser: a file of a bank, corrections, the push, and the books afterwards. */
import { expect } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ImportError, readImportFile } from '../../../clients/typescript/import/index.ts';
import { recognisedText } from '../../../clients/web/import/file/recognised-text.ts';
import { invalidRows } from '../../../clients/web/import/selectors.ts';
import { connect, tabTo, testPage } from './browser.ts';
import {
  cell,
  check,
  done,
  drop,
  goOn,
  importAll,
  leaveOut,
  manyRows,
  openCheck,
  openFile,
  stored,
  total,
} from './import-steps.ts';

const bank = (name: string) => readFileSync(join(import.meta.dir, '../files', name), 'utf8');

testPage(
  'a file is dropped, corrected in part, and imported',
  async ({ account, page }) => {
    const file = bank('starling.csv').replace('02/04/2026,British Gas', '31/02/2026,British Gas');
    await openFile(page, account, 'starling.csv', file);
    await page.getByText(/^Starling, \d+ rows, .* 1 row to correct on the next step\.$/).waitFor();
    await check(page);

    await page.getByText('Problems only').click();
    expect(await cell(page, 3, 'date').getAttribute('aria-invalid')).toBe('true');
    await cell(page, 3, 'date').click();
    await page.keyboard.type('02/04/2026');
    await page.keyboard.press('Enter');
    await page.getByText('There are no such rows.').waitFor();
    await page.getByText('All rows').click();

    await leaveOut(page, 2);
    await page.getByText('Left out', { exact: true }).first().waitFor();
    await cell(page, 3, 'category').click();
    await page.getByLabel('Category of row 3').selectOption('repairsAndMaintenance');
    await page.keyboard.press('Enter');
    await cell(page, 3, 'category')
      .getByText(/repairs/i)
      .waitFor();

    await importAll(page);
    const rows = await stored(account);
    expect(rows[0]).toEqual({
      date: '2026-04-02',
      type: 'expense',
      pence: 8412,
      description: expect.stringContaining('British Gas'),
      category: 'repairsAndMaintenance',
    });
    expect(rows.some(({ description }) => String(description).includes('A Tenant'))).toBe(false);
    expect(await total(page, 'Created')).toBe(String(rows.length));

    // The same file again creates only the row that was left out.
    await page.getByRole('button', { name: 'Import other files' }).click();
    await drop(page, 'starling.csv', file.replace('31/02/2026', '02/04/2026'));
    await check(page);
    await page.getByText(`${rows.length} already in the books`).waitFor();
    await importAll(page);
    expect(await total(page, 'Created')).toBe('1');
    expect(await stored(account)).toHaveLength(rows.length + 1);
  },
  { viewport: { width: 1280, height: 900 } },
);

testPage(
  'every kind of file that the library reads is read the same in the browser',
  async ({ account, page }) => {
    const folder = join(import.meta.dir, '../files');
    await connect(page, account.key);
    const names = readdirSync(folder).filter((name) => name !== 'hsbc-no-header.csv');
    expect(names.length).toBeGreaterThan(12);
    await page.getByLabel('Files', { exact: true }).setInputFiles(names.map((name) => join(folder, name)));
    for (const name of names) {
      const bytes = readFileSync(join(folder, name));
      const expected = await readImportFile(bytes, { fileName: name }).then(
        (result) => recognisedText(result, invalidRows([result])),
        (error: ImportError) =>
          error.questions ? `${error.questions.length} question is open.` : error.message,
      );
      const card = page.locator('.file', { has: page.getByRole('heading', { name, exact: true }) });
      await card.getByText(expected, { exact: true }).first().waitFor();
    }
  },
);

testPage(
  'a conflict shows the file beside the books, which stay',
  async ({ account, page }) => {
    const content = { date: '2026-04-01', type: 'income', category: 'periodAmount', externalRef: 'r1' };
    await account.post({ ...content, amountPence: 100, description: 'Rent' });
    const entries = [{ ...content, amountPence: 250, description: 'Rent' }];
    await openCheck(page, account, 'entries.json', JSON.stringify(entries));
    await page.getByText('The books have another amount.').waitFor();
    await importAll(page);
    expect(await total(page, 'Different in the books')).toBe('1');
    const marked = page.locator('.wide-table mark');
    await page.locator('.wide-table mark', { hasText: '£1.00' }).waitFor();
    expect(await marked.allTextContents()).toEqual(['£2.50', '£1.00']);
    await page.locator('.wide-table td', { hasText: 'Rent received' }).first().waitFor();
    await page.locator('.wide-table td', { hasText: 'uk-property' }).nth(1).waitFor();
    // The table scrolls, not the page.
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
    expect(await stored(account)).toMatchObject([{ pence: 100, description: 'Rent' }]);
  },
  { viewport: { width: 390, height: 844 } },
);

testPage('texts of a file stay text, in the table and in the report', async ({ account, page, requests }) => {
  const evil = `Date,Description,Money in\n2026-04-01,"<img src=x onerror=""document.title='bad'"">",1.00\n2026-04-02,"=HYPERLINK(""http://evil.example"")",2.00\n`;
  await openCheck(page, account, 'evil.csv', evil);
  expect(await cell(page, 2, 'description').textContent()).toContain('<img src=x onerror');
  expect(await page.locator('main img').count()).toBe(0);
  await importAll(page);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the report (CSV)' }).click();
  const report = readFileSync((await (await saved).path()) ?? '', 'utf8');
  expect(
    report
      .split('\r\n')
      .slice(1, 3)
      .every((line) => /^\d,created,/.test(line)),
  ).toBe(true);
  expect(await page.title()).not.toContain('bad');
  expect(requests.every((request) => request.includes('/import') || request.includes('/api/'))).toBe(true);
  expect((await stored(account))[1]?.description).toBe('=HYPERLINK("http://evil.example")');
});

testPage('the whole way works by keyboard alone', async ({ account, page }) => {
  // The field takes the focus by itself.
  await page.locator('#key:focus').waitFor();
  await page.keyboard.type(account.key);
  await page.keyboard.press('Enter');
  await page.getByLabel('Import into').waitFor();
  await tabTo(page, /^Import into$/);
  await page.keyboard.type('uk-property');
  await tabTo(page, /^Paste rows instead$/);
  await page.keyboard.press('Enter');
  await tabTo(page, /^Rows, with their header$/);
  await page.keyboard.insertText(
    'Date,Description,Amount,Type\n2026-04-01,Rent,950.00,income\n2026-04-02,Gas,-12.x,expense\n',
  );
  await tabTo(page, /^Read these rows$/);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Check the rows' }).waitFor();
  await tabTo(page, /^Check the rows$/);
  await page.keyboard.press('Enter');
  await page.getByText('1 row to correct or leave out', { exact: true }).waitFor();

  await tabTo(page, /^Select row 2$/);
  await page.keyboard.press('ArrowDown');
  for (let column = 0; column < 5; column++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('F2');
  await page.keyboard.type('-12.50');
  await page.keyboard.press('Enter');
  await page.getByText('No problems', { exact: true }).waitFor();
  // The focus is still in the cell.
  await page.keyboard.press('ArrowUp');
  // The corrected row has made the period longer: the books are read again.
  await page.getByRole('button', { name: 'Go on with 2 new entries', disabled: false }).waitFor();
  await tabTo(page, /^Go on with 2 new entries$/);
  await page.keyboard.press('Enter');
  await tabTo(page, /^Import 2 entries$/);
  await page.keyboard.press('Enter');
  await done(page);
  await tabTo(page, /^Reconcile this file$/);
  await page.keyboard.press('Enter');
  await page.locator('.note', { hasText: 'Reconciled: every row is accounted for.' }).waitFor();
  expect(await stored(account)).toMatchObject([{ pence: 95_000 }, { type: 'expense', pence: 1250 }]);
});

testPage(
  'a file that misses its place does not replace the page, and edits are not lost without a question',
  async ({ account, page }) => {
    await openFile(page, account, 'a.csv', manyRows(3));
    expect(
      await page.evaluate<boolean>(
        `!document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true }))`,
      ),
    ).toBe(true);
    await check(page);
    await leaveOut(page, 2);
    await page.getByText('Left out', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    let question = '';
    page.once('dialog', (dialog) => {
      question = dialog.message();
      void dialog.dismiss();
    });
    await drop(page, 'b.csv', 'Date,Description,Money out\n2026-05-01,Gas,12.00\n');
    await page.getByText('CSV file, 1 row, 1 May 2026.').waitFor();
    expect(question).toBe('');
    await page.getByRole('button', { name: 'Remove a.csv' }).click();
    expect(question).toContain('1 row of a.csv');
    expect(await page.locator('.file-name').allTextContents()).toEqual(['a.csv', 'b.csv']);
  },
);

testPage('rows that are not imported are named before the others are', async ({ account, page }) => {
  await openCheck(page, account, 'a.csv', bank('starling.csv').replace('02/04/2026', '31/02/2026'));
  await goOn(page);
  await page.getByText('1 row is not imported:', { exact: true }).waitFor();
});

testPage('20,000 rows are read, scrolled and edited within 100 MB of memory', async ({ account, page }) => {
  await openCheck(page, account, 'big.csv', manyRows(20_000).replace(',7.00', ',7.001'));
  await page.getByText('1 row to correct or leave out', { exact: true }).waitFor();
  const grid = page.locator('[role=grid]');
  expect(await grid.getAttribute('aria-rowcount')).toBe('20001');
  await grid.focus();
  await page.keyboard.press('Control+End');
  await page.getByLabel('Select row 20001', { exact: true }).waitFor();
  expect(await page.locator('[role=row]').count()).toBeLessThan(60);
  await page.getByText('Problems only').click();
  await cell(page, 7, 'amount').click();
  await page.keyboard.type('7.00');
  await page.keyboard.press('Enter');
  await page.getByText('No problems', { exact: true }).waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  // Not by the page: a test that installs a clock replaces its `performance`.
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  expect(usedSize).toBeLessThan(100e6);
});
