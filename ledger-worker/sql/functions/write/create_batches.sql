-- ledger.write_batches for workers of the release before, which render the result themselves.
--
-- Locks: as ledger.write_batches.
create or replace function ledger.create_batches(
  p_batches       ledger.batch[],
  p_entries       ledger.new_entry[],
  p_cap           integer,
  p_window        interval,
  p_key_lifetime  interval,
  p_wait_for_lock boolean
)
returns table (batch integer, outcome text, added integer, detail json)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  v_row record;
begin
  for v_row in select * from ledger.write_batches(p_batches, p_entries, p_cap, p_window, p_key_lifetime, p_wait_for_lock) loop
    batch := v_row.batch;
    outcome := v_row.outcome;
    added := v_row.added;
    detail := v_row.detail;
    if v_row.result is not null then
      detail := ledger.earlier_detail(p_entries[p_batches[batch].first_entry : p_batches[batch].last_entry], v_row.result);
    end if;
    return next;
  end loop;
end
$$;
