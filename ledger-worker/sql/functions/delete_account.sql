-- Deletes an account, which can be restored: stops every key of it. Returns the account; nothing when there is none, or when it
-- is deleted already.
create or replace function ledger.delete_account(p_account_id uuid) returns setof ledger.account
language plpgsql
as $$
begin
  -- Behind the lock no write is under way, and no key is being made.
  perform from ledger.account where account_id = p_account_id and deleted_at is null for no key update;
  if not found then
    return;
  end if;
  -- A statement of its own: it sees the keys that were made while the lock was waited for.
  update ledger.api_key set revoked_at = clock_timestamp(), stopped_with_account = true
   where account_id = p_account_id and revoked_at is null;
  return query update ledger.account set deleted_at = clock_timestamp() where account_id = p_account_id returning *;
end
$$;
