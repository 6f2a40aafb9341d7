-- Creates batches of entries of one account, as ledger.create_batches does for several accounts: that file describes batches,
-- entries and outcomes.
--
-- In: the account of all batches, the batches, and the entries of all of them in the order in which they were sent.
--
-- Out: one row for each batch, by its number, counted from 1.
--
-- Locks: the account. If p_wait_for_lock is false and another transaction holds it, the outcome is `lock_unavailable`.
--
-- On distributed books the call runs whole on the account's node. Every statement, also in the functions called, is of one table
-- and names the account by a variable: Citus keeps the plans of such statements, and plans all others at each call.
create or replace function ledger.create_entries(
  p_account_id    uuid,
  p_batches       ledger.batch[],
  p_entries       ledger.new_entry[],
  p_cap           integer,
  p_window        interval,
  p_key_lifetime  interval,
  p_wait_for_lock boolean
)
returns table (batch integer, outcome text, added integer, detail json)
language plpgsql
-- Planning costs more than execution, so plans are kept. A plan made while a table is empty must be right when it is not.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  v_is_locked constant boolean := ledger.lock_account(p_account_id, p_wait_for_lock);
begin
  for n in 1 .. cardinality(p_batches) loop
    batch := n;
    if v_is_locked then
      select created.* into outcome, added, detail
        from ledger.create_batch(
               p_batches[n], p_entries[p_batches[n].first_entry : p_batches[n].last_entry], p_cap, p_window, p_key_lifetime)
             as created;
    else
      outcome := 'lock_unavailable';
      added := 0;
    end if;
    return next;
  end loop;
end
$$;
