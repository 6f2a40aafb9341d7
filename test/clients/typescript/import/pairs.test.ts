/** Names of columns that can only be money in and money out together. */
import { describe, expect, test } from 'bun:test';
import { pairIn } from '../../../../clients/typescript/import/columns/usual-columns.ts';
import { headerKey } from '../../../../clients/typescript/import/files/cells.ts';

const pairOf = (...names: string[]) => pairIn(names.map(headerKey));

describe('a pair by opposite words:', () => {
  test.each([
    ['Deposit', 'Withdrawal'],
    ['Deposits', 'Withdrawals'],
    ['Inflow', 'Outflow'],
    ['In', 'Out'],
    ['Funds In', 'Funds Out'],
    ['Cash in (£)', 'Cash out (£)'],
    ['Amount In (GBP)', 'Amount Out (GBP)'],
    ['Deposit amount', 'Withdrawal amount'],
    ['Total paid in', 'Total paid out'],
    ['Payments in', 'Payments out'],
    ['Deposits', 'Payments'],
    ['Lodgements', 'Withdrawals'],
    ['Lodgments', 'Payments'],
    ['Incomings', 'Outgoings'],
  ])('%s and %s', (moneyIn, moneyOut) => {
    expect(pairOf('Date', moneyIn, 'Details', moneyOut)).toEqual({ moneyIn: 1, moneyOut: 3 });
    expect(pairOf(moneyOut, 'Date', moneyIn)).toEqual({ moneyIn: 2, moneyOut: 0 });
  });
});

describe('no pair:', () => {
  test.each([
    ['Deposit', 'Payment'],
    ['Receipt', 'Payment'],
    ['Check in', 'Check out'],
    ['Stock in', 'Stock out'],
    ['Funds in', 'Cash out'],
    ['Money in', 'Out'],
    ['Deposit', 'Rent'],
    ['Deposit', 'Deposit'],
    ['Withdrawal', 'Payment'],
    ['Rent in', 'Rent due'],
    ['Moving in', 'Moving out'],
    ['In', 'Output'],
  ])('%s and %s', (one, other) => {
    expect(pairOf(one, other)).toBeUndefined();
  });

  test('two pairs of one header', () => {
    expect(pairOf('Funds in', 'Funds out', 'Cash in', 'Cash out')).toBeUndefined();
  });
});
