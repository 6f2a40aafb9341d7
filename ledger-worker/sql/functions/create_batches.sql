-- Creates batches of entries in one transaction. Each batch is created whole or not at all, and has an outcome of its own. The
-- result is as if the batches had been created one after the other, in their order.
--
-- In: the batches, and the entries of all of them in the order in which they were sent. An account may create p_cap entries
-- within p_window. An idempotency key stands for its request for p_key_lifetime.
--
-- Out: one row for each batch, by its number, counted from 1:
--   created                 `added` entries are new. detail is null if all of them are, and otherwise {ids, existing}: the ids of
--                           the first response under the idempotency key, or null; and the entries whose reference was known, as
--                           [{index, id, differingFields}]
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
-- Planning costs more than execution, so plans are kept. A plan made while a table is empty must be right when it is not.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_account_ids uuid[];
  v_locked      uuid[];
  v_rounds      integer[];
  v_rounds_max  integer := 1;
  v_numbers     integer[];
  v_states      ledger.batch_state[];
begin
  -- A second batch of an account must see what the first has stored: each round has one batch of an account at most.
  for n in 1 .. cardinality(p_batches) loop
    v_account_ids[n] := p_batches[n].account_id;
    v_rounds[n] := cardinality(array_positions(v_account_ids, v_account_ids[n]));
    v_rounds_max := greatest(v_rounds_max, v_rounds[n]);
  end loop;

  -- 1. Lock the accounts.
  v_locked := ledger.lock_accounts(v_account_ids, p_wait_for_lock);

  for v_round in 1 .. v_rounds_max loop
    v_numbers := array_positions(v_rounds, v_round);

    -- 2. Read key, plan, source, idempotency key and log. The statement begins after the lock, so it sees a key that was revoked
    -- while this call waited as revoked.
    v_states := ledger.read_batches(v_states, v_numbers, p_batches, v_locked, p_window, p_key_lifetime);

    -- 3. Check the categories.
    v_states := ledger.check_categories(v_states, p_batches, p_entries);

    -- 4. Look up what an earlier attempt of a request has stored. The known references are looked up by the insert.
    v_states := ledger.find_stored(v_states, v_numbers, p_batches, p_entries);

    -- 5. Hold each batch against the daily cap, insert the entries and append to the log.
    -- 6. Add to the sources' transaction_count.
    v_states := ledger.check_daily_cap(v_states, v_numbers, p_batches, p_entries, p_cap, p_window);
    v_states := ledger.insert_entries(v_states, p_batches, p_entries);

    -- Describe what was known, and remember the request.
    v_states := ledger.describe_known(v_states, v_numbers, p_batches, p_entries);
    perform ledger.keep_idempotency_keys(v_states, v_numbers, p_batches, p_entries, p_key_lifetime);

    foreach batch in array v_numbers loop
      if v_states[batch].outcome in ('accepted', 'repeated', 'stored') then
        v_states[batch].outcome := 'created';
      end if;
      outcome := v_states[batch].outcome;
      added := v_states[batch].added;
      detail := v_states[batch].detail;
      return next;
    end loop;
  end loop;
end
$$;
