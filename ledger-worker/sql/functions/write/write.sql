-- Creates the entries of a group of writes in one transaction. Each write is created whole or not at all, and has an outcome of its
-- own. The result is as if the writes had been made one after the other, in their order.
--
-- In: an account of the group; if the database is distributed, all accounts of the group are on its node. The writes, and the entries
-- of all of them in that order. An account may create p_cap entries within p_window. An idempotency key is bound to its request for
-- p_key_lifetime.
--
-- Out: one row for each write, by its number, counted from 1:
--   created                 new_entries are new. If all are, result is null. Otherwise it is the response as JSON (docs/api/entries.md),
--                           and known_entries is the number of entries whose reference was known
--   invalid_key             the key is unknown or revoked, or belongs to another account
--   upgrade_required        the plan has no API access
--   source_not_found        the account has no such source
--   idempotency_key_reused  the key is bound to another request
--   invalid_categories      detail: {sourceType, indexes}
--   daily_cap               detail: {fitsNow, retryAfterMs}
--   expired                 the write's timeout has passed
--   lock_unavailable        another transaction holds the account, and p_wait_for_lock is false
-- All outcomes but `created` leave the ledger as it was.
--
-- If an earlier attempt of a write has stored its entries, under the same ids, the outcome is `created` with nothing new, even if the
-- key was revoked since, the plan changed, the source was removed or the account deleted. The whole group fails with unique_violation
-- if an id is stored, in the same source and on the same date, for another entry or beside ids that are new.
--
-- Locks: the account of each write in turn. With p_wait_for_lock all writes are of one account; without, no lock is waited for. So two
-- groups cannot deadlock.
--
-- Isolation: read committed. Each statement, also in the called functions, sees the commits before its beginning. The called
-- functions run under the settings of this one.
--
-- On a distributed database the call runs whole on the account's node. Every statement is of one table and names the account by a
-- variable: Citus keeps the plans of such statements, and plans all others at each call.
create or replace function ledger.write(
  p_account_id    uuid,
  p_writes        ledger.new_write[],
  p_entries       ledger.new_entry[],
  p_cap           integer,
  p_window        interval,
  p_key_lifetime  interval,
  p_wait_for_lock boolean
)
returns table (n integer, outcome text, new_entries integer, known_entries integer, detail json, result text)
language plpgsql
-- Planning costs more than execution, so plans are kept. A plan made while a table is empty must be right when it is not.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  v_write        ledger.new_write;
  v_account_id   uuid;
  v_source_id    uuid;
  v_entries      ledger.new_entry[];
  v_entry        ledger.new_entry;
  v_size         integer;
  v_plan         text;
  v_now          timestamptz;
  v_is_valid_key boolean;
  v_fingerprint  bytea;
  v_first_ids    uuid[];
  v_source_type  text;
  v_invalid      json;
  v_written_at   timestamptz;
  v_total        bigint;
  v_used         bigint;
  v_known        ledger.stored_entry[];
  v_new          ledger.new_entry[];
begin
  n := 0;
  foreach v_write in array p_writes loop
    n := n + 1;
    v_account_id := v_write.account_id;
    v_source_id := v_write.source_id;
    new_entries := 0;
    known_entries := 0;
    detail := null;
    result := null;
    v_known := null;

    -- 1. Lock the account.
    v_plan := ledger.lock_account(v_account_id, p_wait_for_lock);
    -- Read after the lock: the clock of the log, and of the idempotency keys.
    v_now := clock_timestamp();
    if v_plan is null and not p_wait_for_lock then
      outcome := 'lock_unavailable';
      return next;
      continue;
    end if;

    -- 2. Read key, idempotency key and source.
    v_entries := p_entries[v_write.first_entry : v_write.last_entry];
    v_size := v_write.last_entry - v_write.first_entry + 1;
    perform from ledger.api_key k
      where k.account_id = v_account_id and k.key_hash = v_write.key_hash and k.revoked_at is null;
    v_is_valid_key := found;
    v_fingerprint := null;
    v_first_ids := null;
    if v_write.idempotency_key is not null then
      select k.fingerprint, k.entry_ids into v_fingerprint, v_first_ids
        from ledger.idempotency_key k
       where k.account_id = v_account_id and k.idempotency_key = v_write.idempotency_key
         and k.used_at > v_now - p_key_lifetime;
    end if;
    select s.type into v_source_type
      from ledger.source s
     where s.account_id = v_account_id and s.source_id = v_source_id and s.removed_at is null;
    outcome := case
      when not v_is_valid_key then 'invalid_key'
      when not ledger.has_api_access(v_plan) then 'upgrade_required'
      when v_fingerprint <> v_write.fingerprint then 'idempotency_key_reused'
      when v_fingerprint is not null then 'repeated'
      when v_source_type is null then 'source_not_found'
      else 'accepted'
    end;

    if outcome = 'accepted' then
      -- 3. Check the categories. One entry needs no statement.
      v_entry := v_entries[1];
      if v_size > 1 or not ledger.is_category(v_source_type, v_entry.type, v_entry.category) then
        select json_agg(ordinality - 1 order by ordinality) into v_invalid
          from unnest(v_entries) with ordinality
         where not ledger.is_category(v_source_type, type, category);
        if v_invalid is not null then
          outcome := 'invalid_categories';
          detail := json_build_object('sourceType', v_source_type, 'indexes', v_invalid);
        end if;
      end if;
    end if;

    if outcome = 'accepted' then
      -- 4. Hold the write against the daily cap.
      select l.written_at, l.total into v_written_at, v_total
        from ledger.write_log l
       where l.account_id = v_account_id
       order by l.written_at desc, l.total desc
       limit 1;
      -- If the clock was set back, entries must not leave the window early.
      v_written_at := greatest(v_now, v_written_at);
      v_total := coalesce(v_total, 0);
      v_used := v_total;
      if v_total + v_size > p_cap then
        select l.total into v_used
          from ledger.write_log l
         where l.account_id = v_account_id and l.written_at <= v_written_at - p_window
         order by l.written_at desc, l.total desc
         limit 1;
        v_used := v_total - coalesce(v_used, 0);
      end if;
      if v_size > 1 or v_used + v_size > p_cap then
        -- New entries are found before the insert: an insert that meets a conflict, or a rollback, costs more.
        v_known := ledger.known_entries(v_account_id, v_entries);
        v_new := ledger.new_entries(v_account_id, v_source_id, v_entries, v_known);
        if cardinality(v_new) > 0 and v_used + cardinality(v_new) > p_cap then
          outcome := 'daily_cap';
          detail := ledger.daily_cap_detail(
            v_account_id, v_total + cardinality(v_new), v_used, v_written_at, p_cap, p_window);
        end if;
      end if;
    end if;

    -- 5. Entries that an earlier attempt of the write has stored count as created, even if a rule refuses the write now.
    if outcome not in ('accepted', 'repeated') then
      if not ledger.is_stored(v_account_id, v_source_id, v_write.key_hash, v_entries) then
        return next;
        continue;
      end if;
      outcome := 'stored';
      detail := null;
    end if;

    -- 6. Insert the entries that are new, append to the log, and add to transaction_count.
    if outcome = 'accepted' then
      -- Measured by this clock alone, from the arrival of the statement, after every wait for a lock. Cancelling the statement is not
      -- enough: a cancellation that arrives before the statement has begun is lost.
      if clock_timestamp() - statement_timestamp() > v_write.timeout_ms * interval '1 ms' then
        outcome := 'expired';
        return next;
        continue;
      end if;
      if v_size = 1 then
        insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type,
                                  category, description, external_ref)
        values (v_account_id, v_entry.entry_id, v_source_id, v_entry.entry_date, v_entry.amount_pence, v_entry.type,
                v_entry.category, v_entry.description, v_entry.external_ref)
        on conflict do nothing;
      else
        -- Planned at each call: Citus has no generic plan for it.
        execute $statement$
          insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type,
                                    category, description, external_ref)
          select $1, entry_id, $2, entry_date, amount_pence, type, category, description, external_ref from unnest($3)
        $statement$ using v_account_id, v_source_id, v_new;
      end if;
      get diagnostics new_entries = row_count;
      if new_entries > 0 then
        insert into ledger.write_log (account_id, written_at, created, total)
        values (v_account_id, v_written_at, new_entries, v_total + new_entries);
        update ledger.source s
           set transaction_count = s.transaction_count + new_entries
         where s.account_id = v_account_id and s.source_id = v_source_id;
      end if;
    end if;

    -- 7. Format the response if entries were known, and store the idempotency key.
    if new_entries < v_size then
      if v_known is null or new_entries > 0 and new_entries + cardinality(v_known) < v_size then
        -- If entries of the write share a reference, the first may have been stored now.
        v_known := ledger.known_entries(v_account_id, v_entries);
      end if;
      select f.known_entries, f.result into known_entries, result
        from ledger.format_result(
               v_account_id, v_source_id, v_entries, v_known, new_entries, outcome = 'repeated', v_first_ids) as f;
    end if;
    if outcome = 'accepted' and v_write.idempotency_key is not null then
      -- If all entries were known, the response needs no ids.
      if known_entries < v_size then
        v_first_ids := array(select entry_id from unnest(v_entries));
      end if;
      -- The key itself may be past its lifetime and not deleted.
      insert into ledger.idempotency_key (account_id, idempotency_key, fingerprint, entry_ids, used_at)
      values (v_account_id, v_write.idempotency_key, v_write.fingerprint, v_first_ids, v_now)
      on conflict (account_id, idempotency_key) do update
         set fingerprint = excluded.fingerprint, entry_ids = excluded.entry_ids, used_at = excluded.used_at;
    end if;
    outcome := 'created';
    return next;
  end loop;
end
$$;
