-- Creates one batch of entries, after its account was locked.
--
-- In: the batch, its entries, the plan of its account, and the limits of ledger.write_batches. Out: the outcome, the number of new
-- entries, and the detail or the result, as ledger.write_batches returns them. Fails with unique_violation if an id stands for
-- another entry or another request.
--
-- Locks: the rows that it changes, after the account's.
create or replace function ledger.write_batch(
  p_batch          ledger.batch,
  p_entries        ledger.new_entry[],
  p_plan           text,
  p_cap            integer,
  p_window         interval,
  p_key_lifetime   interval,
  out outcome      text,
  out added        integer,
  out detail       json,
  out deduplicated integer,
  out result       text
)
language plpgsql
as $$
#variable_conflict use_variable
declare
  v_account_id   constant uuid := p_batch.account_id;
  v_source_id    constant uuid := p_batch.source_id;
  v_size         constant integer := cardinality(p_entries);
  -- Read after the lock: the clock of the log, and of the idempotency keys.
  v_now          constant timestamptz := clock_timestamp();
  v_is_valid_key boolean;
  v_fingerprint  bytea;
  v_kept_ids     uuid[];
  v_source_type  text;
  v_invalid      json;
  v_log          record;
  v_known        ledger.stored_entry[];
  v_fresh        ledger.new_entry[];
  v_first_ids    uuid[];
  v_result       record;
begin
  added := 0;
  deduplicated := 0;
  -- Measured by this clock alone, from the arrival of the statement. Cancelling the statement is not enough: a cancellation that
  -- arrives before the statement has begun is lost.
  if v_now - statement_timestamp() > p_batch.timeout_ms * interval '1 ms' then
    outcome := 'expired';
    return;
  end if;

  -- 2. Read key, idempotency key and source.
  perform from ledger.api_key k
    where k.account_id = v_account_id and k.key_hash = p_batch.key_hash and k.revoked_at is null;
  v_is_valid_key := found;
  if p_batch.idempotency_key is not null then
    select k.fingerprint, k.entry_ids into v_fingerprint, v_kept_ids
      from ledger.idempotency_key k
     where k.account_id = v_account_id and k.idempotency_key = p_batch.idempotency_key
       and k.used_at > v_now - p_key_lifetime;
  end if;
  select s.type into v_source_type
    from ledger.source s
   where s.account_id = v_account_id and s.source_id = v_source_id and s.removed_at is null;
  outcome := case
    when not v_is_valid_key or p_plan is null then 'invalid_key'
    when not ledger.has_api_access(p_plan) then 'upgrade_required'
    when v_fingerprint <> p_batch.fingerprint then 'idempotency_key_reused'
    when v_fingerprint is not null then 'repeated'
    when v_source_type is null then 'source_not_found'
    else 'accepted'
  end;

  -- 3. Check the categories.
  if outcome = 'accepted' then
    v_invalid := ledger.invalid_categories(v_source_type, p_entries);
    if v_invalid is not null then
      outcome := 'invalid_categories';
      detail := json_build_object('sourceType', v_source_type, 'indexes', v_invalid);
    end if;
  end if;

  -- 4. Look up what an earlier attempt of the request has stored.
  if outcome not in ('accepted', 'repeated') then
    if not ledger.is_stored(v_account_id, p_batch.key_hash, p_entries) then
      return;
    end if;
    outcome := 'stored';
    detail := null;
  end if;

  -- 5. and 6. Hold the batch against the daily cap, insert its new entries, append to the log, and add to transaction_count. What is
  -- new is counted before the insert if it matters: an insert that is rolled back leaves dead rows.
  if outcome = 'accepted' then
    v_log := ledger.read_log(v_account_id, v_now, v_size, p_cap, p_window);
    if v_size = 1 and v_log.used < p_cap then
      added := ledger.insert_one(v_account_id, v_source_id, p_entries[1]);
    else
      v_known := ledger.stored_by_ref(v_account_id, p_entries);
      v_fresh := ledger.fresh_entries(v_account_id, v_source_id, p_entries, v_known);
      added := cardinality(v_fresh);
      if added > 0 and v_log.used + added > p_cap then
        outcome := 'daily_cap';
        detail := ledger.daily_cap_detail(
          v_account_id, v_log.total + added, v_log.used, v_log.written_at, p_cap, p_window);
        added := 0;
        return;
      end if;
      if added > 0 then
        perform ledger.insert_many(v_account_id, v_source_id, v_fresh);
      end if;
    end if;
    if added > 0 then
      insert into ledger.write_log (account_id, written_at, created, total)
      values (v_account_id, v_log.written_at, added, v_log.total + added);
      update ledger.source s
         set transaction_count = s.transaction_count + added
       where s.account_id = v_account_id and s.source_id = v_source_id;
    end if;
  end if;

  -- Format the result if entries were known, and store the idempotency key.
  if added < v_size then
    if v_known is null or added > 0 and added + cardinality(v_known) < v_size then
      -- Of entries of the batch that have one reference, the first may have been stored now.
      v_known := ledger.stored_by_ref(v_account_id, p_entries);
    end if;
    if outcome = 'repeated' then
      v_first_ids := v_kept_ids;
    end if;
    v_result := ledger.format_result(
      v_account_id, v_source_id, p_entries, v_known, added, outcome = 'repeated', v_first_ids);
    deduplicated := v_result.deduplicated;
    result := v_result.result;
  end if;
  if outcome = 'accepted' and p_batch.idempotency_key is not null then
    perform ledger.store_idempotency_key(p_batch, p_entries, deduplicated, p_key_lifetime);
  end if;
  outcome := 'created';
end
$$;
