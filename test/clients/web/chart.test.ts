/** What the chart of the import page shows: periods, their sums and their texts. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  groupedMonths,
  type Month,
  monthsOf,
  sumOfPeriods,
  tableMonths,
} from '../../../clients/web/chart/months.ts';
import { amountTicks, barName, chartInWords, periodName } from '../../../clients/web/chart/period-text.ts';

const LARGEST = Number.MAX_SAFE_INTEGER;
const month = (name: string, income = 100n, expense = 5n): Month => ({ month: name, income, expense });

test('entries are summed by month, exactly and oldest first', () => {
  const entries = [
    { date: '2026-04-30', type: 'income', amountPence: LARGEST },
    { date: '2026-04-01', type: 'income', amountPence: LARGEST },
    { date: '2025-12-31', type: 'expense', amountPence: 1 },
  ] as const;
  expect(monthsOf(entries)).toEqual([
    { month: '2025-12', income: 0n, expense: 1n },
    { month: '2026-04', income: 2n * BigInt(LARGEST), expense: 0n },
  ]);
});

describe('periods', () => {
  test('are months while they fit, and those without entries have 0', () => {
    const { length, periods } = groupedMonths([month('2025-11'), month('2026-02')], 12);
    expect(length).toBe(1);
    expect(periods.map(({ first, income, expense }) => [first, income, expense])).toEqual([
      ['2025-11', 100n, 5n],
      ['2025-12', 0n, 0n],
      ['2026-01', 0n, 0n],
      ['2026-02', 100n, 5n],
    ]);
  });

  test.each([
    ['2024-02', '2026-01', 24, 1],
    ['2024-02', '2026-02', 24, 3],
    ['2020-02', '2026-02', 24, 12],
    ['1990-02', '2026-02', 24, 60],
    ['1900-02', '2026-02', 24, 120],
    ['0001-01', '9999-12', 24, 1_200],
  ])('from %s to %s, of which %d fit, have %d months', (first, last, most, length) => {
    expect(groupedMonths([month(first), month(last)], most).length).toBe(length);
  });

  test('of any months have the same sum, are in a row, and are no more than fit', () => {
    const anyMonth = fc
      .tuple(fc.integer({ min: 1900, max: 2100 }), fc.integer({ min: 1, max: 12 }), fc.bigInt({ min: 0n }))
      .map(([year, number, income]) => month(`${year}-${String(number).padStart(2, '0')}`, income));
    fc.assert(
      fc.property(fc.uniqueArray(anyMonth, { selector: (each) => each.month, minLength: 1 }), (months) => {
        months.sort((one, other) => (one.month < other.month ? -1 : 1));
        const { periods } = groupedMonths(months, 24);
        expect(periods.length).toBeLessThanOrEqual(24);
        expect(sumOfPeriods(periods)).toEqual(sumOfPeriods(months));
        for (const [index, { last }] of periods.slice(0, -1).entries()) {
          expect((periods[index + 1]?.first ?? '') > last).toBeTrue();
        }
        expect((periods.at(0)?.first ?? '') <= (months.at(0)?.month ?? '')).toBeTrue();
        expect((periods.at(-1)?.last ?? '') >= (months.at(-1)?.month ?? '')).toBeTrue();
      }),
    );
  });
});

test('the table has every month; of a time with a wrong year only those with entries', () => {
  expect(tableMonths([month('2025-11'), month('2026-02')]).map((each) => each.month)).toEqual([
    '2025-11',
    '2025-12',
    '2026-01',
    '2026-02',
  ]);
  const wrong = [month('0026-02'), month('2026-02')];
  expect(tableMonths(wrong)).toEqual(wrong);
});

describe('texts', () => {
  const of = (first: string, last: string) => ({ first, last, income: 0n, expense: 0n });

  test.each([
    [1, of('2025-05', '2025-05'), 'month', 'May 2025'],
    [3, of('2025-04', '2025-06'), 'quarter', 'Apr – Jun 2025'],
    [12, of('2025-01', '2025-12'), 'year', '2025'],
    [60, of('2020-01', '2024-12'), '5-year period', '2020 – 2024'],
  ])('of %d months', (length, period, name, text) => {
    expect(periodName(length)).toBe(name);
    expect(barName(period, length).replace(/\s/g, ' ')).toBe(text);
  });

  test('of amounts are pounds, with pence only if there are some, and short when they are long', () => {
    expect(amountTicks([-1_000, 0, 1_500])).toEqual(['£1,000', '£0', '£1,500']);
    expect(amountTicks([0, 0.5])).toEqual(['£0.00', '£0.50']);
    expect(amountTicks([0, 12_000])).toEqual(['£0', '£12k']);
    expect(amountTicks([0, 90_071_992_547_410])).toEqual(['£0', '£90tn']);
  });

  test('for people who do not see the chart sum it up', () => {
    const months = [month('2025-11', 12_345n, 100n), month('2026-02', 2n * BigInt(LARGEST), 0n)];
    expect(chartInWords(groupedMonths(months, 24))).toBe(
      'Bar chart of income and expense by month, Nov 2025 to Feb 2026. Income £180,143,985,094,943.27, expense £1.00. ' +
        'Most income: £180,143,985,094,819.82 in Feb 2026. Most expense: £1.00 in Nov 2025.',
    );
  });
});
