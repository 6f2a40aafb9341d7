-- Creates a key, and logs it. On a distributed database this needs every server: each has a copy of ledger.account_of_key.
--
-- In: the account; the action's id, and who requested it; the key's id, and its SHA-256; whether it cannot write. Out: the key's id;
-- null if there is no such account, or if it is deleted.
--
-- Locks: the account's row, for no key update. A concurrent deletion of the account waits, and sees the key.
create or replace function ledger.create_key(
  p_account_id uuid,
  p_action_id  uuid,
  p_actor      text,
  p_key_id     uuid,
  p_key_hash   bytea,
  p_read_only  boolean
)
returns uuid
language plpgsql
as $$
begin
  if (ledger.lock_account(p_account_id, true)).outcome <> 'locked' then
    return null;
  end if;
  insert into ledger.account_of_key (key_hash, key_id, account_id) values (p_key_hash, p_key_id, p_account_id);
  insert into ledger.api_key (account_id, key_id, key_hash, read_only)
  values (p_account_id, p_key_id, p_key_hash, p_read_only);
  perform ledger.log_action(
    p_account_id, p_action_id, p_actor, 'key create',
    jsonb_build_object('keyId', p_key_id, 'readOnly', p_read_only));
  return p_key_id;
end
$$;
