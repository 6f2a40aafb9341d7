/** Leaves a schema as it was before migration 12, so that it can be applied once more. */
export const BEFORE_ACCOUNT_OF_KEY = `
  drop trigger key_is_entered on ledger.api_key;
  drop function ledger.enter_key();
  drop table ledger.account_of_key;
  create index api_key_by_id on ledger.api_key using hash (key_id);
  delete from ledger.migration where version = 12`;
