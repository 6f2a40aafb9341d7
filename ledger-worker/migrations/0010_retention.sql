-- What is over its time goes: writes that no cap counts any more, and idempotency keys that nobody may repeat. Until now a write
-- was kept for good, and a key until its account used another one.

-- How far the workers have come, together: they pass over all accounts, one worker at a time, again and again.
create table ledger.retention (
  job           text primary key,
  -- The last account that the pass under way has done; null: none is under way.
  after_account uuid,
  finished_at   timestamptz not null
);
insert into ledger.retention (job, finished_at) values ('forget', '-infinity');

-- Goes on with the pass under way, or begins one when the last ended `p_every` ago: over p_accounts accounts at most, and
-- no more than p_rows rows of each kind. Answers whether there is more to do. Of two workers one does it, and none waits.
--
-- With the rights of the owner: the worker's role deletes no writes but by this.
create function ledger.forget_old(
  p_every        interval,
  p_writes_kept  interval,
  p_key_lifetime interval,
  p_accounts     integer,
  p_rows         integer
)
returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Where the indexes are entered: a clock that is read for each row would be compared with all of them.
  v_writes_before constant timestamptz := clock_timestamp() - p_writes_kept;
  v_keys_before   constant timestamptz := clock_timestamp() - p_key_lifetime;
  v_pass    ledger.retention;
  v_account uuid;
  v_done    uuid;
  v_seen    integer := 0;
  v_kept    ledger.write_log;
  v_last    ledger.write_log;
  v_keys    text[];
  v_writes  integer := 0;
  v_deleted integer;
  v_forgot  integer := 0;
begin
  -- Not locked yet: most calls find that nothing is due.
  perform from ledger.retention
    where job = 'forget' and (after_account is not null or finished_at <= clock_timestamp() - p_every);
  if not found then
    return false;
  end if;
  select * into v_pass
    from ledger.retention
   where job = 'forget' and (after_account is not null or finished_at <= clock_timestamp() - p_every)
     for update skip locked;
  if not found then
    return false;
  end if;

  v_done := coalesce(v_pass.after_account, '00000000-0000-0000-0000-000000000000');
  for v_account in
    select account_id from ledger.account where account_id > v_done order by account_id limit p_accounts
  loop
    -- The newest of the old ones stays: its total is where the window begins.
    select * into v_kept
      from ledger.write_log
     where account_id = v_account and written_at <= v_writes_before
     order by written_at desc, total desc
     limit 1;
    select * into v_last
      from (select *
              from ledger.write_log
             where account_id = v_account and (written_at, total) < (v_kept.written_at, v_kept.total)
             order by written_at, total
             limit p_rows - v_writes) as oldest
     order by written_at desc, total desc
     limit 1;
    delete from ledger.write_log
     where account_id = v_account and (written_at, total) <= (v_last.written_at, v_last.total);
    get diagnostics v_deleted = row_count;
    v_writes := v_writes + v_deleted;

    -- A write that is under way may have taken some of them, and is not waited for.
    v_keys := array(select idempotency_key
                      from ledger.idempotency_key
                     where account_id = v_account and used_at <= v_keys_before
                     order by used_at
                     limit p_rows - v_forgot
                       for update skip locked);
    delete from ledger.idempotency_key where account_id = v_account and idempotency_key = any (v_keys);
    v_forgot := v_forgot + cardinality(v_keys);

    -- This account may have more.
    exit when v_writes >= p_rows or v_forgot >= p_rows;
    v_seen := v_seen + 1;
    v_done := v_account;
  end loop;

  -- The end is reached when fewer accounts were left than might have been done, and none was broken off.
  if v_seen < p_accounts and v_writes < p_rows and v_forgot < p_rows then
    update ledger.retention set after_account = null, finished_at = clock_timestamp() where job = 'forget';
    return false;
  end if;
  update ledger.retention set after_account = v_done where job = 'forget';
  return true;
end
$$;

revoke all on function ledger.forget_old from public;

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
  grant update (plan) on ledger.account to ledger_worker;
  grant update (revoked_at) on ledger.api_key to ledger_worker;
  grant update (name, removed_at, transaction_count) on ledger.source to ledger_worker;
  grant update (category) on ledger.entry to ledger_worker;
  grant update (fingerprint, entry_ids, used_at), delete on ledger.idempotency_key to ledger_worker;
  grant execute on function ledger.create_batches, ledger.known_entries, ledger.forget_old to ledger_worker;
end
$$;

do $$
begin
  if exists (select from pg_roles where rolname = 'ledger_worker') then
    perform ledger.grant_to_worker();
  end if;
end
$$;
