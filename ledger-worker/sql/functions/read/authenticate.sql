-- The accounts and plans of keys.
--
-- In: on distributed books, the account of a caller; all callers are of accounts on its node. Otherwise null: then the accounts are
-- read from ledger.account_of_key. The callers. Out: one row for each caller, by its number, counted from 1. account_id is null if the
-- key is unknown or revoked.
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
  if p_account_id is null then
    -- One statement for all callers: in groups, a statement for each takes three times as long.
    return query
      select caller.ordinality::integer, access.account_id, access.plan, access.api_access
        from unnest(p_callers) with ordinality as caller
        left join lateral (
          select owner.account_id, own.plan, ledger.has_api_access(own.plan) as api_access
            from (select k.account_id from ledger.account_of_key k where k.key_hash = caller.key_hash offset 0) as owner
           cross join lateral ledger.plan_of_key(caller.key_hash, owner.account_id) as own
        ) as access on true;
    return;
  end if;

  for i in 1 .. cardinality(p_callers) loop
    v_caller := p_callers[i];
    return query
      select i, case when access.plan is not null then v_caller.account_id end, access.plan, access.api_access
        from ledger.access_of_key(v_caller.account_id, v_caller.key_hash) as access;
  end loop;
end
$$;
