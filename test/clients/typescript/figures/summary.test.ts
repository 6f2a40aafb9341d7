/** The shape of HMRC's cumulative period summaries: a field for each category, with the amounts as it writes them. */
import { expect, test } from 'bun:test';
import { fieldOf } from '../../../../clients/typescript/figures/fields.ts';
import { figuresOf } from '../../../../clients/typescript/figures/figures.ts';
import { cumulativeDays } from '../../../../clients/typescript/figures/periods.ts';
import { summaryOfBusiness } from '../../../../clients/typescript/figures/summary.ts';
import type { Source } from '../../../../clients/typescript/index.ts';
import { CATEGORIES, ENTRY_TYPES, SOURCE_TYPES, type SourceType } from '../../../../proto/vocabulary.ts';

const DAYS = cumulativeDays(2026, 1, 'standard');

const sourceOf = (type: SourceType, id = 's'): Source => ({
  ...{ id, name: id, type, countryCode: type === 'foreign-property' ? 'FR' : null },
  ...{ role: 'owner', sharePercent: 100, transactionCount: 0 },
});

/** The summary of one entry in each category: 10.01 in the first, 20.02 in the second and so on. */
function summaryOfAll(type: SourceType) {
  const source = sourceOf(type);
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
  return business && summaryOfBusiness(business, DAYS, 'pence');
}

test('of UK property', () => {
  expect(summaryOfAll('uk-property')).toEqual({
    fromDate: '2026-04-06',
    toDate: '2026-07-05',
    ukProperty: {
      income: {
        periodAmount: 10.01,
        premiumsOfLeaseGrant: 20.02,
        reversePremiums: 30.03,
        otherIncome: 40.04,
        rentARoom: { rentsReceived: 50.05 },
        taxDeducted: 60.06,
      },
      expenses: {
        premisesRunningCosts: 70.07,
        repairsAndMaintenance: 80.08,
        financialCosts: 90.09,
        residentialFinancialCost: 100.1,
        professionalFees: 110.11,
        costOfServices: 120.12,
        travelCosts: 130.13,
        other: 140.14,
        residentialFinancialCostsCarriedForward: 150.15,
        rentARoom: { amountClaimed: 160.16 },
      },
    },
  });
});

test('of foreign property', () => {
  expect(summaryOfAll('foreign-property')).toEqual({
    fromDate: '2026-04-06',
    toDate: '2026-07-05',
    foreignProperty: [
      {
        income: {
          rentIncome: { rentAmount: 10.01 },
          premiumsOfLeaseGrant: 20.02,
          otherPropertyIncome: 30.03,
          foreignTaxPaidOrDeducted: 40.04,
          specialWithholdingTaxOrUkTaxPaid: 50.05,
        },
        expenses: {
          premisesRunningCosts: 60.06,
          repairsAndMaintenance: 70.07,
          financialCosts: 80.08,
          residentialFinancialCost: 90.09,
          professionalFees: 100.1,
          costOfServices: 110.11,
          travelCosts: 120.12,
          other: 130.13,
          broughtFwdResidentialFinancialCost: 140.14,
        },
      },
    ],
  });
});

test('of foreign property has an item for each property since 2026-27, and before one for the country', () => {
  const sources = [sourceOf('foreign-property', 'Lyon'), sourceOf('foreign-property', 'Paris')];
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
    return business && summaryOfBusiness(business, days, 'pence').foreignProperty;
  });
  const item = (rentAmount: number) => ({ income: { rentIncome: { rentAmount } }, expenses: {} });
  expect(items).toEqual([[{ countryCode: 'FR', ...item(20.11) }], [item(10.05), item(10.06)]]);
});

test('of self-employment, whose summary has no field for CIS deductions', () => {
  expect(summaryOfAll('self-employment')).toEqual({
    periodDates: { periodStartDate: '2026-04-06', periodEndDate: '2026-07-05' },
    periodIncome: { turnover: 10.01, other: 20.02 },
    periodExpenses: {
      costOfGoods: 40.04,
      paymentsToSubcontractors: 50.05,
      wagesAndStaffCosts: 60.06,
      carVanTravelExpenses: 70.07,
      premisesRunningCosts: 80.08,
      maintenanceCosts: 90.09,
      adminCosts: 100.1,
      advertisingCosts: 110.11,
      interestOnBankOtherLoans: 120.12,
      professionalFees: 130.13,
      otherExpenses: 140.14,
    },
  });
});

test('every category but that of CIS deductions has a field', () => {
  const without = SOURCE_TYPES.flatMap((sourceType) =>
    ENTRY_TYPES.flatMap((type) =>
      CATEGORIES[sourceType][type].flatMap(({ key }) =>
        fieldOf(sourceType, type, key) === undefined ? [`${sourceType} ${key}`] : [],
      ),
    ),
  );
  expect(without).toEqual(['self-employment seTaxDeducted']);
});
