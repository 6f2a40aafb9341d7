/** The model of a landlord's year: its figures are those that were added up by hand. */
import { expect, test } from 'bun:test';
import { ACACIA, HARBOUR } from './landlord.ts';
import { figuresOfSource, figuresOfType, QUARTERS } from './year-figures.ts';
import { paymentsOfYear, percentOf } from './year-model.ts';

const payments = paymentsOfYear();

test('the fee of the agent is 12 % of the gross of which he pays the rest, half a penny up', () => {
  // 836.00 of 950.00; 796.07 of 904.625, of which 12 % is 108.555; 0.01 of 0.0113….
  expect([83_600, 79_607, 1].map((net) => percentOf(net, 12, 88))).toEqual([11_400, 10_856, 0]);
});

test('the first quarter of the joint property, whole and by half', () => {
  const first = { from: '2026-04-06', to: '2026-07-05', hasRules: true };
  // Rents of May, June and July; the roofer of May; 45 % of 123.10 and 50.00 in April; one train, in June.
  const { lines } = figuresOfSource(payments, HARBOUR, first);
  expect(Object.fromEntries(lines)).toEqual({
    'income periodAmount': { pence: 210_003, sharePence: 105_002 },
    'expense repairsAndMaintenance': { pence: 12_347 + 5_540, sharePence: 8_944 },
    'expense professionalFees': { pence: 5_000, sharePence: 2_500 },
    'expense travelCosts': { pence: 4_185, sharePence: 2_093 },
  });
  // The other properties count whole.
  const rents = figuresOfType(payments, 'uk-property', first).lines.get('income periodAmount');
  expect((rents?.pence ?? 0) - (rents?.sharePence ?? 0)).toBe(105_001);
});

test('the third quarter, with refunds of repairs that were paid before it', () => {
  const third = { from: '2026-10-06', to: '2027-01-05', hasRules: true };
  const refunds = (hasRules: boolean) => {
    const { lines } = figuresOfSource(payments, ACACIA, { ...third, hasRules });
    return lines.get('expense repairsAndMaintenance')?.pence ?? 0;
  };
  expect(refunds(false) - refunds(true)).toBe(4_000);
  const { without } = figuresOfSource(payments, ACACIA, third);
  expect(without).toEqual({ count: 1, incomePence: 1_234, expensePence: 0 });
  // Without rules the refund of the boiler has no category either.
  const { without: all } = figuresOfSource(payments, ACACIA, { ...third, hasRules: false });
  expect(all).toEqual({ count: 2, incomePence: 5_234, expensePence: 0 });
});

test('the payments on both sides of the ends of quarters', () => {
  const edges = payments.filter(({ text }) => text === 'EDGE & SONS');
  const within = ([from, to]: readonly [string, string]) =>
    edges.reduce((sum, { date, pence }) => (date >= from && date <= to ? sum + pence : sum), 0);
  // Powers of two, the first on 31 March 2026: each quarter has four of them.
  expect(QUARTERS.standard.map(within)).toEqual([0x78, 0x780, 0x7800, 0x78000]);
  expect(QUARTERS.calendar.map(within)).toEqual([0x1e, 0x1e0, 0x1e00, 0x1e000]);
});
