/** HMRC's rules for the amounts of cumulative period summaries: a table for each type, by the categories of entries, with the published schema. */
import type { EntryType } from '../import/options.ts';
import type { SourceType } from '../resources.ts';

export interface SummaryField {
  /** The name of the field in the summary's income or expenses. */
  path: string;
  /** Whether HMRC takes amounts below zero. */
  isSigned?: true;
  /** An expense that stays itemised beside `consolidatedExpenses`. */
  isApart?: true;
  /** Whether income counts for the threshold of `consolidatedExpenses`. Undefined: no, it is tax that was withheld. */
  turnover?: 'yes' | 'unclear';
}

interface SummaryRules {
  /** The field of each category; undefined if the summary has none. */
  income: Readonly<Record<string, SummaryField | undefined>>;
  expense: Readonly<Record<string, SummaryField | undefined>>;
  /** Fields that are zero in a summary without income or expenses: HMRC refuses empty objects. */
  zeros: Record<EntryType, readonly string[]>;
}

const fields = (rules: Omit<SummaryField, 'path'>, ...names: string[]) =>
  Object.fromEntries(names.map((path) => [path, { path, ...rules }]));

const SIGNED = { isSigned: true } as const;
const APART = { isApart: true } as const;
const TURNOVER = { turnover: 'yes' } as const;
/** HMRC's guides do not say whether this is turnover. */
const UNCLEAR = { turnover: 'unclear' } as const;

const PROPERTY_EXPENSES = {
  ...fields(SIGNED, 'premisesRunningCosts', 'repairsAndMaintenance', 'financialCosts'),
  ...fields(APART, 'residentialFinancialCost'),
  ...fields(SIGNED, 'professionalFees', 'costOfServices', 'travelCosts', 'other'),
};

export const SUMMARY_RULES: Record<SourceType, SummaryRules> = {
  'uk-property': {
    // hmrc/property-business-api 6.0, uk_property_cumulative_summary_create_and_amend/def1/request.json
    income: {
      ...fields(TURNOVER, 'periodAmount', 'premiumsOfLeaseGrant', 'reversePremiums', 'otherIncome'),
      ...fields({}, 'taxDeducted'),
      rentARoomRentsReceived: { path: 'rentARoom.rentsReceived', ...UNCLEAR },
    },
    expense: {
      ...PROPERTY_EXPENSES,
      ...fields(APART, 'residentialFinancialCostsCarriedForward'),
      rentARoomAmountClaimed: { path: 'rentARoom.amountClaimed', ...APART },
    },
    zeros: { income: ['periodAmount'], expense: ['other'] },
  },
  'foreign-property': {
    // hmrc/property-business-api 6.0, foreign_property_cumulative_summary_create_and_amend/def1 (2025-26) and def2/request.json
    income: {
      rentIncome: { path: 'rentIncome.rentAmount', ...TURNOVER },
      ...fields(TURNOVER, 'premiumsOfLeaseGrant', 'otherPropertyIncome'),
      ...fields({}, 'foreignTaxPaidOrDeducted', 'specialWithholdingTaxOrUkTaxPaid'),
    },
    expense: { ...PROPERTY_EXPENSES, ...fields(APART, 'broughtFwdResidentialFinancialCost') },
    zeros: { income: ['rentIncome.rentAmount'], expense: ['other'] },
  },
  'self-employment': {
    // hmrc/self-employment-business-api 5.0, createAmendCumulativePeriodSummary/request.json
    // seTaxDeducted is CIS deductions, which the summary's taxTakenOffTradingIncome excludes.
    income: { ...fields(TURNOVER, 'turnover'), ...fields(UNCLEAR, 'other'), seTaxDeducted: undefined },
    expense: fields(
      SIGNED,
      ...['costOfGoods', 'paymentsToSubcontractors', 'wagesAndStaffCosts', 'carVanTravelExpenses'],
      ...['premisesRunningCosts', 'maintenanceCosts', 'adminCosts', 'advertisingCosts'],
      ...['interestOnBankOtherLoans', 'professionalFees', 'otherExpenses'],
    ),
    zeros: { income: ['turnover', 'other'], expense: ['otherExpenses'] },
  },
};

/** One sum in place of the expenses that are not apart. */
export const CONSOLIDATED: SummaryField = { path: 'consolidatedExpenses', ...SIGNED };

/** The largest amount of every field, in pounds. */
export const AMOUNT_MAX = 99_999_999_999.99;

/** The keys of the categories of a type, in the order of the summary. None of a source type that was added later. */
export const categoriesInOrder = (sourceType: SourceType, type: EntryType): string[] =>
  Object.keys(SUMMARY_RULES[sourceType]?.[type] ?? {});

/** Undefined if the summary has no field for the category. */
export const fieldOf = (
  sourceType: SourceType,
  type: EntryType,
  category: string,
): SummaryField | undefined => SUMMARY_RULES[sourceType]?.[type][category];

/** The income or the expenses of a summary, in pounds. @param sums by the paths of the fields */
export function summaryAmounts(
  sourceType: SourceType,
  type: EntryType,
  sums: ReadonlyMap<string, bigint>,
): Record<string, unknown> {
  const summary: Record<string, unknown> = {};
  const zeros = SUMMARY_RULES[sourceType]?.zeros[type] ?? [];
  for (const [path, pence] of sums.size > 0 ? sums : zeros.map((path) => [path, 0n] as const)) {
    const [name = '', inner] = path.split('.');
    summary[name] = inner === undefined ? inPounds(pence) : { [inner]: inPounds(pence) };
  }
  return summary;
}

/** The number with the same digits as the pounds and pence. */
function inPounds(pence: bigint): number {
  const digits = String(pence < 0n ? -pence : pence).padStart(3, '0');
  return Number(`${pence < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`);
}
