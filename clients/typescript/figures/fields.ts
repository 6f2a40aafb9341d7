/** The fields of HMRC's cumulative period summaries that the categories of entries belong to. */
import type { SourceType } from '../resources.ts';

type Fields = Record<'income' | 'expense', Readonly<Record<string, string | undefined>>>;

const own = (...names: string[]) => Object.fromEntries(names.map((name) => [name, name]));

const PROPERTY_EXPENSES = own(
  ...['premisesRunningCosts', 'repairsAndMaintenance', 'financialCosts', 'residentialFinancialCost'],
  ...['professionalFees', 'costOfServices', 'travelCosts', 'other'],
);

const FIELDS: Record<SourceType, Fields> = {
  'uk-property': {
    income: {
      ...own('periodAmount', 'premiumsOfLeaseGrant', 'reversePremiums', 'otherIncome', 'taxDeducted'),
      rentARoomRentsReceived: 'rentARoom.rentsReceived',
    },
    expense: {
      ...PROPERTY_EXPENSES,
      ...own('residentialFinancialCostsCarriedForward'),
      rentARoomAmountClaimed: 'rentARoom.amountClaimed',
    },
  },
  'foreign-property': {
    income: {
      rentIncome: 'rentIncome.rentAmount',
      ...own('premiumsOfLeaseGrant', 'otherPropertyIncome', 'foreignTaxPaidOrDeducted'),
      ...own('specialWithholdingTaxOrUkTaxPaid'),
    },
    expense: { ...PROPERTY_EXPENSES, ...own('broughtFwdResidentialFinancialCost') },
  },
  'self-employment': {
    // seTaxDeducted is CIS deductions, which the summary's taxTakenOffTradingIncome excludes.
    income: { ...own('turnover', 'other'), seTaxDeducted: undefined },
    expense: own(
      ...['costOfGoods', 'paymentsToSubcontractors', 'wagesAndStaffCosts', 'carVanTravelExpenses'],
      ...['premisesRunningCosts', 'maintenanceCosts', 'adminCosts', 'advertisingCosts'],
      ...['interestOnBankOtherLoans', 'professionalFees', 'otherExpenses'],
    ),
  },
};

/** The keys of the categories of a type, in the order of the summary. None of a source type that was added later. */
export const categoriesOf = (sourceType: SourceType, type: 'income' | 'expense'): string[] =>
  Object.keys(FIELDS[sourceType]?.[type] ?? {});

/** A path in the summary's income or expenses; undefined if the summary has no field for it. */
export const fieldOf = (
  sourceType: SourceType,
  type: 'income' | 'expense',
  category: string,
): string | undefined => FIELDS[sourceType]?.[type][category];

/** A sum for each field of a summary, in pounds. @param sums by category */
export function summaryOf(
  sourceType: SourceType,
  type: 'income' | 'expense',
  sums: ReadonlyMap<string, bigint>,
): Record<string, unknown> {
  const summary: Record<string, unknown> = {};
  for (const category of categoriesOf(sourceType, type)) {
    const [pence, field] = [sums.get(category), fieldOf(sourceType, type, category)];
    if (pence === undefined || field === undefined) continue;
    const [name = '', inner] = field.split('.');
    summary[name] = inner === undefined ? inPounds(pence) : { [inner]: inPounds(pence) };
  }
  return summary;
}

/** The number with the same digits as the pounds and pence. */
function inPounds(pence: bigint): number {
  const digits = String(pence < 0n ? -pence : pence).padStart(3, '0');
  return Number(`${pence < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`);
}
