/** Categories: columns with keys or labels, rules, defaults, and what is wrong with them. */
import { describe, expect, test } from 'bun:test';
import type { ImportOptions } from '../../../../clients/typescript/import/index.ts';
import { readText } from './files.ts';

const categories = {
  income: [
    { key: 'periodAmount', label: 'rent received' },
    { key: 'otherIncome', label: 'other property income' },
  ],
  expense: [
    { key: 'repairsAndMaintenance', label: 'repairs and maintenance' },
    { key: 'travelCosts', label: 'travel costs' },
    { key: 'other', label: 'other allowable expenses' },
  ],
};

async function categoriesOf(rows: string[], options: ImportOptions = {}) {
  const text = ['Date,Details,Amount,Category', ...rows].join('\n');
  const { entries, invalid } = await readText(text, { categories, ...options });
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
      '2026-04-01,a,-5,',
      '2026-04-01,a,-5,travelCosts',
    ];
    expect(await categoriesOf(rows)).toEqual({
      categories: ['2 periodAmount', '3 periodAmount', '4 -', '5 travelCosts'],
      invalid: [],
    });
  });

  test('with an unknown category, or one of the other type, makes the row invalid', async () => {
    const rows = [
      '2026-04-01,a,5,rent recieved',
      '2026-04-01,a,-5,Groceries',
      '2026-04-01,a,-5,periodAmount',
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
    expect((await categoriesOf(rows, { categories: undefined })).categories).toEqual(['2 Groceries']);
    expect((await categoriesOf(rows, { map: { category: '' } })).categories).toEqual(['2 -']);
  });

  test("of a bank's own categories is no category", async () => {
    const { entries } = await readText(
      'Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category\n14/04/2026,a,b,CARD,-5,5,GROCERIES\n',
      { categories },
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
    '2026-04-01,a,-5,',
    '2026-04-01,Train,-5,',
    '2026-04-01,Train,-5,repairsAndMaintenance',
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
    'description contains "b&q" -> repairsAndMaintenance',
    '\ufeff# DIY\r\n\r\n  DESCRIPTION  Contains "B&Q"->repairsAndMaintenance  # shops\r\n',
    'description is "b&q,  leeds" -> repairs and maintenance',
    'description starts with "B&Q" -> "repairs and maintenance"',
    'description ends with "leeds" -> repairsAndMaintenance',
    'amount is 12.50 -> repairsAndMaintenance',
    'amount over £12.49 and amount under 12.51 -> repairsAndMaintenance',
    'type is expense and description contains "leeds" -> repairsAndMaintenance',
    'description contains "zzz" -> travelCosts\ntype is income -> periodAmount\namount under 1,000 -> repairsAndMaintenance',
    'description contains "B&Q" -> repairsAndMaintenance\ndescription contains "B&Q" -> travelCosts',
  ])('%j matches', async (rules) => {
    expect(await chosen(rules)).toBe('2 repairsAndMaintenance');
  });

  test.each([
    'description is "B&Q" -> other',
    'description starts with "LEEDS" -> other',
    'description ends with "B&Q" -> other',
    'amount over 12.50 -> other',
    'amount under 12.50 -> other',
    'type is income and amount is 12.50 -> otherIncome',
    '# description contains "B&Q" -> other',
    '',
  ])('%j does not match', async (rules) => {
    expect(await chosen(rules)).toBe('2 -');
  });

  test('has quotes in a text by doubling them', async () => {
    expect(await chosen('description contains "5"" pipe" -> other', '2026-04-01,5"" pipe,-1,')).toBe('2 -');
    expect(await chosen('description contains "5"" pipe" -> other', '2026-04-01,"5"" pipe",-1,')).toBe(
      '2 other',
    );
  });

  test('with a category of the other type makes the row invalid and names the line', async () => {
    expect(await chosen('# rent\ndescription contains "B&Q" -> periodAmount')).toBe(
      '2 category: Line 2 of the rules: "periodAmount" is a category of income, and the entry is expense.',
    );
  });

  test.each([
    ['description has "x" -> other', 'Line 1 of the rules is not a rule at "description has "x" -> other"'],
    ['\ndescription contains "x"', 'Line 2 of the rules has no category'],
    ['description contains "x" ->', 'Line 1 of the rules has no category'],
    ['description contains "" -> other', 'Line 1 of the rules looks for an empty text'],
    ['amount is 1.234 -> other', 'Line 1 of the rules has no amount in pounds: "1.234"'],
    [
      'type is income or amount is 1 -> other',
      'Line 1 of the rules has "or" before "amount is 1 -> other"; "or" joins',
    ],
    ['description contains "a" "b" -> other', 'Line 1 of the rules has no -> at ""b" -> other"; a rule is'],
    [
      'type is income -> othr',
      'Line 1 of the rules: There is no category "othr" for this source. Did you mean other allowable expenses (other)?',
    ],
  ])('%j is refused with its line', async (rules, message) => {
    await expect(chosen(rules)).rejects.toMatchObject({ code: 'invalid_rules', option: 'rules' });
    await expect(chosen(rules)).rejects.toThrow(message);
  });
});
