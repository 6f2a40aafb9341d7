-- Step 1 of ledger.write_batches: makes the writes of each account serial, so that dedupe, cap and counters are exact.
--
-- In: the accounts of the batches. Out: the accounts that are locked, until the transaction ends.
--
-- Locks: rows of ledger.account, for no key update. With p_wait it waits for the one account that the batches are of. Without, it
-- skips accounts that another transaction holds: an account in use holds up the writes of no other. Accounts are locked in one
-- order, so that two calls cannot deadlock.
create or replace function ledger.lock_accounts(p_account_ids uuid[], p_wait boolean) returns uuid[]
language plpgsql
as $$
begin
  if p_wait then
    perform from ledger.account where account_id = p_account_ids[1] for no key update;
    return p_account_ids[1:1];
  end if;
  return array(select account_id from ledger.account where account_id = any (p_account_ids)
                order by account_id for no key update skip locked);
end
$$;
