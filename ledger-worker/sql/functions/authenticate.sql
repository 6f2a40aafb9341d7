-- The accounts and plans of keys.
--
-- In: on distributed books, the account of a caller; all callers are of accounts on its node. The callers; if an account is null,
-- ledger.account_of_key is read for it. Out: one row for each caller, by its number, counted from 1. account_id is null if the key is
-- unknown or revoked.
--
-- Locks: none. On distributed books the call runs whole on the account's node.
create or replace function ledger.authenticate(p_account_id uuid, p_callers ledger.caller[])
returns table (n integer, account_id uuid, plan text, api_access boolean)
language plpgsql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
as $$
#variable_conflict use_column
declare
  v_caller ledger.caller;
begin
  for i in 1 .. cardinality(p_callers) loop
    v_caller := p_callers[i];
    if v_caller.account_id is null then
      select k.account_id into v_caller.account_id from ledger.account_of_key k where k.key_hash = v_caller.key_hash;
    end if;
    return query
      select i, case when access.plan is not null then v_caller.account_id end, access.plan, access.api_access
        from ledger.access_of_key(v_caller.account_id, v_caller.key_hash) as access;
  end loop;
end
$$;
