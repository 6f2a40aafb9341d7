/**
 * Random orders of a person's steps in a real browser: uses of columns, answers, Back, another file, a reload, a second tab. Check shows
 * what is stored, and a column that nobody has answered is never used.
 */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { TestAccount } from '../../fixtures/client.ts';
import { connect, type Page, withPage } from './browser.ts';
import { check, done, drop, goOn, startImport, total } from './import-steps.ts';

/** The pence of each amount are the number of its column: an entry shows the column that it is from. */
const FILES = [
  ['Date,Tenant,Rent,Fee,Deposit', '13/10/2026,Patel,1025.02,102.03,', '15/10/2026,Jones,895.02,,50.04'],
  ['Date,Guest,Gross earnings,Paid out,Money in', '25/10/2026,Ann,100.02,97.03,', '26/10/2026,Bob,,,60.04'],
].map((lines) => ({ labels: lines[0]?.split(',') ?? [], text: `${lines.join('\n')}\n` }));
/** By its name, this column is money in without an answer. */
const CERTAIN = 'Money in';
const AMOUNTS_FROM = 2;
const USES = ['moneyIn', 'moneyOut', 'ignore', 'check', 'description', 'amount', 'spent', ''] as const;

const number = fc.nat({ max: 99 });
const stepOf = (name: string) => fc.record({ do: fc.constant(name), column: number, use: number });
const step = fc.oneof(
  { weight: 6, arbitrary: stepOf('use') },
  { weight: 3, arbitrary: stepOf('answer') },
  ...['back', 'file', 'reload', 'tab'].map(stepOf),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** The page has drawn the last step, and has read the file. */
async function settled(page: Page): Promise<void> {
  await page.evaluate('new Promise((drawn) => setTimeout(drawn, 20))');
  await page.locator('.file[aria-busy=false] .note:not(:text("Reading"))').first().waitFor();
}
const openQuestions = (page: Page) => page.locator('.questions > li');
const mayCheck = (page: Page) => page.getByRole('button', { name: 'Check the rows' }).isVisible();

/** A person with a page of the account in each tab, and the answers that this person has given. */
class Person {
  readonly answered = FILES.map(() => new Set<string>([CERTAIN]));
  readonly #files = [0, 0];
  #current = 0;

  constructor(
    readonly account: TestAccount,
    readonly tabs: readonly Page[],
  ) {
    for (const tab of tabs) tab.on('dialog', (dialog) => dialog.accept());
  }

  get page(): Page {
    return this.tabs[this.#current] as Page;
  }

  get file() {
    return this.#files[this.#current] ?? 0;
  }

  async begin(): Promise<void> {
    await connect(this.page, this.account.key);
    await this.page.getByLabel('Import into').selectOption(this.account.sources['uk-property']);
    await this.open();
  }

  async open(): Promise<void> {
    await drop(this.page, 'file.csv', FILES[this.file]?.text ?? '');
    await settled(this.page);
  }

  async use(label: string, use: string): Promise<void> {
    const change = this.page.getByRole('button', { name: 'Change how file.csv is read' });
    if (await change.isVisible()) await change.click();
    const field = this.page.getByLabel(label, { exact: true });
    if (!(await field.isVisible())) await this.page.getByText('All columns and options').click();
    const offered = await field
      .locator('option')
      .evaluateAll((options: { value: string }[]) => options.map(({ value }) => value));
    if (!offered.includes(use)) return;
    if (use !== '') this.answered[this.file]?.add(label);
    await field.selectOption(use);
    await settled(this.page);
  }

  /** Presses an answer of the first question. */
  async answer(choice: number): Promise<void> {
    const question = openQuestions(this.page).first();
    if (!(await question.isVisible())) return;
    const buttons = question.locator('button:enabled');
    const button = buttons.nth(choice % (await buttons.count()));
    // A question about several columns has a group of buttons for each, and one that confirms all.
    const group = question.locator('fieldset', { has: button });
    const of = (await group.count()) > 0 ? group : question;
    const label = (await of.locator('label').first().textContent()) ?? '';
    this.answered[this.file]?.add(label);
    // The sum of a row is an answer about its parts too: the question names them.
    if ((await button.textContent())?.startsWith('Sum'))
      for (const each of FILES[this.file]?.labels ?? [])
        if ((await question.textContent())?.includes(`"${each}"`)) this.answered[this.file]?.add(each);
    await button.click();
    await settled(this.page);
  }

  async do(step: Step): Promise<void> {
    const labels = FILES[this.file]?.labels.slice(AMOUNTS_FROM) ?? [];
    if (step.do === 'use')
      await this.use(labels[step.column % labels.length] ?? '', USES[step.use % USES.length] ?? '');
    if (step.do === 'answer') await this.answer(step.use);
    if (step.do === 'back' && (await mayCheck(this.page))) {
      await check(this.page);
      await this.page.getByRole('button', { name: 'Back', exact: true }).click();
    }
    if (step.do === 'file') {
      await this.page.getByRole('button', { name: 'Remove file.csv' }).click();
      this.#files[this.#current] = step.column % FILES.length;
      await this.open();
    }
    if (step.do === 'reload') {
      await this.page.reload();
      await this.begin();
    }
    if (step.do === 'tab') {
      this.#current = 1 - this.#current;
      if (!(await this.page.getByRole('button', { name: 'Change key' }).isVisible())) await this.begin();
    }
  }

  /** Leaves out what is still open. A file that then has no amounts cannot be read. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 10; turn++) {
      await settled(this.page);
      if ((await mayCheck(this.page)) || (await openQuestions(this.page).count()) === 0) return;
      const confirm = openQuestions(this.page).first().getByRole('button', { name: 'Confirm these columns' });
      const isOfSeveral = await confirm.isVisible();
      const labels = await openQuestions(this.page).first().locator('label').allTextContents();
      for (const label of isOfSeveral ? labels : labels.slice(0, 1)) {
        const isPicked =
          isOfSeveral && (await this.page.getByLabel(label, { exact: true }).inputValue()) !== '';
        if (!isPicked) await this.use(label, 'ignore');
      }
      if (isOfSeveral) await confirm.click();
    }
  }
}

/** Imports the file, unless it has no rows that can be. @returns the pence of the stored entries */
async function expectStoredAsShown({ page, account, file, answered }: Person): Promise<number[]> {
  await check(page);
  await page.getByText(/^(0 already in the books|not compared yet)/).waitFor();
  const shown = await Promise.all(['Income', 'Expense', 'New entries'].map((name) => total(page, name)));
  const isReady = await page.getByRole('button', { name: /^Go on with [1-9]/, disabled: false }).isVisible();
  if (!isReady) return [];
  await goOn(page);
  await startImport(page);
  await done(page);
  const entries = await account.entries();
  const sumOf = (type: string) =>
    entries.reduce((sum, entry) => sum + (entry.type === type ? entry.amountPence : 0), 0) / 100;
  const pounds = (sum: number) => `£${sum.toLocaleString('en-GB', { minimumFractionDigits: 2 })}`;
  expect(shown).toEqual([pounds(sumOf('income')), pounds(sumOf('expense')), String(entries.length)]);
  for (const { amountPence } of entries)
    expect([...(answered[file] ?? [])]).toContain(FILES[file]?.labels[amountPence % 100] ?? '');
  return entries.map(({ amountPence }) => amountPence);
}

test('whatever the order of the steps, Check shows what is stored, and a column without an answer is not used', async () => {
  let stored = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), (steps) =>
      withPage(async ({ account, page }) => {
        const tabs = [page];
        // It takes as long as some steps.
        if (steps.some((each) => each.do === 'tab')) tabs.push(await page.context().newPage());
        await tabs[1]?.goto('/import');
        const person = new Person(account, tabs);
        await person.begin();
        for (const each of steps) await person.do(each);
        await person.settle();
        if (await mayCheck(person.page)) stored += (await expectStoredAsShown(person)).length;
        await tabs[1]?.close();
      }),
    ),
    { seed: 59, numRuns: 8, endOnFailure: true },
  );
  expect(stored).toBeGreaterThan(5);
}, 600_000);
