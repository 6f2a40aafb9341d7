-- Creates the entries of one write, all or none.
--
-- In: the write, and its entries. An account may create p_cap entries within p_window. An idempotency key is bound to its request for
-- p_key_lifetime. p_wait_for_lock: whether to wait if another transaction holds the account.
--
-- Out: outcome, with the name and the detail of CreateEntriesResponse (proto/ledger.proto):
--   created               new_entries are created by this call. known_json is null if all are; otherwise it describes the known entries, and
--                         known_entries is their number (ledger.describe_known). detail: {entriesLeft}, or null if the write was
--                         carried out before
--   refused               detail: REFUSAL_INVALID_KEY, the key is unknown or revoked, or belongs to another account;
--                         REFUSAL_UPGRADE_REQUIRED, the plan has no API access; REFUSAL_READ_ONLY_KEY, the key cannot write
--   sourceNotFound        the account has no such source
--   idempotencyKeyReused  the key is bound to another request
--   invalidCategories     detail: {sourceType, indexes}
--   dailyCapReached       detail: {entriesLeft, index, retryAfterMs}
-- or one that is no response:
--   expired               the write's timeout has passed
--   lockUnavailable       another transaction holds the account, and p_wait_for_lock is false
-- All outcomes but `created` leave the ledger as it was.
create or replace function ledger.write_one(
  p_account_id      uuid,
  p_write           ledger.write_request,
  p_entries         ledger.sent_entry[],
  p_cap             integer,
  p_window          interval,
  p_key_lifetime    interval,
  p_wait_for_lock   boolean,
  out outcome       text,
  out new_entries   integer,
  out known_entries integer,
  out detail        json,
  out known_json    text
)
language plpgsql
as $$
declare
  v_size constant integer := cardinality(p_entries);
  v_lock          record;
  v_now           timestamptz;
  v_is_valid_key  boolean;
  v_read_only     boolean;
  v_refusal       text;
  v_created       integer;
  v_fingerprint   bytea;
  v_ids           uuid[];
  v_source_type   text;
  v_entry         ledger.sent_entry;
  v_invalid       json;
  v_written_at    timestamptz;
  v_total         bigint;
  v_used          bigint;
  v_fits_at       timestamptz;
  v_split         record;
  v_known         ledger.stored_entry[];
  v_new           ledger.sent_entry[];
begin
  new_entries := 0;
  known_entries := 0;

  -- 1. Lock the account.
  v_lock := ledger.lock_account(p_account_id, p_wait_for_lock);
  if v_lock.outcome = 'lockUnavailable' then
    outcome := 'lockUnavailable';
    return;
  end if;
  -- Read after the lock: the clock of the log, and of the idempotency keys.
  v_now := clock_timestamp();

  -- 2. Has an earlier attempt committed? Then nothing refuses the write any more: a client that is refused may send its entries
  -- elsewhere. A key that never belonged to the account has written nothing.
  select k.revoked_at is null, k.read_only into v_is_valid_key, v_read_only
    from ledger.api_key k
   where k.account_id = p_account_id and k.key_hash = p_write.key_hash;
  if found then
    select l.created into v_created
      from ledger.write_log l
     where l.account_id = p_account_id and l.write_id = p_write.write_id;
    if found then
      outcome := 'created';
      select e.known_entries, e.known_json into known_entries, known_json
        from ledger.describe_known(p_account_id, p_write.source_id, p_entries, null, v_created, null) as e;
      return;
    end if;
  end if;

  -- 3. Check the key, the plan, the idempotency key and the source.
  v_refusal := case
    when v_is_valid_key is not true or v_lock.outcome <> 'locked' then 'REFUSAL_INVALID_KEY'
    when not ledger.has_api_access(v_lock.plan) then 'REFUSAL_UPGRADE_REQUIRED'
    when v_read_only then 'REFUSAL_READ_ONLY_KEY'
  end;
  if v_refusal is not null then
    outcome := 'refused';
    detail := to_json(v_refusal);
    return;
  end if;
  if p_write.idempotency_key is not null then
    select k.fingerprint, k.entry_ids into v_fingerprint, v_ids
      from ledger.idempotency_key k
     where k.account_id = p_account_id and k.idempotency_key = p_write.idempotency_key
       and k.used_at > v_now - p_key_lifetime;
    if v_fingerprint <> p_write.fingerprint then
      outcome := 'idempotencyKeyReused';
      return;
    elsif v_fingerprint is not null then
      outcome := 'created';
      select e.known_entries, e.known_json into known_entries, known_json
        from ledger.describe_known(p_account_id, p_write.source_id, p_entries, null, null, v_ids) as e;
      return;
    end if;
  end if;
  select s.type into v_source_type
    from ledger.source s
   where s.account_id = p_account_id and s.source_id = p_write.source_id and s.removed_at is null;
  if not found then
    outcome := 'sourceNotFound';
    return;
  end if;

  -- 4. Check the categories. One entry needs no statement.
  v_entry := p_entries[1];
  if v_size > 1 or not ledger.is_category(v_source_type, v_entry.type, v_entry.category) then
    select json_agg(ordinality - 1 order by ordinality) into v_invalid
      from unnest(p_entries) with ordinality
     where not ledger.is_category(v_source_type, type, category);
    if v_invalid is not null then
      outcome := 'invalidCategories';
      detail := json_build_object('sourceType', v_source_type, 'indexes', v_invalid);
      return;
    end if;
  end if;

  -- 5. Find the new entries, and hold them against the daily cap.
  select l.written_at, l.total into v_written_at, v_total
    from ledger.write_log l
   where l.account_id = p_account_id
   order by l.written_at desc, l.total desc
   limit 1;
  -- If the clock was set back, entries must not leave the window early.
  v_written_at := greatest(v_now, v_written_at);
  v_total := coalesce(v_total, 0);
  select l.total into v_used
    from ledger.write_log l
   where l.account_id = p_account_id and l.written_at <= v_written_at - p_window
   order by l.written_at desc, l.total desc
   limit 1;
  v_used := v_total - coalesce(v_used, 0);
  if v_size > 1 or v_used + v_size > p_cap then
    -- New entries are found before the insert: an insert that meets a conflict, or a rollback, costs more.
    v_split := ledger.split_entries(p_account_id, p_entries);
    v_known := v_split.known;
    v_new := v_split.to_create;
    if cardinality(v_new) > 0 and v_used + cardinality(v_new) > p_cap then
      outcome := 'dailyCapReached';
      -- The write that must leave the window for this one to fit.
      select l.written_at + p_window into v_fits_at
        from ledger.write_log l
       where l.account_id = p_account_id and l.written_at > v_written_at - p_window
         and l.total >= v_total + cardinality(v_new) - p_cap
       order by l.written_at, l.total
       limit 1;
      detail := json_build_object(
        'entriesLeft', greatest(p_cap - v_used, 0),
        'index', (select ordinality - 1 from unnest(p_entries) with ordinality
                   where entry_id = (v_new[greatest(p_cap - v_used, 0) + 1]).entry_id),
        'retryAfterMs', ceil(extract(epoch from v_fits_at - clock_timestamp()) * 1000));
      return;
    end if;
  end if;

  -- 6. Measured by this clock alone, from the arrival of the statement, after every wait for a lock. Cancelling the statement is not
  -- enough: a cancellation that arrives before the statement has begun is lost.
  if clock_timestamp() - statement_timestamp() > p_write.timeout_ms * interval '1 ms' then
    outcome := 'expired';
    return;
  end if;

  -- 7. Insert the new entries, append to the log, and add to transaction_count.
  outcome := 'created';
  if v_size = 1 then
    insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type,
                              category, description, external_ref)
    values (p_account_id, v_entry.entry_id, p_write.source_id, v_entry.entry_date, v_entry.amount_pence, v_entry.type,
            v_entry.category, v_entry.description, v_entry.external_ref)
    on conflict do nothing;
  else
    -- Planned at each call: Citus has no generic plan for it.
    execute $statement$
      insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type,
                                category, description, external_ref)
      select $1, entry_id, $2, entry_date, amount_pence, type, category, description, external_ref from unnest($3)
    $statement$ using p_account_id, p_write.source_id, v_new;
  end if;
  get diagnostics new_entries = row_count;
  detail := json_build_object('entriesLeft', greatest(p_cap - v_used - new_entries, 0));
  if new_entries > 0 then
    insert into ledger.write_log (account_id, written_at, created, total, write_id)
    values (p_account_id, v_written_at, new_entries, v_total + new_entries, p_write.write_id);
    update ledger.source s
       set transaction_count = s.transaction_count + new_entries
     where s.account_id = p_account_id and s.source_id = p_write.source_id;
  end if;

  -- 8. Describe the known entries, and store the idempotency key.
  if new_entries < v_size then
    if new_entries > 0 and new_entries + cardinality(v_known) < v_size then
      -- Entries of the write share a reference, and the first of them is stored now.
      v_known := null;
    end if;
    select e.known_entries, e.known_json into known_entries, known_json
      from ledger.describe_known(p_account_id, p_write.source_id, p_entries, v_known, new_entries, null) as e;
  end if;
  if p_write.idempotency_key is not null then
    -- If all entries are known, the response needs no ids. In a variable: Citus refuses a subquery in the values of an insert.
    if new_entries > 0 then
      v_ids := array(select entry_id from unnest(p_entries));
    end if;
    -- The key itself may be past its lifetime and not deleted.
    insert into ledger.idempotency_key (account_id, idempotency_key, fingerprint, entry_ids, used_at)
    values (p_account_id, p_write.idempotency_key, p_write.fingerprint, v_ids, v_now)
    on conflict (account_id, idempotency_key) do update
       set fingerprint = excluded.fingerprint, entry_ids = excluded.entry_ids, used_at = excluded.used_at;
  end if;
end
$$;
