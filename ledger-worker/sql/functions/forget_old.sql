-- Deletes the rows that are past their time: writes that no daily cap counts any more, and idempotency keys past their lifetime.
-- Continues the pass over all accounts that is in progress, or begins one if the last pass ended p_every ago.
--
-- In: how long writes and idempotency keys are kept, and the most accounts, and rows of each kind, for one call. Out: whether there
-- is more to do.
--
-- Locks: the pass's row of ledger.retention, for update. Of two workers one does the work, and the other returns at once. Of the
-- idempotency keys, those that it deletes, for update; it skips those that a write holds.
--
-- Runs with the rights of the owner: the role of the worker may not delete writes itself.
create or replace function ledger.forget_old(
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
  -- Constants, so that the indexes are used: clock_timestamp() would be read again for each row.
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
  -- Without a lock first: most calls find that nothing is due.
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
    -- The newest of the old writes is kept: its total is where the window begins.
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

    -- Keys that a write in progress holds are left to the next pass.
    v_keys := array(select idempotency_key
                      from ledger.idempotency_key
                     where account_id = v_account and used_at <= v_keys_before
                     order by used_at
                     limit p_rows - v_forgot
                       for update skip locked);
    delete from ledger.idempotency_key where account_id = v_account and idempotency_key = any (v_keys);
    v_forgot := v_forgot + cardinality(v_keys);

    -- The account may have more rows to delete.
    exit when v_writes >= p_rows or v_forgot >= p_rows;
    v_seen := v_seen + 1;
    v_done := v_account;
  end loop;

  -- The pass has ended if fewer than p_accounts accounts were left and none has rows left over.
  if v_seen < p_accounts and v_writes < p_rows and v_forgot < p_rows then
    update ledger.retention set after_account = null, finished_at = clock_timestamp() where job = 'forget';
    return false;
  end if;
  update ledger.retention set after_account = v_done where job = 'forget';
  return true;
end
$$;
