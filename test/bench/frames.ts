/**
 * Prints the tasks of the import page above 50 ms, with 20,000 rows and 200 rules: the browser draws no frame during a task.
 *
 *     bun test/bench/frames.ts [ROWS] [RULES]
 */

import { ACACIA, MILL_LANE } from '../clients/quarterly-update/landlord.ts';
import { landlord } from '../clients/quarterly-update/year-account.ts';
import { connect, openPage } from '../clients/web/browser.ts';
import { check, manyRows } from '../clients/web/import-steps.ts';
import { endRun } from '../fixtures/end-of-run.ts';

const [rowCount = 20_000, ruleCount = 200] = process.argv.slice(2).map(Number);
const rules = Array.from({ length: ruleCount }, (_, n) =>
  n % 2 === 0
    ? `description ends with " ${n}" -> ${ACACIA} / periodAmount`
    : `description contains "Row ${n}" -> ${MILL_LANE} / split: expense professionalFees 12 % of gross, rest periodAmount`,
);
const { account } = await landlord([]);
const { page, close } = await openPage();
const tasks = () => page.evaluate<number[]>('globalThis.tasks.splice(0)');

/** Prints the tasks of a step. */
async function measured(name: string, work: () => Promise<unknown>): Promise<void> {
  await page.waitForTimeout(1_000);
  await tasks();
  await work();
  await page.waitForTimeout(3_000);
  const longest = (await tasks()).map((ms) => `${ms} ms`);
  console.log(`${name}: ${longest.length > 0 ? longest.join(', ') : 'none'}`);
}

await page.evaluate(`globalThis.tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask' })`);
await connect(page, account.key);
await page
  .getByLabel('Import into')
  .selectOption({ label: 'Several – my rules or a column of the file say which' });
await measured('read the file', async () => {
  await page
    .getByLabel('Files', { exact: true })
    .setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(manyRows(rowCount)) });
  await page.getByRole('button', { name: 'Check the rows', disabled: false }).waitFor();
});
await measured('show the rows', () => check(page));
const editor = page.getByLabel('Rules, one on each line.');
await measured('type the rules', async () => {
  await editor.click();
  await page.keyboard.insertText(`${rules.join('\n')}\notherwise -> leave out`);
});
await measured('apply the rules, compare with the books', () => page.keyboard.press('Tab'));
await editor.click();
await page.keyboard.press('Control+Home');
await page.keyboard.insertText('description contains "X" -> leave out\n');
await measured('apply other rules', () => page.keyboard.press('Tab'));
await measured('search', () => page.getByRole('searchbox').fill('Row 0007'));
await measured('all rows again', () => page.getByRole('searchbox').fill(''));
await page.locator('[role=row] .cell.line').nth(2).click();
await measured('leave out a row', () => page.keyboard.press('Delete'));
await measured('scroll', async () => {
  for (let turn = 0; turn < 10; turn++) await page.mouse.wheel(0, 5_000);
});
await close();
await endRun();
