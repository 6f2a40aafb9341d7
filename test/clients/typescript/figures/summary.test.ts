/** The shape of HMRC's cumulative period summaries: a field for each category, with the amounts as it writes them. */
import { expect, test } from 'bun:test';
import { fieldOf } from '../../../../clients/typescript/figures/fields.ts';
import { figuresOf } from '../../../../clients/typescript/figures/figures.ts';
import { cumulativeDays } from '../../../../clients/typescript/figures/periods.ts';
import { summaryOfBusiness } from '../../../../clients/typescript/figures/summary.ts';
import { CATEGORIES, ENTRY_TYPES, type SourceType } from '../../../../proto/domain.ts';
import { sourceOf } from '../sources.ts';

const DAYS = cumulativeDays(2026, 1, 'standard');

const businessOf = (type: SourceType, id = 's') =>
  sourceOf(id, { type, countryCode: type === 'foreign-property' ? 'FR' : null });

/** The summary of one entry in each category: 10.01 in the first, 20.02 in the second and so on. */
function summaryOfAll(type: SourceType) {
  const source = businessOf(type);
  const keys = ENTRY_TYPES.flatMap((each) =>
    CATEGORIES[type][each].map(({ key }) => ({ type: each, category: key })),
  );
  const entries = keys.map((key, index) => ({
    source,
    stored: {
      ...key,
      id: String(index),
      date: '2026-05-01',
      amountPence: 1_001 * (index + 1),
      description: null,
      externalRef: null,
    },
  }));
  const [business] = figuresOf([source], entries, DAYS);
  return business && summaryOfBusiness(business, DAYS, 'sharePence');
}

/** Each value of the summary by the names on the way to it. */
const pathsOf = (value: unknown, path = ''): [string, unknown][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, each]) => pathsOf(each, path === '' ? name : `${path}.${name}`))
    : [[path, value]];

/** Where the summary has a category, if not under its own name. Undefined: nowhere. */
const OTHER_FIELDS: Record<string, string | undefined> = {
  rentARoomRentsReceived: 'rentARoom.rentsReceived',
  rentARoomAmountClaimed: 'rentARoom.amountClaimed',
  rentIncome: 'rentIncome.rentAmount',
  seTaxDeducted: undefined,
};
const DATES = ['2026-04-06', '2026-07-05'] as const;

test.each<[SourceType, Record<string, string>, from: string, to: string]>([
  ['uk-property', { income: 'ukProperty.income', expense: 'ukProperty.expenses' }, 'fromDate', 'toDate'],
  [
    'foreign-property',
    { income: 'foreignProperty.0.income', expense: 'foreignProperty.0.expenses' },
    ...(['fromDate', 'toDate'] as const),
  ],
  [
    'self-employment',
    { income: 'periodIncome', expense: 'periodExpenses' },
    ...(['periodDates.periodStartDate', 'periodDates.periodEndDate'] as const),
  ],
])('of %s has a field for each category, but none for CIS deductions', (type, parts, from, to) => {
  const keys = ENTRY_TYPES.flatMap((each) => CATEGORIES[type][each].map(({ key }) => [each, key] as const));
  const fields = keys.flatMap(([each, key], index): [string, unknown][] => {
    const field = key in OTHER_FIELDS ? OTHER_FIELDS[key] : key;
    // 10.01, 20.02 and so on: multiples of 10.01 that JSON has as people write them.
    const pounds = Number(((1_001 * (index + 1)) / 100).toFixed(2));
    return field === undefined ? [] : [[`${parts[each]}.${field}`, pounds]];
  });
  const expected = [[from, DATES[0]], [to, DATES[1]], ...fields] as [string, unknown][];
  expect(new Map(pathsOf(summaryOfAll(type)))).toEqual(new Map(expected));
  const without = keys.filter(([each, key]) => fieldOf(type, each, key) === undefined);
  expect(without.map(([, key]) => key)).toEqual(type === 'self-employment' ? ['seTaxDeducted'] : []);
});

test('of foreign property has an item for each property since 2026-27, and before one for the country', () => {
  const sources = [businessOf('foreign-property', 'Lyon'), businessOf('foreign-property', 'Paris')];
  const entries = ['2025-05-01', '2026-05-01'].flatMap((date) =>
    sources.map((source, index) => ({
      source,
      stored: {
        ...{ id: `${date} ${index}`, date, type: 'income' as const, category: 'rentIncome' },
        ...{ amountPence: 1_005 + index, description: null, externalRef: null },
      },
    })),
  );
  const items = ([2025, 2026] as const).map((year) => {
    const days = cumulativeDays(year, 1, 'calendar');
    const [business] = figuresOf(sources, entries, days);
    return business && summaryOfBusiness(business, days, 'sharePence').foreignProperty;
  });
  const item = (rentAmount: number) => ({ income: { rentIncome: { rentAmount } }, expenses: { other: 0 } });
  expect(items).toEqual([[{ countryCode: 'FR', ...item(20.11) }], [item(10.05), item(10.06)]]);
});
