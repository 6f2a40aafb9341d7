/** The summary of files before they are sent. */

import { expect, test } from 'bun:test';
import { compare, newEntries } from '../../../../clients/typescript/match/compare.ts';
import { NO_DECISIONS } from '../../../../clients/typescript/match/decision.ts';
import { pushSummary } from '../../../../clients/typescript/push/push-summary.ts';
import { plan } from '../import/plan.ts';
import { pushed } from '../match/pushed.ts';

const RULES = [
  '"RENT" -> 12 Acacia Avenue / periodAmount',
  '"INSURANCE" -> split: 12 Acacia Avenue / other 60 % of payment, 27 Station Road / rest other',
  '"REFUND" -> 12 Acacia Avenue / refund of repairsAndMaintenance',
  'description is "RENT A" -> 27 Station Road / periodAmount',
  '"NOBODY" -> leave out',
  'otherwise -> 27 Station Road',
];
const APRIL = ['2026-04-01,RENT A,900', '2026-04-02,INSURANCE,-100', '2026-04-03,REFUND B,40'];
const MAY = ['2026-05-01,RENT A,900', '2026-05-02,REFUND B,40', '2026-05-03,ODD,-1'];
const filesOf = async (...all: string[][]) =>
  Promise.all(all.map(async (rows, index) => ({ name: `${index}.csv`, result: await plan(RULES, rows) })));

test('entries are summed up by source, type and category, the new ones apart; refunds by name; rows by rule over all files', async () => {
  const [april] = await filesOf(APRIL);
  const books = pushed(april?.result.entries ?? []);
  const compared = compare(await filesOf(APRIL, MAY), books, { source: undefined, decisions: NO_DECISIONS });
  const summary = pushSummary({ ...compared, source: undefined });
  const acacia = { source: '12 Acacia Avenue' };
  const sum = (count: number, pence: bigint, newCount: number, newPence: bigint) => ({
    count,
    pence,
    new: { count: newCount, pence: newPence },
  });
  const refunds = { ...acacia, type: 'income', category: null, ...sum(2, 8_000n, 1, 4_000n) } as const;
  expect(summary.categories).toEqual([
    { ...acacia, type: 'income', category: 'periodAmount', ...sum(2, 180_000n, 1, 90_000n) },
    refunds,
    { ...acacia, type: 'expense', category: 'other', ...sum(1, 6_000n, 0, 0n) },
    { source: '27 Station Road', type: 'expense', category: 'other', ...sum(1, 4_000n, 0, 0n) },
    { source: '27 Station Road', type: 'expense', category: null, ...sum(1, 100n, 1, 100n) },
  ]);
  expect(summary.refunds).toEqual([
    { ...refunds, description: 'REFUND B', refundOf: 'repairsAndMaintenance' },
  ]);
  expect(summary.rules.map(({ line, rows, shadowedBy }) => [line, rows, shadowedBy])).toEqual([
    [1, 2, []],
    [2, 1, []],
    [3, 2, []],
    [4, 0, [{ line: 1, rows: 2 }]],
    [5, 0, []],
    [6, 1, []],
  ]);
  const counted = summary.categories.reduce((total, { new: fresh }) => total + (fresh?.count ?? 0), 0);
  expect(newEntries(compared)).toHaveLength(counted);
});

test('nobody knows of new entries if the books were not read', async () => {
  const files = await filesOf(MAY.slice(0, 1));
  const { categories } = pushSummary({ files, entries: files[0]?.result.entries ?? [], source: undefined });
  expect(categories.map((each) => each.new)).toEqual([undefined]);
});
