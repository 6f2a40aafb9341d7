-- The plan of the account that a key belongs to, whether the plan has API access, and whether the key cannot write.
--
-- In: the account, and the SHA-256 of the key. Out: nulls if the key is unknown or revoked, or belongs to another account. Every read
-- of an account begins with it.
--
-- On a distributed database the call runs whole on the account's node, and Citus keeps plans of statements of one table only.
create or replace function ledger.authenticate(
  p_account_id   uuid,
  p_key_hash     bytea,
  out plan       text,
  out api_access boolean,
  out read_only  boolean
)
language plpgsql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
as $$
#variable_conflict use_variable
begin
  perform ledger.require_writable();
  select k.read_only into read_only from ledger.api_key k
    where k.account_id = p_account_id and k.key_hash = p_key_hash and k.revoked_at is null;
  if found then
    select a.plan into plan from ledger.account a where a.account_id = p_account_id;
    api_access := ledger.has_api_access(plan);
  end if;
end
$$;
