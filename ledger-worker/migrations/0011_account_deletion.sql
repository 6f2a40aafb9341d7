-- An account can be deleted, and restored as it was, or then erased for good.

-- In the order in which every statement reads them: in another one it would wait for them, and they for it.
lock table ledger.api_key, ledger.account in access exclusive mode;

alter table ledger.account
  add column deleted_at timestamptz,
  -- From then on it cannot be restored: its rows are going.
  add column erasing_at timestamptz,
  add constraint account_erased_check check (erasing_at is null or deleted_at is not null);

-- A key that its account's deletion has revoked comes back with the account. To every statement, older workers' among them, it
-- is revoked: nothing else needs to know of deleted accounts.
alter table ledger.api_key add column stopped_with_account boolean not null default false;

-- Stops every key of an account. Answers the account; nothing when there is none, or when it is deleted.
create function ledger.delete_account(p_account_id uuid) returns setof ledger.account
language plpgsql
as $$
begin
  -- Behind the lock no write is under way, and no key is being made.
  perform from ledger.account where account_id = p_account_id and deleted_at is null for no key update;
  if not found then
    return;
  end if;
  -- A statement of its own: it sees the keys that were made while the lock was waited for.
  update ledger.api_key set revoked_at = clock_timestamp(), stopped_with_account = true
   where account_id = p_account_id and revoked_at is null;
  return query update ledger.account set deleted_at = clock_timestamp() where account_id = p_account_id returning *;
end
$$;

-- Answers the account; nothing when it is not deleted, or is being erased.
create function ledger.restore_account(p_account_id uuid) returns setof ledger.account
language plpgsql
as $$
begin
  perform from ledger.account
    where account_id = p_account_id and deleted_at is not null and erasing_at is null
      for no key update;
  if not found then
    return;
  end if;
  update ledger.api_key set revoked_at = null, stopped_with_account = false
   where account_id = p_account_id and stopped_with_account;
  return query update ledger.account set deleted_at = null where account_id = p_account_id returning *;
end
$$;

-- Deletes p_rows rows at most of an account that is being erased. Answers whether nothing is left of it. The log of actions
-- stays. With the rights of the owner: the worker's role deletes no entries but by this.
create function ledger.erase_some(p_account_id uuid, p_rows integer) returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_table   text;
  v_left    integer := p_rows;
  v_deleted integer;
begin
  perform from ledger.account where account_id = p_account_id and erasing_at is not null for update;
  if not found then
    return true;
  end if;
  -- No pass that forgets is under way meanwhile: it would delete the same rows, in another order.
  perform job, after_account from ledger.retention where job = 'forget' for update;
  foreach v_table in array array['entry', 'write_log', 'idempotency_key', 'api_key', 'source'] loop
    execute format(
      'delete from ledger.%I where ctid = any (array(select ctid from ledger.%1$I where account_id = $1 limit $2))',
      v_table)
      using p_account_id, v_left;
    get diagnostics v_deleted = row_count;
    v_left := v_left - v_deleted;
    if v_left = 0 then
      return false;
    end if;
  end loop;
  delete from ledger.account where account_id = p_account_id;
  return true;
end
$$;

-- As before, but that a source may go with its account.
create or replace function ledger.keep_source() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'DELETE' and (select erasing_at from ledger.account where account_id = old.account_id) is not null then
    return old;
  end if;
  raise exception 'a source is removed by setting removed_at: its entries are tax records and stay'
    using errcode = 'restrict_violation';
end
$$;

revoke all on function ledger.delete_account, ledger.restore_account, ledger.erase_some from public;

create or replace function ledger.grant_to_worker() returns void
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
  grant update (plan, deleted_at, erasing_at) on ledger.account to ledger_worker;
  grant update (revoked_at, stopped_with_account) on ledger.api_key to ledger_worker;
  grant update (name, removed_at, transaction_count) on ledger.source to ledger_worker;
  grant update (category) on ledger.entry to ledger_worker;
  grant update (fingerprint, entry_ids, used_at), delete on ledger.idempotency_key to ledger_worker;
  grant execute on function ledger.create_batches, ledger.known_entries, ledger.forget_old, ledger.delete_account,
                            ledger.restore_account, ledger.erase_some to ledger_worker;
end
$$;

do $$
begin
  if exists (select from pg_roles where rolname = 'ledger_worker') then
    perform ledger.grant_to_worker();
  end if;
end
$$;
