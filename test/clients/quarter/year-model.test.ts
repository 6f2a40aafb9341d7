/** The model of a landlord's year: its files have its payments and nothing else, and its figures are those that were added up by hand. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type BankFile, bankFiles, OPENING } from './bank-files.ts';
import { ACACIA, HARBOUR, MILL_LANE, STATION_ROAD } from './landlord.ts';
import { figuresOfSource, figuresOfType, QUARTERS } from './year-figures.ts';
import { type Payment, paymentsOfYear, percentOf } from './year-model.ts';

const payments = paymentsOfYear();
const signed = (all: readonly { type: string; pence: number }[]) =>
  all.reduce((sum, { type, pence }) => sum + (type === 'income' ? pence : -pence), 0);
const sumOf = (all: readonly Payment[]) => all.reduce((sum, { pence }) => sum + pence, 0);

/** The signed pence of a cell such as `-£1.50` or `1.50`. */
const penceOf = (cell: string | undefined) => {
  const [pounds, pence = ''] = (cell ?? '').replace(/["£-]/g, '').split('.');
  expect(pence).toMatch(/^\d\d$/);
  return (cell?.includes('-') ? -1 : 1) * (Number(pounds) * 100 + Number(pence));
};

/** Amount and balance of each payment as the text of its line has them, the oldest first. */
function rowsOf({ bank, lines }: BankFile) {
  const rows = lines.flatMap(({ text, payment }) => {
    if (!payment) return [];
    const cells = bank === 'nationwide' ? text.slice(1, -1).split('","') : text.split(',');
    if (bank === 'barclays') return [{ payment, pence: penceOf(cells[3]) }];
    // Commas in names move the columns of Monzo, but not the last two.
    if (bank === 'monzo') return [{ payment, pence: penceOf(cells.at(-1) || cells.at(-2)) }];
    if (bank === 'starling') return [{ payment, pence: penceOf(cells[4]), balance: penceOf(cells[5]) }];
    const pence = cells[3] ? -penceOf(cells[3]) : penceOf(cells[4]);
    return [{ payment, pence, balance: penceOf(cells[5]) }];
  });
  return bank === 'barclays' || bank === 'nationwide' ? rows.toReversed() : rows;
}

describe('with any seed', () => {
  const anySeed = fc.integer({ min: 1, max: 1_000_000 });
  const forAnySeed = (check: (payments: Payment[]) => void) =>
    fc.assert(
      fc.property(anySeed, (seed) => check(paymentsOfYear(seed))),
      { numRuns: 25 },
    );

  test('the files have every payment, and each balance follows from the one before', () => {
    forAnySeed((payments) => {
      const seen = new Set<Payment>();
      for (const file of bankFiles(payments)) {
        let balance: number | undefined;
        for (const { payment, ...row } of rowsOf(file)) {
          seen.add(payment);
          expect(row.pence).toBe(payment.pence);
          if (!('balance' in row)) continue;
          balance = (balance ?? OPENING[file.bank as keyof typeof OPENING]) + payment.pence;
          expect(row.balance).toBe(balance);
        }
      }
      expect(seen.size).toBe(payments.length);
    });
  });

  test('the sum of the statements of a bank is that of its payments, without the days that two files have', () => {
    forAnySeed((payments) => {
      const files = bankFiles(payments);
      for (const bank of ['barclays', 'monzo', 'starling', 'nationwide']) {
        const rows = files.filter((file) => file.bank === bank).flatMap(rowsOf);
        const own = new Map(rows.map(({ payment, pence }) => [payment, pence]));
        const sum = [...own.values()].reduce((total, pence) => total + pence, 0);
        expect(sum).toBe(sumOf(payments.filter((payment) => payment.bank === bank)));
        expect(rows.length > own.size).toBe(bank === 'barclays');
      }
    });
  });

  test('the entries of a payment add up to it, but where a part is left out', () => {
    forAnySeed((payments) => {
      for (const { text, pence, entries } of payments.filter(({ entries }) => entries.length > 0)) {
        if (/MORTGAGE|EE Limited|Quay Builders/.test(text)) {
          expect(Math.abs(signed(entries))).toBeLessThan(Math.abs(pence));
        } else expect(signed(entries)).toBe(pence);
      }
    });
  });

  test.each([true, false])(
    'the figures of the quarters add up to the entries of the year; refunds set against: %p',
    (hasRules) => {
      forAnySeed((payments) => {
        for (const quarters of Object.values(QUARTERS)) {
          let sum = 0;
          for (const type of ['uk-property', 'self-employment']) {
            for (const [from, to] of quarters) {
              const { lines, without } = figuresOfType(payments, type, { from, to, hasRules });
              for (const [line, { pence }] of lines) sum += line.startsWith('income') ? pence : -pence;
              sum += without.incomePence - without.expensePence;
            }
          }
          const within = payments.filter(({ date }) => date >= quarters[0][0] && date <= quarters[3][1]);
          expect(sum).toBe(signed(within.flatMap(({ entries }) => entries)));
        }
      });
    },
  );
});

test('the fee of the agent is 12 % of the gross of which he pays the rest, half a penny up', () => {
  // 836.00 of 950.00; 796.07 of 904.625, of which 12 % is 108.555; 0.01 of 0.0113….
  expect([83_600, 79_607, 1].map((net) => percentOf(net, 12, 88))).toEqual([11_400, 10_856, 0]);
});

describe('added up by hand:', () => {
  const first = { from: '2026-04-06', to: '2026-07-05', hasRules: true };
  const penceOfLines = (name: string, selection: typeof first) =>
    Object.fromEntries([...figuresOfSource(payments, name, selection).lines].map(([k, v]) => [k, v.pence]));

  test('what the year has', () => {
    const of = (bank: string) => payments.filter((payment) => payment.bank === bank).length;
    expect(['barclays', 'monzo', 'starling', 'nationwide'].map(of)).toEqual([183, 127, 121, 65]);
    const kinds = [
      payments.filter(({ entries }) => entries.length === 0),
      payments.filter(({ entries }) => entries.length > 1),
      payments.filter(({ entries }) => entries.some(({ refundOf }) => refundOf)),
      payments.filter(({ entries }) => entries.some(({ category, refundOf }) => !category && !refundOf)),
    ];
    expect(kinds.map(({ length }) => length)).toEqual([229, 44, 4, 7]);
  });

  test('June 2026 at Acacia Avenue and Mill Lane, without repairs', () => {
    const june = { from: '2026-06-01', to: '2026-06-30', hasRules: true };
    const { 'expense repairsAndMaintenance': _, ...acacia } = penceOfLines(ACACIA, june);
    expect(acacia).toEqual({
      'income periodAmount': 95_000,
      'expense residentialFinancialCost': 41_250,
      'expense premisesRunningCosts': 8_125,
    });
    expect(penceOfLines(MILL_LANE, june)).toEqual({
      'income periodAmount': 95_000,
      'expense premisesRunningCosts': 13_500,
      'expense costOfServices': 2_500,
      'expense residentialFinancialCost': 30_177,
      'expense repairsAndMaintenance': 2_349,
    });
  });

  test('the first quarter of the joint property, whole and by half', () => {
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

  test('July 2026 at Station Road, without repairs', () => {
    const july = { from: '2026-07-01', to: '2026-07-31', hasRules: true };
    const { 'expense repairsAndMaintenance': _, ...stationRoad } = penceOfLines(STATION_ROAD, july);
    expect(stationRoad).toEqual({
      'expense travelCosts': 500,
      'income periodAmount': 90_463,
      'expense professionalFees': 10_856,
      'income otherIncome': 31_000,
    });
  });

  test('the payments on both sides of the ends of quarters', () => {
    const edges = payments.filter(({ text }) => text === 'EDGE & SONS');
    const within = ([from, to]: readonly [string, string]) =>
      sumOf(edges.filter(({ date }) => date >= from && date <= to));
    // Powers of two, the first on 31 March 2026: each quarter has four of them.
    expect(QUARTERS.standard.map(within)).toEqual([0x78, 0x780, 0x7800, 0x78000]);
    expect(QUARTERS.calendar.map(within)).toEqual([0x1e, 0x1e0, 0x1e00, 0x1e000]);
  });
});
