/** Which rows are unsorted, and which books suggest something. */
import { expect, test } from 'bun:test';
import { suggestingPeriod, unsortedRows } from '../../../../clients/typescript/suggestions/unsorted-rows.ts';
import { plan, SOURCES } from '../import/plan.ts';

const ROWS = ['2026-10-01,WATER,-5', '2026-10-02,OWN,-6', '2026-10-03,SHOP,-7'];

test('rows that no rule matches are unsorted, with or without a chosen source', async () => {
  const rules = 'description is "OWN" -> 12 Acacia Avenue';
  const chosen = await plan(rules, ROWS, { source: SOURCES[3]?.id });
  expect(unsortedRows(chosen)).toEqual([
    { row: 2, description: 'WATER', type: 'expense' },
    { row: 4, description: 'SHOP', type: 'expense' },
  ]);
  expect(unsortedRows(await plan(rules, ROWS)).map(({ row }) => row)).toEqual([2, 2, 4, 4]);
});

test('rows that "otherwise" asks about are unsorted, those that it puts somewhere are not', async () => {
  expect(new Set(unsortedRows(await plan('otherwise -> ask', ROWS)).map(({ row }) => row))).toEqual(
    new Set([2, 3, 4]),
  );
  expect(unsortedRows(await plan('otherwise -> 12 Acacia Avenue', ROWS))).toEqual([]);
});

test.each([
  ['2026-10-01', { from: '2025-10-01', to: '2026-10-01' }],
  ['2024-02-29', { from: '2023-02-28', to: '2024-02-29' }],
])('the year before %s is looked at, also of a row without a source', async (date, period) => {
  const statement = await plan('otherwise -> ask', [`${date},WATER,-5`]);
  expect(statement.entries).toEqual([]);
  expect(suggestingPeriod([{ name: 'a.csv', result: statement }])).toEqual(period);
});
