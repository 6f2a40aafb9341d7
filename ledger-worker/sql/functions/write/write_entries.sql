-- Creates batches of entries one after the other, as ledger.write_batches does: that file describes batches, entries and outcomes.
--
-- In: on distributed books, the account of a batch; all batches are of accounts on its node. The batches, and the entries of all of
-- them in the order in which they were sent.
--
-- Out: one row for each batch, by its number, counted from 1.
--
-- Locks: the accounts, each before its first batch.
--
-- On distributed books the call runs whole on the account's node. Every statement, also in the functions called, is of one table
-- and names the account by a variable: Citus keeps the plans of such statements, and plans all others at each call.
create or replace function ledger.write_entries(
  p_account_id    uuid,
  p_batches       ledger.batch[],
  p_entries       ledger.new_entry[],
  p_cap           integer,
  p_window        interval,
  p_key_lifetime  interval,
  p_wait_for_lock boolean
)
returns table (batch integer, outcome text, added integer, detail json, deduplicated integer, result text)
language plpgsql
-- Planning costs more than execution, so plans are kept. A plan made while a table is empty must be right when it is not.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  v_batch   ledger.batch;
  v_lock    record;
  v_locked  uuid[] := '{}';
  v_plans   text[] := '{}';
  v_created record;
begin
  for n in 1 .. cardinality(p_batches) loop
    v_batch := p_batches[n];
    batch := n;
    added := 0;
    detail := null;
    deduplicated := 0;
    result := null;
    if v_batch.account_id <> all (v_locked) then
      v_lock := ledger.lock_account(v_batch.account_id, p_wait_for_lock);
      if v_lock.is_locked then
        v_locked := v_locked || v_batch.account_id;
        v_plans := v_plans || v_lock.plan;
      end if;
    end if;
    if v_batch.account_id = any (v_locked) then
      v_created := ledger.write_batch(
        v_batch,
        case when cardinality(p_batches) = 1 then p_entries else p_entries[v_batch.first_entry : v_batch.last_entry] end,
        v_plans[array_position(v_locked, v_batch.account_id)], p_cap, p_window, p_key_lifetime);
      outcome := v_created.outcome;
      added := v_created.added;
      detail := v_created.detail;
      deduplicated := v_created.deduplicated;
      result := v_created.result;
    else
      outcome := 'lock_unavailable';
    end if;
    return next;
  end loop;
end
$$;
