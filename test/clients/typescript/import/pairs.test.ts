/** Two columns of opposite names: money in and money out if figures agree, and a question otherwise. */
import { describe, expect, test } from 'bun:test';
import { lines, readText } from './files.ts';

const BALANCED = [
  '2026-04-13,A,950.00,,1950.00',
  '2026-04-14,B,,60.00,1890.00',
  '2026-04-15,C,5.00,,1895.00',
];
const read = (names: readonly string[], rows: readonly string[], options = {}) =>
  readText([['Date', 'Details', ...names].join(','), ...rows, ''].join('\n'), options);
const ENTRIES = ['2 2026-04-13 +95000 A', '3 2026-04-14 -6000 B', '4 2026-04-15 +500 C'];
const asked = { code: 'unresolved_columns', questions: [{ kind: 'amounts', columns: [2, 3] }] };

describe('two columns over which a balance follows are money in and money out:', () => {
  test.each([
    ['Deposit', 'Withdrawal'],
    ['Deposits', 'Withdrawals'],
    ['Inflow', 'Outflow'],
    ['In', 'Out'],
    ['Cash in (£)', 'Cash out (£)'],
    ['Amount In (GBP)', 'Amount Out (GBP)'],
    ['Deposit amount', 'Withdrawal amount'],
    ['Deposits', 'Payments'],
    ['Lodgements', 'Withdrawals'],
    ['Incomings', 'Outgoings'],
  ])('%s and %s', async (moneyIn, moneyOut) => {
    expect(lines(await read([moneyIn, moneyOut, 'Balance'], BALANCED))).toEqual(ENTRIES);
  });

  test('in either order', async () => {
    const rows = BALANCED.map((row) => row.replace(/^(.*?,.*?),(.*?),(.*?),/, '$1,$3,$2,'));
    expect(lines(await read(['Out', 'In', 'Balance'], rows))).toEqual(ENTRIES);
  });

  test('also if the amounts alone say it, by a minus on all money out', async () => {
    const rows = BALANCED.map((row) => row.replace(',60.00', ',-60.00').replace(/,[^,]*$/, ''));
    expect(lines(await read(['In', 'Out'], rows))).toEqual(ENTRIES);
  });
});

describe('a question are two columns of amounts', () => {
  test.each([
    ['without a balance', ['In', 'Out'], BALANCED.map((row) => row.replace(/,[^,]*$/, ''))],
    [
      'with the balance of a debt',
      ['In', 'Out', 'Balance'],
      ['2026-04-13,A,950.00,,1050.00', '2026-04-14,B,,60.00,1110.00', '2026-04-15,C,5.00,,1105.00'],
    ],
    [
      'of which one is empty',
      ['In', 'Out', 'Balance'],
      ['2026-04-13,A,950.00,,950.00', '2026-04-14,B,60.00,,1010.00', '2026-04-15,C,5.00,,1015.00'],
    ],
    ['of other names', ['Funds in', 'Cash out', 'Balance'], BALANCED],
  ] as const)('%s', async (_, names, rows) => {
    await expect(read(names, rows)).rejects.toMatchObject({ code: 'unresolved_columns' });
  });

  test('that an answer settles', async () => {
    const rows = BALANCED.map((row) => row.replace(/,[^,]*$/, ''));
    await expect(read(['In', 'Out'], rows)).rejects.toMatchObject(asked);
    const map = { moneyIn: 'In', moneyOut: 'Out' };
    expect(lines(await read(['In', 'Out'], rows, { map }))).toEqual(ENTRIES);
  });
});
