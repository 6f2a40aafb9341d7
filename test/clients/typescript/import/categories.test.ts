/** Categories: columns with keys or labels, rules, defaults, and what is wrong with them. */
import { describe, expect, test } from 'bun:test';
import type { ImportOptions } from '../../../../clients/typescript/import/index.ts';
import { ofOneSource, readText } from './files.ts';

const OF_SHOP = ofOneSource({
  income: [
    { key: 'periodAmount', label: 'rent received' },
    { key: 'otherIncome', label: 'other property income' },
  ],
  expense: [
    { key: 'repairsAndMaintenance', label: 'repairs and maintenance' },
    { key: 'travelCosts', label: 'travel costs' },
    { key: 'other', label: 'other allowable expenses' },
  ],
});

async function categoriesOf(rows: string[], options: ImportOptions = {}) {
  const text = ['Date,Details,Amount,Category', ...rows].join('\n');
  const { entries, invalid } = await readText(text, { ...OF_SHOP, ...options });
  return {
    categories: entries.map(({ row, entry }) => `${row} ${entry.category ?? '-'}`),
    invalid: invalid.map(({ row, column, message }) => `${row} ${column}: ${message}`),
  };
}

describe('a column', () => {
  test('has keys or labels, in any case; without a category the entry goes to the review queue', async () => {
    const rows = [
      '2026-04-01,a,5,PERIODAMOUNT',
      '2026-04-01,a,5,Rent received',
      '2026-04-01,a,-6,',
      '2026-04-01,a,-6,travelCosts',
    ];
    expect(await categoriesOf(rows)).toEqual({
      categories: ['2 periodAmount', '3 periodAmount', '4 -', '5 travelCosts'],
      invalid: [],
    });
  });

  test('with an unknown category, or one of the other type, makes the row invalid', async () => {
    const rows = [
      '2026-04-01,a,5,rent recieved',
      '2026-04-01,a,-6,Groceries',
      '2026-04-01,a,-6,periodAmount',
      '2026-04-01,a,5,Rent',
    ];
    expect((await categoriesOf(rows)).invalid).toEqual([
      '2 Category: There is no category "rent recieved" for this source. Did you mean rent received (periodAmount)?',
      '3 Category: There is no category "Groceries" for this source. The categories are repairs and maintenance (repairsAndMaintenance), travel costs (travelCosts), other allowable expenses (other).',
      '4 Category: "periodAmount" is a category of income, and the entry is expense.',
      '5 Category: There is no category "Rent" for this source. Did you mean rent received (periodAmount)?',
    ]);
  });

  test('is taken as it is without a list, and left out by an empty name in the map', async () => {
    const rows = ['2026-04-01,a,-5,Groceries'];
    expect((await categoriesOf(rows, { sources: undefined, source: undefined })).categories).toEqual([
      '2 Groceries',
    ]);
    expect((await categoriesOf(rows, { map: { category: '' } })).categories).toEqual(['2 -']);
  });

  test("of a bank's own categories is no category", async () => {
    const { entries } = await readText(
      'Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category\n14/04/2026,a,b,CARD,-5,5,GROCERIES\n',
      OF_SHOP,
    );
    expect(entries[0]?.entry.category).toBeUndefined();
  });
});

test('defaults by type fill what column and rules leave open', async () => {
  const options = {
    categoryIncome: 'rent received',
    categoryExpense: 'other',
    rules: 'description contains "train" -> travel costs',
  };
  const rows = [
    '2026-04-01,a,5,',
    '2026-04-01,a,-6,',
    '2026-04-01,Train,-6,',
    '2026-04-01,Train,-6,repairsAndMaintenance',
  ];
  expect((await categoriesOf(rows, options)).categories).toEqual([
    '2 periodAmount',
    '3 other',
    '4 travelCosts',
    '5 repairsAndMaintenance',
  ]);
  await expect(categoriesOf(rows, { categoryIncome: 'travelCosts' })).rejects.toMatchObject({
    code: 'unknown_category',
    option: 'categoryIncome',
  });
  await expect(categoriesOf(rows, { categoryExpense: 'othr' })).rejects.toThrow(
    'Did you mean other allowable expenses (other)?',
  );
});

describe('a rules file', () => {
  const chosen = async (rules: string, row = '2026-04-01,"B&Q, LEEDS",-12.50,') => {
    const { categories, invalid } = await categoriesOf([row], { rules });
    return [...categories, ...invalid].join();
  };

  test.each([
    '\ufeff# DIY\r\n\r\n  DESCRIPTION  Contains "B&Q"->repairsAndMaintenance  # shops\r\n',
    'description is "b&q,  leeds" -> repairs and maintenance',
    'description starts with "B&Q" -> "repairs and maintenance"',
    'description ends with "leeds" -> repairsAndMaintenance\ndescription contains "B&Q" -> travelCosts',
    'description is "B&Q" -> travelCosts\namount under 1,000 -> repairsAndMaintenance',
    '# description contains "B&Q" -> travelCosts\namount over 12.49 -> repairsAndMaintenance',
  ])('%j matches', async (rules) => {
    expect(await chosen(rules)).toBe('2 repairsAndMaintenance');
  });

  test('with a category of the other type makes the row invalid and names the line', async () => {
    expect(await chosen('# rent\ndescription contains "B&Q" -> periodAmount')).toBe(
      '2 category: Line 2 of the rules: "periodAmount" is a category of income, and the entry is expense.',
    );
  });

  test('with an amount that is none is refused with its line', async () => {
    await expect(chosen('amount is 1.234 -> other')).rejects.toThrow(
      'Line 1 of the rules has no amount in pounds: "1.234"',
    );
  });
});
