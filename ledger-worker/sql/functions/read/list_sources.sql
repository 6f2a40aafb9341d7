-- The sources of accounts that are not removed, oldest first.
--
-- In: on distributed books, the account of a caller; all callers are of accounts on its node. The callers. Out: for each caller, by its
-- number, counted from 1, a row for each source. If there is none, or if the caller's key is refused, one row without a source.
-- api_access is null if the key is unknown or revoked.
--
-- Locks: none. On distributed books the call runs whole on the account's node.
create or replace function ledger.list_sources(p_account_id uuid, p_callers ledger.caller[])
returns table (n integer, api_access boolean, source_id uuid, name text, type text, country_code text, role text,
               share_percent double precision, transaction_count bigint)
language plpgsql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
as $$
#variable_conflict use_column
declare
  v_account_id uuid;
  v_api_access boolean;
begin
  if p_account_id is null then
    -- One statement for all callers: in groups, a statement for each takes twice as long.
    return query
      select caller.ordinality::integer, access.api_access, s.source_id, s.name::text, s.type, s.country_code::text,
             s.role::text, s.share_percent::double precision, s.transaction_count
        from unnest(p_callers) with ordinality as caller
       cross join lateral (
         select bool_or(ledger.has_api_access(own.plan)) as api_access
           from ledger.plan_of_key(caller.key_hash, caller.account_id) as own
       ) as access
        left join lateral (
          select *
            from ledger.source
           where source.account_id = caller.account_id and removed_at is null and access.api_access
          offset 0
        ) as s on true
       order by 1, s.source_id;
    return;
  end if;

  for i in 1 .. cardinality(p_callers) loop
    v_account_id := p_callers[i].account_id;
    v_api_access := (ledger.access_of_key(v_account_id, p_callers[i].key_hash)).api_access;
    if v_api_access then
      return query
        select i, true, s.source_id, s.name::text, s.type, s.country_code::text, s.role::text,
               s.share_percent::double precision, s.transaction_count
          from ledger.source s
         where s.account_id = v_account_id and s.removed_at is null
         order by s.source_id;
      continue when found;
    end if;
    return query values (i, v_api_access, null::uuid, null, null, null, null, null::double precision, null::bigint);
  end loop;
end
$$;
