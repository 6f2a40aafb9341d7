-- The accounts and plans of keys.
--
-- In: the SHA-256 of each key; and the account of all of them, or null if ledger.account_of_key is to be read for each. Out: one row
-- for each key, by its number, counted from 1. account_id is null if the key is unknown or revoked.
--
-- Locks: none. On distributed books the call runs whole on the account's node.
create or replace function ledger.authenticate(p_account_id uuid, p_key_hashes bytea[])
returns table (n integer, account_id uuid, plan text, api_access boolean)
language plpgsql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
as $$
begin
  for i in 1 .. cardinality(p_key_hashes) loop
    n := i;
    account_id := p_account_id;
    if p_account_id is null then
      select k.account_id into account_id from ledger.account_of_key k where k.key_hash = p_key_hashes[i];
    end if;
    select access.plan, access.api_access into plan, api_access
      from ledger.access_of_key(authenticate.account_id, p_key_hashes[i]) as access;
    if plan is null then
      account_id := null;
    end if;
    return next;
  end loop;
end
$$;
