-- Deletes an account, which can be restored, stops all of its keys, and logs it.
--
-- In: the account; the action's id, and who requested it. Out: its row; no row if there is no such account, or it is deleted already.
--
-- Locks: the account's row, for no key update. After it no write and no creation of a key is in progress.
create or replace function ledger.delete_account(p_account_id uuid, p_action_id uuid, p_actor text)
returns setof ledger.account
language plpgsql
as $$
declare
  v_now timestamptz;
begin
  if (ledger.lock_account(p_account_id, true)).outcome <> 'locked' then
    return;
  end if;
  -- After the lock. Citus refuses a function of the time in an update.
  v_now := clock_timestamp();
  -- A statement of its own sees the keys that were created while this call waited for the lock.
  update ledger.api_key set revoked_at = v_now, stopped_with_account = true
   where account_id = p_account_id and revoked_at is null;
  return query update ledger.account set deleted_at = v_now where account_id = p_account_id returning *;
  perform ledger.log_action(p_account_id, p_action_id, p_actor, 'account delete', '{}');
end
$$;
