/** Rules, categories and sources of the amounts of a row. */
import { expect, test } from 'bun:test';
import {
  type AmountColumns,
  ImportError,
  type ImportOptions,
} from '../../../../clients/typescript/import/index.ts';
import { plan, planned, problems } from './plan.ts';

const AMOUNTS: AmountColumns[] = [
  { columns: ['Rent'], direction: 'in' },
  { columns: ['Fee'], direction: 'out' },
];
const options: ImportOptions & { header: string } = {
  header: 'Date,Description,House,Rent,Fee',
  dateFormat: 'dmy',
  amounts: AMOUNTS,
  map: { source: 'House' },
};
const ROW = '10/04/2026,HART,12 Acacia Avenue,950.00,114.00';
const NO_HOUSE = '10/04/2026,HART,,950.00,114.00';
const withCategories: AmountColumns[] = [
  { columns: ['Rent'], direction: 'in', category: 'Rent received' },
  { columns: ['Fee'], direction: 'out', category: 'professionalFees' },
];

const outcome = async (rules: string | readonly string[], row: string, more: ImportOptions = {}) => {
  const result = await plan(rules, [row], { ...options, ...more });
  return [...planned(result), ...problems(result)];
};

test('an amount has the category and the source of its option before those of the column, the rules and the default', async () => {
  const rules = ['"HART" and type is income -> Web design / turnover', 'type is expense -> travelCosts'];
  expect(await outcome(rules, ROW, { amounts: withCategories })).toEqual([
    '2#1 12 Acacia Avenue / periodAmount +950.00',
    '2#2 12 Acacia Avenue / professionalFees -114.00',
  ]);
  const [rent, fee] = withCategories as [AmountColumns, AmountColumns];
  expect(await outcome([], ROW, { amounts: [rent, { ...fee, source: '27 station road' }] })).toEqual([
    '2#1 12 Acacia Avenue / periodAmount +950.00',
    '2#2 27 Station Road / professionalFees -114.00',
  ]);
});

test('an amount without a category has that of the first rule that matches it or the row, and is of its direction', async () => {
  expect(await outcome('"HART" -> 27 Station Road / periodAmount', NO_HOUSE)).toEqual([
    '2#1 27 Station Road / periodAmount +950.00',
    '2#2 27 Station Road / ? -114.00',
  ]);
  const both = [
    '"HART" and type is income -> 27 Station Road / periodAmount',
    'type is expense -> professionalFees',
  ];
  expect(await outcome(both, NO_HOUSE)).toEqual([
    '2#1 27 Station Road / periodAmount +950.00',
    '2#2 27 Station Road / professionalFees -114.00',
  ]);
  expect(await outcome('amount is 836 -> periodAmount', ROW, { categoryExpense: 'other' })).toEqual([
    '2#1 12 Acacia Avenue / periodAmount +950.00',
    '2#2 12 Acacia Avenue / other -114.00',
  ]);
});

test('the rule of the row sets the source of all amounts; a rule of one amount sets its own', async () => {
  const rules = [
    'amount is 836 -> 27 Station Road',
    'amount is 114 -> Web design',
    'amount is 950 -> Web design',
  ];
  expect(await outcome(rules, NO_HOUSE)).toEqual([
    '2#1 27 Station Road / ? +950.00',
    '2#2 27 Station Road / ? -114.00',
  ]);
  expect(await outcome(rules.slice(1), NO_HOUSE)).toEqual([
    '2#1 Web design / ? +950.00',
    '2#2 Web design / ? -114.00',
  ]);
  expect(await outcome(rules.slice(1, 2), NO_HOUSE)).toEqual([
    '2 source: Nothing decides where this row belongs: add a rule, or choose a property or business.',
  ]);
});

test('a rule leaves out the whole row, or the amounts that it alone decides', async () => {
  expect(await outcome('"HART" -> leave out', ROW)).toEqual(['2 left out by 1 +836.00']);
  expect(await outcome('type is expense -> leave out', ROW)).toEqual([
    '2#1 12 Acacia Avenue / ? +950.00',
    '2#2 left out by 1 -114.00',
  ]);
  expect(await outcome(['amount is 836 -> periodAmount', 'otherwise -> leave out'], ROW)).toEqual([
    '2#1 12 Acacia Avenue / periodAmount +950.00',
    '2#2 12 Acacia Avenue / ? -114.00',
  ]);
});

test('a row with several amounts is not split, and a row with one is', async () => {
  const rule = '"HART" -> split: other 14.00, rest travelCosts';
  expect(await outcome(rule, ROW)).toEqual([
    '2 amount: Line 1 of the rules: a row with several amounts cannot be split; its columns say what its entries are.',
  ]);
  expect(await outcome('amount is 114 -> split: other 14.00, rest travelCosts', ROW)).toHaveLength(1);
  expect(await outcome(rule, '10/04/2026,HART,12 Acacia Avenue,,114.00')).toEqual([
    '2#1 12 Acacia Avenue / other -14.00',
    '2#2 12 Acacia Avenue / travelCosts -100.00',
  ]);
});

test('a rule that asks does so for the row, unless the source is known', async () => {
  const asked =
    '2 source: Line 1 of the rules asks where this row belongs: choose a property or business, or leave it out.';
  expect(await outcome('otherwise -> ask', NO_HOUSE)).toEqual([asked]);
  expect(await outcome('otherwise -> ask', ROW)).toHaveLength(2);
  const sourced = AMOUNTS.map((amount) => ({ ...amount, source: 'Web design' }));
  expect(await outcome('otherwise -> ask', NO_HOUSE, { amounts: sourced })).toHaveLength(2);
  const corrections = new Map([[2, { source: 'Web design' }]]);
  expect(await outcome('otherwise -> ask', NO_HOUSE, { corrections })).toEqual([
    '2#1 Web design / ? +950.00',
    '2#2 Web design / ? -114.00',
  ]);
});

test('a refund has no category of the other direction, and says which one it is set against', async () => {
  for (const row of [
    '10/04/2026,HART,12 Acacia Avenue,950.00,-20.00',
    '10/04/2026,HART,12 Acacia Avenue,,-20.00',
  ]) {
    const result = await plan([], [ROW, ROW, row], { ...options, amounts: withCategories });
    const refund = result.entries.at(-1);
    expect(refund).toMatchObject({
      entry: { type: 'income', amountPence: 2000 },
      refundOf: 'professionalFees',
    });
    expect(refund?.entry.category).toBeUndefined();
  }
});

test('a column of categories is for the amounts of its direction', async () => {
  const header = `${options.header},Category`;
  expect(await outcome([], `${ROW},professionalFees`, { header } as ImportOptions)).toEqual([
    '2#1 12 Acacia Avenue / ? +950.00',
    '2#2 12 Acacia Avenue / professionalFees -114.00',
  ]);
  const [problem] = await outcome([], `${ROW},profesionalFees`, { header } as ImportOptions);
  expect(problem).toContain('2 category: There is no category "profesionalFees"');
});

test('each rule counts a row once', async () => {
  const { rules } = await plan(['"HART" -> periodAmount', 'otherwise -> ask'], [ROW, ROW], options);
  expect(rules.map(({ rows }) => rows)).toEqual([2, 0]);
});

test.each([
  [{ category: 'profesionalFees' }, 'unknown_category', 'There is no category "profesionalFees"'],
  [{ category: 'periodAmount' }, 'unknown_category', 'is a category of income'],
  [{ source: '12 Acacia' }, 'invalid_option', 'There is no source "12 Acacia"'],
])('%o of an amount of money out is refused', async (more, code, message) => {
  const amounts = [AMOUNTS[0] as AmountColumns, { ...(AMOUNTS[1] as AmountColumns), ...more }];
  const error = await plan([], [ROW], { ...options, amounts }).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(ImportError);
  expect(error).toMatchObject({ code, option: 'amounts', message: expect.stringContaining(message) });
});

test('a category that the source of the row lacks is a problem of the row', async () => {
  const row = ROW.replace('12 Acacia Avenue', 'Web design');
  for (const each of [row, row.replace('950.00', '')]) {
    const [problem] = await outcome([], each, {
      amounts: [
        AMOUNTS[0] as AmountColumns,
        { columns: ['Fee'], direction: 'out', category: 'residentialFinancialCost' },
      ],
    });
    expect(problem ?? '').toContain('2 category: ');
  }
});
