-- Deletes an account by ledger.delete_account, and logs it. Workers of the previous release call that function themselves.
--
-- In: the account; the action's id, and who requested it. Out: as of ledger.delete_account.
--
-- Locks: the account's row, for no key update.
create or replace function ledger.delete_account_logged(p_account_id uuid, p_action_id uuid, p_actor text)
returns setof ledger.account
language plpgsql
as $$
begin
  return query select * from ledger.delete_account(p_account_id);
  if found then
    perform ledger.log_action(p_account_id, p_action_id, p_actor, 'account delete', '{}');
  end if;
end
$$;
