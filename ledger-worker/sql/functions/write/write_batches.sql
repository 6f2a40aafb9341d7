-- Creates batches of entries in one transaction. Each batch is created whole or not at all, and has an outcome of its own. The
-- result is as if the batches had been created one after the other, in their order.
--
-- In: the batches, and the entries of all of them in the order in which they were sent. An account may create p_cap entries
-- within p_window. An idempotency key stands for its request for p_key_lifetime.
--
-- Out: one row for each batch, by its number, counted from 1:
--   created                 `added` entries are new. If all are, result is null. Otherwise it is the response as JSON
--                           (CreateResult), and `deduplicated` is the number of entries whose reference was known
--   invalid_key             the key is unknown or revoked, or belongs to another account
--   upgrade_required        the plan has no API access
--   source_not_found        the account has no such source
--   idempotency_key_reused  the key stands for another request
--   invalid_categories      detail: {sourceType, indexes}
--   daily_cap               detail: {fitsNow, retryAfterMs}
--   expired                 the batch's timeout has passed
--   lock_unavailable        another transaction holds the account, and p_wait_for_lock is false
-- All outcomes but `created` leave the ledger as it was.
--
-- If an earlier attempt of a request has stored its entries, under the same ids, the outcome is `created` with nothing added, even
-- if the key was revoked since, the plan changed, the source was removed or the account deleted. All batches fail with
-- unique_violation if an id is sent for another entry than the stored one, or beside ids that are new.
--
-- Locks: the accounts. If p_wait_for_lock is true, all batches must be of one account.
--
-- Isolation: read committed. Each statement, also in the functions called, sees what was committed when the statement began. The
-- functions called run under the settings of this one.
create or replace function ledger.write_batches(
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
  v_locked  uuid[];
  v_created integer[];
  v_plan    text;
  v_other   record;
begin
  v_locked := ledger.lock_accounts(array(select account_id from unnest(p_batches)), p_wait_for_lock);
  v_created := ledger.insert_new_batches(p_batches, p_entries, v_locked, p_cap, p_window);
  for n in 1 .. cardinality(p_batches) loop
    v_batch := p_batches[n];
    batch := n;
    added := 0;
    detail := null;
    deduplicated := 0;
    result := null;
    if n = any (v_created) then
      outcome := 'created';
      added := v_batch.last_entry - v_batch.first_entry + 1;
    elsif v_batch.account_id = any (v_locked) then
      select a.plan into v_plan from ledger.account a where a.account_id = v_batch.account_id;
      v_other := ledger.write_batch(
        v_batch, p_entries[v_batch.first_entry : v_batch.last_entry], v_plan, p_cap, p_window, p_key_lifetime);
      outcome := v_other.outcome;
      added := v_other.added;
      detail := v_other.detail;
      deduplicated := v_other.deduplicated;
      result := v_other.result;
    else
      outcome := 'lock_unavailable';
    end if;
    return next;
  end loop;
end
$$;
