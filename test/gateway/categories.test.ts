/** The category keys and their labels (docs/api/categories.md). */
import { expect, test } from 'bun:test';
import { TestAccount } from '../fixtures/client.ts';
import { failure } from '../fixtures/endpoints.ts';

const account = await TestAccount.create();

/** The keys as the specification lists them. A label that it does not give is the key in words. */
const CATEGORIES = {
  'uk-property': {
    income: `periodAmount (rent received); premiumsOfLeaseGrant (lease premiums); reversePremiums;
      otherIncome (other property income); rentARoomRentsReceived (rent-a-room rents received);
      taxDeducted (tax withheld from rent)`,
    expense: `premisesRunningCosts (rent, rates, insurance, ground rents); repairsAndMaintenance;
      financialCosts (other finance costs); residentialFinancialCost (residential mortgage interest);
      professionalFees; costOfServices; travelCosts; other (other allowable expenses);
      residentialFinancialCostsCarriedForward (residential finance costs brought forward);
      rentARoomAmountClaimed (rent-a-room amount claimed)`,
  },
  'foreign-property': {
    income: `rentIncome (rent received, overseas); premiumsOfLeaseGrant (lease premiums); otherPropertyIncome;
      foreignTaxPaidOrDeducted (foreign tax paid on this income);
      specialWithholdingTaxOrUkTaxPaid (special withholding tax or UK tax paid)`,
    expense: `premisesRunningCosts (rent, rates, insurance, ground rents); repairsAndMaintenance;
      financialCosts (other finance costs); residentialFinancialCost (residential mortgage interest);
      professionalFees; costOfServices; travelCosts; other (other allowable expenses);
      broughtFwdResidentialFinancialCost (residential finance costs brought forward)`,
  },
  'self-employment': {
    income: `turnover (sales and business income); other (other business income);
      seTaxDeducted (tax withheld from pay, CIS)`,
    expense: `costOfGoods; paymentsToSubcontractors; wagesAndStaffCosts;
      carVanTravelExpenses (car, van and travel expenses); premisesRunningCosts; maintenanceCosts; adminCosts;
      advertisingCosts; interestOnBankOtherLoans (interest on bank and other loans); professionalFees;
      otherExpenses`,
  },
};

const inWords = (key: string) => key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function categories(list: string) {
  return list.split(/;\s+/).map((each) => {
    const [, key = '', label = inWords(key)] = /^(\w+)(?: \((.+)\))?$/.exec(each) ?? [];
    return { key, label };
  });
}

test('the sets of all three source types, with every key and label', async () => {
  const sets = Object.entries(CATEGORIES).map(([type, { income, expense }]) => [
    type,
    { income: categories(income), expense: categories(expense) },
  ]);
  const { body } = await account.get('/api/v1/categories');
  expect(body).toEqual(Object.fromEntries(sets));
});

test.each(['uk-property%20', '%ff', 'x'.repeat(4_000), 'uk-property&sourceType=bad', 'boat&colour=red'])(
  'a sourceType that is none of the three is 422 invalid_source_type: %p',
  async (value) => {
    const response = await account.get(`/api/v1/categories?sourceType=${value}`);
    expect(failure(response)).toEqual([422, 'invalid_source_type']);
    expect(response.body.error.message.length).toBeLessThan(300);
  },
);
