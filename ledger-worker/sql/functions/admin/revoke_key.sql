-- Revokes a key, and logs it. To revoke it again changes nothing, and is logged. A key that its account's deletion has stopped stays
-- revoked when the account is restored.
--
-- In: the account; the action's id, and who requested it; the key's id. Out: the key's row; no row if the account has no such key.
--
-- Locks: the account's row, for no key update. After it no write with the key is in progress.
create or replace function ledger.revoke_key(p_account_id uuid, p_action_id uuid, p_actor text, p_key_id uuid)
returns setof ledger.api_key
language plpgsql
as $$
declare
  v_now timestamptz;
begin
  perform ledger.lock_account(p_account_id, true);
  -- After the lock. Citus refuses a function of the time in an update.
  v_now := clock_timestamp();
  return query
    update ledger.api_key set revoked_at = coalesce(revoked_at, v_now), stopped_with_account = false
     where account_id = p_account_id and key_id = p_key_id
    returning *;
  if found then
    perform ledger.log_action(
      p_account_id, p_action_id, p_actor, 'key revoke', jsonb_build_object('keyId', p_key_id));
  end if;
end
$$;
