/** The model of a landlord's year, against sums that were made by hand. */
import { describe, expect, test } from 'bun:test';
import { figuresOf, paymentsOfYear } from './year-model.ts';

const payments = paymentsOfYear();

describe('the model', () => {
  test('splits every payment into parts that are at most it, and has some of each kind', () => {
    const left = payments.filter(({ entries }) => entries.length === 0);
    expect([payments.length, left.length]).toEqual([281, 131]);
    for (const { text, pence, entries } of payments) {
      const sum = entries.reduce((total, { type, pence }) => total + (type === 'income' ? pence : -pence), 0);
      if (/MORTGAGE|EE Limited/.test(text) || entries.length === 0)
        expect(Math.abs(sum)).toBeLessThan(Math.abs(pence));
      else expect(sum).toBe(pence);
    }
  });

  test('has the figures of a first quarter that were added up by hand', () => {
    const { lines, without } = figuresOf(payments, 'uk-property', '2026-04-06', '2026-07-05');
    // May, June and July of 950.00 twice; Hunters on 6 April, 5 May, 6 June and 5 July; Harbour in May, June and July.
    const gross = [96_837, 96_874, 96_911, 96_948].map((net) => net + Math.round((net * 12) / 88));
    const rents = 6 * 95_000 + 3 * 70_001 + gross.reduce((sum, each) => sum + each, 0);
    expect(lines.get('income periodAmount')?.pence).toBe(rents);
    // The joint property counts by half.
    expect(lines.get('income periodAmount')?.sharePence).toBe(rents - 105_001);
    expect(lines.get('expense residentialFinancialCost')?.pence).toBe(3 * 41_250);
    expect(without).toEqual({ count: 1, pence: 1_234 });
  });
});
