/** `ledger figures` of property abroad, and of a year that began in other software: facts that the rules state. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { readXlsx } from '../../../clients/typescript/import/files/xlsx.ts';
import type { Json } from '../../fixtures/client.ts';
import { admin } from '../../fixtures/system.ts';
import { directory, newUser, writeFile } from './command.ts';

setDefaultTimeout(60_000);

const ID = '8e8b8450-dc1b-4360-8109-7067337b42cb';
const OTHER_ID = '11111111-2222-3333-4444-abcdefabcdef';
const rent = { type: 'income', category: 'rentIncome', date: '2026-04-06' };

/** Two properties in France and one in Italy. */
async function abroad() {
  const { account, run } = await newUser();
  const business = {
    accountId: account.accountId,
    role: 'owner',
    type: 'foreign-property',
    sharePercent: 100,
  };
  const made: string[] = [];
  for (const [name, countryCode] of [
    ['Paris', 'FR'],
    ['Lyon', 'FR'],
    ['Roma', 'IT'],
  ] as const) {
    const { id } = await admin.createSource({ ...business, name, countryCode });
    await account.post([{ ...rent, amountPence: 10_000 + made.length }], { source: id });
    made.push(id);
  }
  const figures = (start: string, ...args: string[]) =>
    run(['figures', '--tax-year', start, '--quarter', '1', ...args]);
  return { account, made, figures };
}
const foreignOf = ({ periods }: Json) =>
  periods[1].businesses.filter(({ type }: Json) => type === 'foreign-property');

test("property abroad is one update of all countries: by HMRC's ids since 2026-27, by its codes of countries before", async () => {
  const { account, made, figures } = await abroad();
  const own = account.sources['foreign-property'];
  const missing = await figures('2026-27');
  expect(missing.out).toContain(
    'HMRC would refuse figures of Property in France, Property in Italy. See below.',
  );
  expect(missing.out).toContain(
    `Paris, HMRC's id of the property: HMRC asks for its own id of each property abroad. Add a line to your rules: HMRC's id of "Paris" is …`,
  );
  const ids = [ID, OTHER_ID, ID.replace('8', '9'), ID.replace('8', 'a')];
  const lines = [...made, ...(own ? [own] : [])].map(
    (source, index) => `HMRC's id of ${source} is ${ids[index]}`,
  );
  const rules = writeFile('abroad.txt', lines.join('\n'));
  const document = (await figures('2026-27', '--rules', rules, '--json')).json();
  const businesses = foreignOf(document);
  const items = businesses[0].summary.foreignProperty;
  expect(businesses.map(({ summary }: Json) => summary.foreignProperty)).toEqual(businesses.map(() => items));
  expect(items.filter(({ income }: Json) => income.rentIncome.rentAmount > 0)).toEqual([
    { propertyId: ID, income: { rentIncome: { rentAmount: 100 } }, expenses: { other: 0 } },
    { propertyId: OTHER_ID, income: { rentIncome: { rentAmount: 100.01 } }, expenses: { other: 0 } },
    { propertyId: ids[2], income: { rentIncome: { rentAmount: 100.02 } }, expenses: { other: 0 } },
  ]);
  expect(businesses.flatMap(({ violations }: Json) => violations)).toEqual([]);
  const people = await figures('2026-27', '--rules', rules);
  expect(people.out).not.toContain('HMRC would refuse');
  const before = foreignOf((await figures('2025-26', '--json')).json());
  expect(before[0].summary.foreignProperty.map(({ countryCode }: Json) => countryCode)).toEqual(
    expect.arrayContaining(['FRA', 'ITA']),
  );
});

const SUMS = `sum of uk-property / periodAmount up to 2026-08-31: 4,500.00
sum of uk-property / repairsAndMaintenance up to 2026-08-31: 120.50
`;
const flat = { type: 'income', category: 'periodAmount' };

test('sums of other software are in the update by themselves, and their days are counted once only', async () => {
  const { account, run } = await newUser();
  await account.post([
    { ...flat, date: '2026-04-06', amountPence: 1 },
    { ...flat, date: '2026-08-31', amountPence: 20, description: 'twice' },
    { type: 'income', date: '2026-08-31', amountPence: 300 },
    { ...flat, date: '2026-09-01', amountPence: 4_000 },
  ]);
  const rules = writeFile('own-sums.txt', SUMS);
  const figures = (...args: string[]) => run(['figures', '--tax-year', '2026-27', '--rules', rules, ...args]);
  const { checks, periods, entries } = (await figures('--quarter', '2', '--json')).json();
  expect(entries.map(({ date }: Json) => date)).toEqual(['2026-09-01']);
  const [stated] = checks.filter(({ kind }: Json) => kind === 'stated');
  expect(stated.ids).toHaveLength(3);
  expect(periods[0].businesses[0].lines).toMatchObject([{ pence: 4_000, statedPence: 0 }]);
  const income = { category: 'periodAmount', pence: 454_000, statedPence: 450_000, sharePence: 454_000 };
  const expense = { category: 'repairsAndMaintenance', pence: 12_050, statedPence: 12_050, ids: [] };
  const sums = { income: { periodAmount: 4_540 }, expenses: { repairsAndMaintenance: 120.5 } };
  expect(periods[1].isFinal).toBe(true);
  expect(periods[1].businesses[0]).toMatchObject({
    lines: [income, expense],
    sources: [{ statedTo: '2026-08-31' }],
    withoutCategory: { count: 0 },
    summary: { ukProperty: sums },
  });
  const { out } = await figures('--quarter', '2');
  expect(out).toContain('3 entries of uk-property up to 2026-08-31, in no figure: your rules state sums');
  expect(out).toMatch(/income +Rent received +periodAmount +40\.00 +4,540\.00/);
  expect(out).toContain(
    'uk-property has sums of other software for 2026-04-06 to 2026-08-31, by your rules: Rent received 4,500.00, Repairs and maintenance 120.50.',
  );
  const first = (await figures('--quarter', '1', '--json')).json();
  const { isFinal, businesses } = first.periods[1];
  expect([isFinal, businesses[0].lines]).toEqual([false, []]);
  expect(first.notes).toEqual([expect.stringContaining('The figures of uk-property are not final')]);
});

test('sums are in the workbook without an entry, and a change of them is explained', async () => {
  const { account, run } = await newUser();
  await account.post([{ ...flat, date: '2026-09-01', amountPence: 4_000 }]);
  const figures = (rules: string, ...args: string[]) =>
    run([
      'figures',
      '--tax-year',
      '2026-27',
      '--quarter',
      '2',
      '--rules',
      writeFile('sums.txt', rules),
      ...args,
    ]);
  const file = join(directory, 'sums.xlsx');
  const earlier = writeFile('sums.json', (await figures(SUMS, '--xlsx', file, '--json')).out);
  const { rows } = await readXlsx(await Bun.file(file).bytes(), 'Figures', '.', () => true);
  const shown = rows.map(({ cells }) => cells.join(' '));
  expect(
    shown.find((text) => text.startsWith('since 2026-04-06') && text.includes('periodAmount')),
  ).toEndWith(' 4500.00');
  const { out } = await figures(SUMS.replace('4,500.00', '4,600.00'), '--since', earlier);
  expect(out.slice(out.indexOf('\nUK property, income'))).toBe(`
UK property, income, Rent received: 4,540.00 before and 4,640.00 now
difference  because
    100.00  the stated sum of uk-property is 4,600.00 instead of 4,500.00
`);
});

test('a line that cannot be read ends the command with its number, and the way to correct it', async () => {
  const { run } = await newUser();
  for (const [line, message] of [
    [
      'sum of uk-property / rent up to August: 1.00',
      'Line 2 of the rules is no line about a sum; write for example sum of',
    ],
    [
      `HMRC's id of uk-property is ${ID}`,
      'Line 2 of the rules is about uk-property; remove it, because only property abroad has',
    ],
  ]) {
    const file = writeFile('bad.txt', `# first\n${line}\n`);
    for (const command of [
      ['figures', '--rules', file],
      ['rules', file],
    ]) {
      const { exitCode, out, err } = await run(command);
      expect([exitCode, out, err]).toEqual([2, '', expect.stringContaining(message ?? '')]);
    }
  }
});
