/** A landlord's year in six files, and the quarter after it, in a real browser: the clicks, the typed lines, and every stored entry. */
import { expect } from 'bun:test';
import type { TestAccount } from '../../fixtures/client.ts';
import { admin } from '../../fixtures/system.ts';
import { type Page, testPage } from './browser.ts';
import { done } from './import-steps.ts';
import { type LandlordFiles, landlordFiles, type MeantEntry, PROPERTIES } from './landlord-files.ts';

const RULES = [
  'description contains "Seaside loft" and type is income -> 9 Mill Lane / periodAmount',
  'description contains "Seaside loft" -> 9 Mill Lane / professionalFees',
  'description starts with "ALQUILER" -> Casa Azul / rentIncome',
  'description starts with "COMUNIDAD" -> Casa Azul / premisesRunningCosts',
  'description starts with "INVOICE" -> Studio / turnover',
  'description starts with "PRINTER" -> Studio / adminCosts',
  'description starts with "SCREWFIX" -> 12 Acacia Avenue / repairsAndMaintenance',
  'description starts with "TESCO" or "PAYMENT RECEIVED" -> leave out',
  'type is income -> periodAmount',
];

type Place = ReturnType<Page['locator']>;

/** Does what a person does, and counts it. A choice from a list is two clicks. */
function personAt(page: Page) {
  const counts = { clicks: 0, lines: 0 };
  return {
    counts,
    async click(place: Place) {
      counts.clicks++;
      await place.click();
    },
    async press(name: string | RegExp) {
      counts.clicks++;
      await page.getByRole('button', { name, exact: true }).click();
    },
    async choose(place: Place, option: string) {
      counts.clicks += 2;
      await place.selectOption(option);
    },
    async chooseFiles(label: string, files: LandlordFiles['files']) {
      counts.clicks++;
      await page.getByLabel(label, { exact: true }).setInputFiles(files);
    },
    async type(text: string) {
      counts.lines += text.split('\n').length;
      await page.keyboard.insertText(text);
    },
  };
}

async function createProperties(account: TestAccount): Promise<Record<string, string>> {
  const types = {
    acacia: 'uk-property',
    mill: 'uk-property',
    casa: 'foreign-property',
    studio: 'self-employment',
  } as const;
  const ids: Record<string, string> = {};
  for (const [property, type] of Object.entries(types)) {
    const name = PROPERTIES[property as keyof typeof PROPERTIES];
    ids[name] = (
      await admin.createSource({ accountId: account.accountId, type, name, role: 'owner', sharePercent: 100 })
    ).id;
  }
  return ids;
}

const inOrder = (entries: readonly MeantEntry[]) =>
  entries.map((entry) => Object.values(entry).join(' | ')).sort();

async function storedEntries(account: TestAccount, ids: Record<string, string>): Promise<string[]> {
  const all: MeantEntry[] = [];
  for (const [property, id] of Object.entries(ids)) {
    for (const { date, type, amountPence, category, description } of await account.entries(id))
      all.push({
        property,
        date,
        type,
        pence: amountPence,
        category: category ?? '',
        description: description ?? '',
      });
  }
  return inOrder(all);
}

/** A person whose entries go to the sources that their rules name. */
async function signIn(page: Page, key: string) {
  const person = personAt(page);
  await page.getByLabel('API key', { exact: true }).focus();
  await person.type(key);
  await page.keyboard.press('Enter');
  await person.choose(page.getByLabel('Import into'), 'by-rules');
  return person;
}

testPage(
  'the year of a landlord in six files, and the quarter after it, take few clicks',
  async ({ account, page }) => {
    const ids = await createProperties(account);
    const year = landlordFiles(2025, 0, 12);
    const quarter = landlordFiles(2026, 0, 3);
    const file = (name: string) =>
      page.locator('.file', { has: page.getByRole('heading', { name, exact: true }) });

    const first = await signIn(page, account.key);
    await first.chooseFiles('Files', year.files);
    await first.press('Read “Expenses” too');
    const cashBook = file('cash book.csv');
    const ofColumn = (name: RegExp) => cashBook.getByRole('group', { name });
    await first.click(ofColumn(/for \W*In\W*$/).getByRole('button', { name: 'Money in' }));
    await first.click(ofColumn(/for \W*Out\W*$/).getByRole('button', { name: 'Money out' }));
    await first.click(cashBook.getByRole('button', { name: 'Confirm these columns' }));
    await first.choose(cashBook.getByLabel('Property', { exact: true }), 'source');
    const agent = file('agent.csv');
    const paid = agent.locator('.questions > li', { hasText: 'Paid to you' });
    await first.click(paid.getByRole('button', { name: 'Sum of the row' }));
    await first.choose(agent.getByLabel('Property', { exact: true }), 'source');
    for (const [column, category] of [
      ['Management fee', 'professionalFees'],
      ['VAT', 'professionalFees'],
      ['Repairs', 'repairsAndMaintenance'],
    ] as const)
      await first.choose(agent.getByLabel(`Category of ${column}`, { exact: true }), category);
    await first.chooseFiles('File of rates', [year.rates]);
    await first.press(/is money out, .* is money back/);
    await first.press('Check the rows');
    await first.click(page.getByLabel('Rules, one on each line.'));
    await page.keyboard.press('Control+Home');
    await first.type(`${RULES.join('\n')}\n`);
    await first.press('Apply');
    await first.press(`Go on with ${year.meant.length} new entries`);
    await first.press(/^Import [\d,]+ entr/);
    await done(page);
    expect(await storedEntries(account, ids)).toEqual(inOrder(year.meant));
    expect(first.counts).toEqual({ clicks: 25, lines: 11 });

    await page.reload();
    const second = await signIn(page, account.key);
    await second.chooseFiles('Files', quarter.files);
    await second.press('Read “Expenses” too');
    await second.chooseFiles('File of rates', [quarter.rates]);
    await second.press('Check the rows');
    await second.press(`Go on with ${quarter.meant.length} new entries`);
    await second.press(/^Import [\d,]+ entr/);
    await done(page);
    expect(await storedEntries(account, ids)).toEqual(inOrder([...year.meant, ...quarter.meant]));
    expect(second.counts).toEqual({ clicks: 8, lines: 1 });
  },
);
