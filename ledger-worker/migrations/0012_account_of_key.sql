-- Which account a key belongs to, for who knows nothing else: a request that no cache knows, and an operator who revokes it. What
-- follows names the account, so that the tables that grow can be distributed by it; this one is small, and each node has a copy.

-- Waits for whoever makes or revokes a key, and they for it: no key comes between the trigger and the copy.
lock table ledger.api_key in access exclusive mode;

-- No row is ever changed: whether the key works, its own row says.
create table ledger.account_of_key (
  key_hash   bytea primary key check (octet_length(key_hash) = 32),
  key_id     uuid not null unique,
  account_id uuid not null
);

-- For erasing an account.
create index account_of_key_by_account on ledger.account_of_key (account_id);

-- A worker of this version says itself where a key belongs. Workers of the version before do not, until the last of them is
-- replaced, and neither does who writes by hand.
create function ledger.enter_key() returns trigger
language plpgsql
as $$
begin
  insert into ledger.account_of_key (key_hash, key_id, account_id) values (new.key_hash, new.key_id, new.account_id)
  on conflict do nothing;
  return null;
end
$$;

create trigger key_is_entered after insert on ledger.api_key
  for each row execute function ledger.enter_key();

insert into ledger.account_of_key (key_hash, key_id, account_id) select key_hash, key_id, account_id from ledger.api_key;

-- Found by its id what is found here now. A worker of the version before does without: to revoke a key it reads all of them.
drop index ledger.api_key_by_id;

-- As before, but that the account is named beside the place of a row, which only its own node knows, and that it is forgotten here
-- as well.
create or replace function ledger.erase_some(p_account_id uuid, p_rows integer) returns boolean
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
      'delete from ledger.%I
        where account_id = $1
          and ctid = any (array(select ctid from ledger.%1$I where account_id = $1 limit $2))',
      v_table)
      using p_account_id, v_left;
    get diagnostics v_deleted = row_count;
    v_left := v_left - v_deleted;
    if v_left = 0 then
      return false;
    end if;
  end loop;
  -- All at once: of a copy on each node, a place says nothing. They are as many as the account had keys.
  delete from ledger.account_of_key where account_id = p_account_id;
  delete from ledger.account where account_id = p_account_id;
  return true;
end
$$;

revoke all on function ledger.enter_key from public;

create or replace function ledger.grant_to_worker() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  revoke all on all tables in schema ledger from ledger_worker;
  revoke all on all functions in schema ledger from ledger_worker;
  grant usage on schema ledger to ledger_worker;
  grant select on all tables in schema ledger to ledger_worker;
  grant insert on ledger.account, ledger.api_key, ledger.account_of_key, ledger.source, ledger.entry, ledger.write_log,
                  ledger.idempotency_key, ledger.admin_action to ledger_worker;
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
