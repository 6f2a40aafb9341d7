/** The model of a landlord's year: its figures are those that were added up by hand. */
import { expect, test } from 'bun:test';
import { HARBOUR } from './landlord.ts';
import { figuresOfSource } from './year-figures.ts';
import { paymentsOfYear } from './year-model.ts';

const payments = paymentsOfYear();

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
});
