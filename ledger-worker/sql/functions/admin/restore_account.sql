-- Restores a deleted account, with the keys that its deletion has stopped, and logs it.
--
-- In: the account; the action's id, and who requested it. Out: its row; no row if it is not deleted, or is being erased.
--
-- Locks: the account's row, for no key update.
create or replace function ledger.restore_account(p_account_id uuid, p_action_id uuid, p_actor text)
returns setof ledger.account
language plpgsql
as $$
begin
  perform ledger.lock_account(p_account_id, true);
  perform from ledger.account where account_id = p_account_id and deleted_at is not null and erasing_at is null;
  if not found then
    return;
  end if;
  update ledger.api_key set revoked_at = null, stopped_with_account = false
   where account_id = p_account_id and stopped_with_account;
  return query update ledger.account set deleted_at = null where account_id = p_account_id returning *;
  perform ledger.log_action(p_account_id, p_action_id, p_actor, 'account restore', '{}');
end
$$;
