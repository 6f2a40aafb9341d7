/** Rules in the import page: one statement fills several properties, in a real browser. */
import { expect } from 'bun:test';
import { sql } from '../../fixtures/system.ts';
import { typedRows } from '../typed-rows.ts';
import { connect, testPage } from './browser.ts';
import { cell, check, drop, importAll, leaveOut, total } from './import-steps.ts';

const RULES = [
  'description contains "MILL LANE" -> uk-property / periodAmount',
  'description starts with "AGENT" -> foreign-property / split: expense professionalFees 12 % of gross, rest rentIncome',
  'description is "OWN" -> leave out',
  'otherwise -> ask',
].join('\n');
const STATEMENT = typedRows('Date,Description,Amount', [
  ...['2026-10-01,RENT MILL LANE,900', '2026-10-02,AGENT 7,836', '2026-10-03,OWN,-500'],
  ...['2026-10-04,CLIENT X,100', '2026-10-05,CLIENT Y,200'],
]).join('\n');

testPage('rules decide, the rest is chosen for several rows at once', async ({ account, page }) => {
  await connect(page, account.key);
  await page
    .getByLabel('Import into')
    .selectOption({ label: 'Several – my rules or a column of the file say which' });
  await drop(page, 'bank.csv', STATEMENT);
  await check(page);
  await page.getByLabel('Rules, one on each line.').fill(RULES);
  await page.getByLabel('Rules, one on each line.').blur();
  await cell(page, 3, 'category')
    .getByText('-£114.00 professional fees, £950.00 rent received, overseas')
    .waitFor();
  expect(await cell(page, 2, 'source').textContent()).toBe('uk-property');
  expect(await cell(page, 4, 'status').textContent()).toContain(
    'The rule “description is "OWN" -> leave out” (line 3) leaves it out.',
  );
  await cell(page, 5, 'status').getByText('The rule “otherwise -> ask” (line 4) asks').waitFor();
  // Delete brings the row back that a rule leaves out, and leaves it out again.
  await leaveOut(page, 4);
  await page.getByText('3 rows need a property').first().waitFor();
  await leaveOut(page, 4);
  await page.getByText('2 rows need a property').first().waitFor();
  expect(await page.evaluate(() => Object.values({ ...localStorage }))).toEqual([RULES]);
  // The rows that the rules ask about.
  await page.getByLabel('Problems only').check({ force: true });
  await page.getByLabel('Select all 2').check();
  await page.getByLabel('Property or business of the selected rows').selectOption('self-employment');
  await page.getByLabel('All rows').check({ force: true });
  await importAll(page);
  expect(await total(page, 'Created')).toBe('5');
  const stored = await sql`
  select s.name, e.type, category, amount_pence::int as pence
    from ledger.entry e join ledger.source s using (account_id, source_id)
   where account_id = ${account.accountId} order by pence`;
  expect(stored.map(({ name, type, category, pence }) => `${name} ${type} ${category} ${pence}`)).toEqual([
    'self-employment income null 10000',
    'foreign-property expense professionalFees 11400',
    'self-employment income null 20000',
    'uk-property income periodAmount 90000',
    'foreign-property income rentIncome 95000',
  ]);
});

testPage(
  'rules that name no property of the account any more can be forgotten',
  async ({ account, page }) => {
    await connect(page, account.key);
    const name = `ledger-import-rules ${account.accountId}`;
    await page.evaluate((rules) => localStorage.setItem(rules, 'otherwise -> Elm Road / other'), name);
    await page.reload();
    await connect(page, account.key);
    await page.getByLabel('Import into').selectOption(account.sources['uk-property']);
    await drop(page, 'bank.csv', STATEMENT);
    await page.getByText('There is no property or business "Elm Road".').first().waitFor();
    await page.getByRole('button', { name: 'Forget these rules' }).click();
    await check(page);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  },
);

testPage('a rules file is loaded, changed with Apply, and saved', async ({ account, page }) => {
  await connect(page, account.key);
  await page.getByLabel('Import into').selectOption({ index: 1 });
  await drop(page, 'bank.csv', STATEMENT);
  // Rules are not chosen yet: nothing is wrong with the file.
  await page.locator('.note.good', { hasText: 'The next step decides where 5 rows belong.' }).waitFor();
  await check(page);
  await page.getByText('5 rows need a property').first().waitFor();
  const rulesFile = (text: string, encoding: BufferEncoding = 'latin1') => ({
    name: 'rules.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from(text, encoding),
  });
  await page.getByLabel('Rules file').setInputFiles(rulesFile('caf\xe9 -> other'));
  await page.getByText('rules.txt is not a text in UTF-8.').waitFor();
  await page.getByLabel('Rules file').setInputFiles(rulesFile('\ufeffotherwise -> other', 'utf16le'));
  await page.getByText('rules.txt is not a text in UTF-8.').waitFor();
  await page.getByLabel('Rules file').setInputFiles(rulesFile(RULES));
  await page.getByText('2 rows need a property').first().waitFor();
  await page.getByLabel('Rules, one on each line.').fill(RULES.replace('-> ask', '-> self-employment'));
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('No problems', { exact: true }).waitFor();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save' }).click();
  expect(await Bun.file((await (await saved).path()) ?? '').text()).toContain('otherwise -> self-employment');
  // Typed rules are applied and kept, also if the key stops working meanwhile.
  await page.getByLabel('Rules, one on each line.').pressSequentially('# typed\n');
  // As in browsers that report no change of a field that is removed.
  await page.evaluate(`addEventListener('change', (event) => event.stopImmediatePropagation(), true)`);
  await page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`);
  await connect(page, account.key);
  expect(await page.getByLabel('Rules, one on each line.').inputValue()).toContain('# typed');
  expect(await page.evaluate(() => Object.values({ ...localStorage })[0])).toContain('# typed');
});
