-- The sources of an account that are not removed, oldest first.
--
-- In: the account, and the SHA-256 of the caller's key. Out: a row for each source; one row without a source if there is none, or if the
-- key is refused. api_access is null if the key is unknown or revoked.
--
-- On a distributed database the call runs whole on the account's node.
create or replace function ledger.list_sources(p_account_id uuid, p_key_hash bytea)
returns table (api_access boolean, source_id uuid, name text, type text, country_code text, role text,
               share_percent double precision, transaction_count bigint)
language plpgsql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
as $$
#variable_conflict use_column
begin
  api_access := (ledger.authenticate(p_account_id, p_key_hash)).api_access;
  if api_access then
    return query
      select true, s.source_id, s.name::text, s.type, s.country_code::text, s.role::text, s.share_percent::double precision,
             s.transaction_count
        from ledger.source s
       where s.account_id = p_account_id and s.removed_at is null
       order by s.source_id;
  end if;
  if not found then
    return next;
  end if;
end
$$;
