-- Deletes rows of an account that have expired: writes that no daily cap counts any more, and idempotency keys past their lifetime.
--
-- In: the account; how long writes and idempotency keys are kept; the most rows of each kind for one call. Out: whether there may be
-- more.
--
-- Locks: the rows that it deletes. It skips rows that another transaction holds, and never waits.
--
-- Runs with the rights of the owner: the role of the worker may not delete writes itself.
create or replace function ledger.delete_expired(
  p_account_id  uuid,
  p_writes_kept interval,
  p_keys_kept   interval,
  p_rows        integer
)
returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now    timestamptz := clock_timestamp();
  v_newest ledger.write_log;
  v_writes integer;
  v_keys   integer;
begin
  -- The newest of the old writes is kept: its total is where the window begins.
  select * into v_newest
    from ledger.write_log
   where account_id = p_account_id and written_at <= v_now - p_writes_kept
   order by written_at desc, total desc
   limit 1;
  delete from ledger.write_log
   where account_id = p_account_id
     and write_id = any (array(
       select write_id from ledger.write_log
        where account_id = p_account_id and (written_at, total) < (v_newest.written_at, v_newest.total)
        order by written_at, total
        limit p_rows
          for update skip locked));
  get diagnostics v_writes = row_count;
  delete from ledger.idempotency_key
   where account_id = p_account_id
     and idempotency_key = any (array(
       select idempotency_key from ledger.idempotency_key
        where account_id = p_account_id and used_at <= v_now - p_keys_kept
        order by used_at
        limit p_rows
          for update skip locked));
  get diagnostics v_keys = row_count;
  return greatest(v_writes, v_keys) >= p_rows;
end
$$;
