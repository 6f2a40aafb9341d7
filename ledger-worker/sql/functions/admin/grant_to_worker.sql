-- Grants to the role ledger_worker the rights that the worker's statements need, and revokes every other right in a table: the role
-- may only add to the action log, and may not delete an entry or a source.
--
-- A migration calls it after every change, if the role exists. If the owner may not create roles, an administrator creates the role,
-- and the owner calls the function.
create or replace function ledger.grant_to_worker() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  revoke all on all tables in schema ledger from ledger_worker;
  grant usage on schema ledger to ledger_worker;
  grant select on all tables in schema ledger to ledger_worker;
  grant insert on ledger.account, ledger.api_key, ledger.account_of_key, ledger.source, ledger.entry, ledger.write_log,
                  ledger.idempotency_key, ledger.admin_action to ledger_worker;
  grant update (plan, deleted_at, erasing_at) on ledger.account to ledger_worker;
  grant update (revoked_at, stopped_with_account) on ledger.api_key to ledger_worker;
  grant update (name, removed_at, transaction_count) on ledger.source to ledger_worker;
  grant update (category) on ledger.entry to ledger_worker;
  grant update (fingerprint, entry_ids, used_at), delete on ledger.idempotency_key to ledger_worker;
  grant execute on all functions in schema ledger to ledger_worker;
  revoke execute on function ledger.grant_to_worker from ledger_worker;
end
$$;
