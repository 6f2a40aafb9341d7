-- Generated from proto/domain.ts by ledger-worker/sql/generate.ts. Do not edit.
--
-- Whether an entry of this type may have this category in a source of this type. Every entry may be without one.
create or replace function ledger.is_category(p_source_type text, p_entry_type ledger.entry_type, p_category text)
returns boolean
language sql stable
as $$
  select p_category is null or coalesce(p_entry_type || ' ' || p_category = any (case p_source_type
    when 'uk-property' then array['income periodAmount', 'income premiumsOfLeaseGrant', 'income reversePremiums', 'income otherIncome', 'income rentARoomRentsReceived', 'income taxDeducted', 'expense premisesRunningCosts', 'expense repairsAndMaintenance', 'expense financialCosts', 'expense residentialFinancialCost', 'expense professionalFees', 'expense costOfServices', 'expense travelCosts', 'expense other', 'expense residentialFinancialCostsCarriedForward', 'expense rentARoomAmountClaimed']
    when 'foreign-property' then array['income rentIncome', 'income premiumsOfLeaseGrant', 'income otherPropertyIncome', 'income foreignTaxPaidOrDeducted', 'income specialWithholdingTaxOrUkTaxPaid', 'expense premisesRunningCosts', 'expense repairsAndMaintenance', 'expense financialCosts', 'expense residentialFinancialCost', 'expense professionalFees', 'expense costOfServices', 'expense travelCosts', 'expense other', 'expense broughtFwdResidentialFinancialCost']
    when 'self-employment' then array['income turnover', 'income other', 'income seTaxDeducted', 'expense costOfGoods', 'expense paymentsToSubcontractors', 'expense wagesAndStaffCosts', 'expense carVanTravelExpenses', 'expense premisesRunningCosts', 'expense maintenanceCosts', 'expense adminCosts', 'expense advertisingCosts', 'expense interestOnBankOtherLoans', 'expense professionalFees', 'expense otherExpenses']
  end), false)
$$;
