-- Grants to the role ledger_worker what the worker's statements need, and revokes every other right in a table. Functions keep their
-- rights until they are dropped: a call that has begun under the text of the release before still calls its functions.
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
  grant execute on function ledger.write_batches, ledger.write_entries, ledger.create_batches, ledger.create_entries, ledger.authenticate,
                            ledger.list_sources, ledger.list_entries, ledger.write_batch, ledger.lock_accounts,
                            ledger.lock_account, ledger.insert_new_batches, ledger.access_of_key, ledger.plan_of_key,
                            ledger.has_api_access, ledger.categories_of, ledger.is_stored,
                            ledger.invalid_categories, ledger.stored_by_ref, ledger.stored_by_id, ledger.fresh_entries,
                            ledger.read_log, ledger.insert_one, ledger.insert_many, ledger.daily_cap_detail, ledger.format_result, ledger.earlier_detail,
                            ledger.store_idempotency_key, ledger.forget_old, ledger.delete_expired, ledger.list_shards,
                            ledger.log_action, ledger.create_account, ledger.set_plan, ledger.delete_account_logged,
                            ledger.restore_account_logged, ledger.begin_erasure, ledger.create_source,
                            ledger.rename_source, ledger.remove_source, ledger.create_key, ledger.revoke_key,
                            ledger.categorise,
                            ledger.delete_account, ledger.restore_account, ledger.erase_some to ledger_worker;
end
$$;
