-- The worker needs no right over the schema: with MIGRATE=never it runs as a login role that is a member of ledger_worker, and
-- the owner of the schema migrates.

-- Functions are open to everybody unless it is said otherwise.
revoke all on all functions in schema ledger from public;

-- Grants what the worker's statements need and takes back everything else. Later versions of the schema replace it and call it
-- again, where the role is there.
create function ledger.grant_to_worker() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  revoke all on all tables in schema ledger from ledger_worker;
  revoke all on all functions in schema ledger from ledger_worker;
  grant usage on schema ledger to ledger_worker;
  grant select on all tables in schema ledger to ledger_worker;
  grant insert on ledger.account, ledger.api_key, ledger.source, ledger.entry, ledger.write_log, ledger.idempotency_key,
                  ledger.admin_action to ledger_worker;
  grant update (plan) on ledger.account to ledger_worker;
  grant update (revoked_at) on ledger.api_key to ledger_worker;
  grant update (name, removed_at, transaction_count) on ledger.source to ledger_worker;
  grant update (category) on ledger.entry to ledger_worker;
  grant update (fingerprint, entry_ids, used_at), delete on ledger.idempotency_key to ledger_worker;
  grant execute on function ledger.create_batches, ledger.known_entries to ledger_worker;
end
$$;

revoke all on function ledger.grant_to_worker() from public;

-- Where the owner may not make roles, somebody else does, and the owner calls the function.
do $$
begin
  if not exists (select from pg_roles where rolname = 'ledger_worker') then
    create role ledger_worker nologin;
  end if;
exception
  -- The role is the whole server's: a migration of another database may have been first.
  when insufficient_privilege or duplicate_object or unique_violation then null;
end
$$;

do $$
begin
  if exists (select from pg_roles where rolname = 'ledger_worker') then
    perform ledger.grant_to_worker();
  end if;
end
$$;
