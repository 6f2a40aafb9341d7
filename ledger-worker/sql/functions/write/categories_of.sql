-- The valid categories of a type of source, each as the type of the entry and the category, with a space between them. The same words
-- as in proto/vocabulary.ts and in ledger.category: every request needs them, and Citus plans each read of a reference table anew.
create or replace function ledger.categories_of(p_source_type text) returns text[]
language sql immutable
as $$
  select case p_source_type
    when 'uk-property' then array[
        'income periodAmount', 'income premiumsOfLeaseGrant', 'income reversePremiums', 'income otherIncome',
        'income rentARoomRentsReceived', 'income taxDeducted', 'expense premisesRunningCosts',
        'expense repairsAndMaintenance', 'expense financialCosts', 'expense residentialFinancialCost',
        'expense professionalFees', 'expense costOfServices', 'expense travelCosts', 'expense other',
        'expense residentialFinancialCostsCarriedForward', 'expense rentARoomAmountClaimed']
    when 'foreign-property' then array[
        'income rentIncome', 'income premiumsOfLeaseGrant', 'income otherPropertyIncome',
        'income foreignTaxPaidOrDeducted', 'income specialWithholdingTaxOrUkTaxPaid', 'expense premisesRunningCosts',
        'expense repairsAndMaintenance', 'expense financialCosts', 'expense residentialFinancialCost',
        'expense professionalFees', 'expense costOfServices', 'expense travelCosts', 'expense other',
        'expense broughtFwdResidentialFinancialCost']
    when 'self-employment' then array[
        'income turnover', 'income other', 'income seTaxDeducted', 'expense costOfGoods',
        'expense paymentsToSubcontractors', 'expense wagesAndStaffCosts', 'expense carVanTravelExpenses',
        'expense premisesRunningCosts', 'expense maintenanceCosts', 'expense adminCosts', 'expense advertisingCosts',
        'expense interestOnBankOtherLoans', 'expense professionalFees', 'expense otherExpenses']
  end
$$;
