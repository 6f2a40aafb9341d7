-- Deletes what is over its time: writes that no cap counts any more, and idempotency keys that nobody may repeat. Continues the
-- pass under way, or begins one when the last ended `p_every` ago: over p_accounts accounts at most, and no more than p_rows
-- rows of each kind. Returns whether there is more to do. Of two workers one does it, and none waits.
--
-- With the rights of the owner: the worker's role deletes no writes but by this.
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
