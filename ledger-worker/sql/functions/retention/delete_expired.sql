-- Deletes the rows that are past their time: writes that no daily cap counts any more, and idempotency keys past their lifetime.
-- Continues the pass over the accounts that is in progress, or begins one if the last pass ended p_every ago.
--
-- In: if the books are distributed, an account id of the shard whose accounts are passed over, which need not exist; null otherwise.
-- How long writes and idempotency keys are kept, and the most accounts, and rows of each kind, for one call. Out: whether there is
-- more to do.
--
-- Locks: the pass's row of ledger.retention, for update. Of two workers one does the work, and the other returns at once. The
-- accounts from which it deletes, for key share, so that ledger.erase_some does not delete the same rows in another order
-- meanwhile; and the idempotency keys that it deletes, for update. It skips what another transaction holds.
--
-- Runs with the rights of the owner: the role of the worker may not delete writes itself.
create or replace function ledger.delete_expired(
  p_account_id   uuid,
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
  c_first         constant uuid := '00000000-0000-0000-0000-000000000000';
  c_pass          constant uuid := coalesce(p_account_id, c_first);
  v_now           timestamptz := clock_timestamp();
  v_writes_before timestamptz := v_now - p_writes_kept;
  v_keys_before   timestamptz := v_now - p_key_lifetime;
  v_pass          ledger.retention;
  v_accounts      uuid[];
  v_account       uuid;
  v_done          uuid;
  v_kept          ledger.write_log;
  v_first_kept    ledger.write_log;
  v_used_at       timestamptz;
  v_key           text;
  v_keys          text[];
  v_writes        integer := 0;
  v_deleted       integer;
  v_forgot        integer := 0;
begin
  -- Without a lock first: most calls find that nothing is due.
  select pass.* into v_pass from ledger.retention as pass where pass.account_id = c_pass;
  if not found then
    insert into ledger.retention (account_id, finished_at) values (c_pass, '-infinity')
    on conflict (account_id) do nothing;
  elsif v_pass.after_account is null and v_pass.finished_at > v_now - p_every then
    return false;
  end if;
  select * into v_pass from ledger.retention where account_id = c_pass for update skip locked;
  if not found or v_pass.after_account is null and v_pass.finished_at > v_now - p_every then
    return false;
  end if;

  v_done := coalesce(v_pass.after_account, c_first);
  if p_account_id is null then
    v_accounts := array(select account_id from ledger.account where account_id > v_done order by account_id limit p_accounts);
  else
    -- The table of the shard, which is on this node. ledger.account would be the shards of all nodes.
    execute format(
      'select array(select account_id from ledger.account_%s where account_id > $1 order by account_id limit $2)',
      get_shard_id_for_distribution_column('ledger.account', p_account_id))
      into v_accounts using v_done, p_accounts;
  end if;

  foreach v_account in array v_accounts loop
    -- The newest of the old writes is kept: its total is where the window begins.
    select * into v_kept
      from ledger.write_log
     where account_id = v_account and written_at <= v_writes_before
     order by written_at desc, total desc
     limit 1;
    select used_at into v_used_at
      from ledger.idempotency_key
     where account_id = v_account and used_at <= v_keys_before
     order by used_at
     limit 1;
    if v_kept.account_id is not null or v_used_at is not null then
      perform from ledger.account where account_id = v_account for key share skip locked;
      if found then
        if v_kept.account_id is not null then
          -- The first write that this call does not delete.
          select * into v_first_kept
            from ledger.write_log
           where account_id = v_account and (written_at, total) < (v_kept.written_at, v_kept.total)
           order by written_at, total
          offset p_rows - v_writes
           limit 1;
          if not found then
            v_first_kept := v_kept;
          end if;
          delete from ledger.write_log
           where account_id = v_account and (written_at, total) < (v_first_kept.written_at, v_first_kept.total);
          get diagnostics v_deleted = row_count;
          v_writes := v_writes + v_deleted;
        end if;

        -- Keys that a write in progress holds are left to the next pass.
        v_keys := '{}';
        for v_key in
          select idempotency_key
            from ledger.idempotency_key
           where account_id = v_account and used_at <= v_keys_before
           order by used_at
           limit p_rows - v_forgot
             for update skip locked
        loop
          v_keys := v_keys || v_key;
        end loop;
        delete from ledger.idempotency_key where account_id = v_account and idempotency_key = any (v_keys);
        v_forgot := v_forgot + cardinality(v_keys);

        -- The account may have more rows to delete.
        if v_writes >= p_rows or v_forgot >= p_rows then
          update ledger.retention set after_account = v_done where account_id = c_pass;
          return true;
        end if;
      end if;
    end if;
    v_done := v_account;
  end loop;

  if cardinality(v_accounts) < p_accounts then
    update ledger.retention set after_account = null, finished_at = v_now where account_id = c_pass;
    return false;
  end if;
  update ledger.retention set after_account = v_done where account_id = c_pass;
  return true;
end
$$;
