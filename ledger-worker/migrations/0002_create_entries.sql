-- Creates a batch of entries, all or none, in one statement of the client: there is no transaction for the client
-- to hold open, to lose half of, or to continue on another connection.
--
-- The arrays are parallel, one element per entry, in the order in which they were sent. `outcome` and its `detail`:
--   created             {added, existing: [{index, id, differingFields}]}, added = rows of this very attempt
--   invalid_key         unknown, revoked, or not a key of this account
--   upgrade_required    the plan has no API access
--   source_not_found    no such source in this account
--   invalid_categories  {sourceType, indexes}
-- A batch that would pass the daily cap raises LC001 with {fitsNow, retryAfterMs} as detail, so nothing stays.
--
-- Relies on read committed: each statement of the body sees what had committed when it began.
create function ledger.create_entries(
  p_account_id   uuid,
  p_key_hash     bytea,
  p_source_id    uuid,
  p_ids          uuid[],
  p_dates        date[],
  p_types        ledger.entry_type[],
  p_amounts      bigint[],
  p_categories   text[],
  p_descriptions text[],
  p_refs         text[],
  p_cap          integer,
  p_window       interval,
  out outcome    text,
  out detail     jsonb
)
language plpgsql
as $$
declare
  v_key_id      uuid;
  v_api_access  boolean;
  v_source_type text;
  v_added       integer;
  v_now         timestamptz;
  v_last        ledger.write_log;
  v_before      bigint;
  v_used        bigint;
begin
  -- Writes of one account queue here: dedupe, cap and counters below are exact, and two batches that hold each
  -- other's references cannot deadlock. Other accounts do not wait, and neither do readers.
  perform from ledger.account where account_id = p_account_id for no key update;

  -- Only now, in a snapshot younger than the lock: a key revoked while this call waited is seen as revoked.
  select k.key_id, p.api_access, s.type
    into v_key_id, v_api_access, v_source_type
    from ledger.api_key k
    join ledger.account a on a.account_id = k.account_id
    join ledger.plan p on p.plan = a.plan
    left join ledger.source s
      on s.account_id = k.account_id and s.source_id = p_source_id and s.removed_at is null
   where k.account_id = p_account_id and k.key_hash = p_key_hash and k.revoked_at is null;

  if v_key_id is null then
    outcome := 'invalid_key';
    return;
  elsif not v_api_access then
    outcome := 'upgrade_required';
    return;
  elsif v_source_type is null then
    outcome := 'source_not_found';
    return;
  end if;

  select jsonb_build_object('sourceType', v_source_type, 'indexes', jsonb_agg(n - 1 order by n))
    into detail
    from unnest(p_types, p_categories) with ordinality as sent (type, category, n)
   where category is not null
     and not exists (select from ledger.category c
                      where c.source_type = v_source_type
                        and c.entry_type = sent.type
                        and c.category = sent.category)
  having count(*) > 0;
  if detail is not null then
    outcome := 'invalid_categories';
    return;
  end if;

  -- In the order sent: of two entries with one reference the first is created. An id that is already there was
  -- put there by an earlier attempt of this very call.
  insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type,
                            category, description, external_ref)
  select p_account_id, id, p_source_id, date, amount, type, category, description, ref
    from unnest(p_ids, p_dates, p_types, p_amounts, p_categories, p_descriptions, p_refs)
         with ordinality as sent (id, date, type, amount, category, description, ref, n)
   order by n
  on conflict do nothing;
  get diagnostics v_added = row_count;

  -- A statement of its own: rows that the insert ran into may be younger than the insert's snapshot.
  select jsonb_build_object('added', v_added, 'existing', coalesce(jsonb_agg(jsonb_build_object(
           'index', n - 1,
           'id', e.entry_id,
           'differingFields', array_remove(array[
             case when e.source_id    is distinct from p_source_id then 'sourceId'    end,
             case when e.entry_date   is distinct from date        then 'date'        end,
             case when e.type         is distinct from sent.type   then 'type'        end,
             case when e.amount_pence is distinct from amount      then 'amountPence' end,
             case when e.category     is distinct from sent.category    then 'category'    end,
             case when e.description  is distinct from sent.description then 'description' end
           ], null)) order by n), '[]'))
    into detail
    from unnest(p_ids, p_dates, p_types, p_amounts, p_categories, p_descriptions, p_refs)
         with ordinality as sent (id, date, type, amount, category, description, ref, n)
    join ledger.entry e on e.account_id = p_account_id and e.external_ref = ref and e.entry_id <> id
   where v_added < cardinality(p_ids);
  outcome := 'created';

  if v_added = 0 then
    return;
  end if;

  select * into v_last
    from ledger.write_log
   where account_id = p_account_id
   order by written_at desc, entry_id desc
   limit 1;
  -- A clock that was set back must not let entries leave the window early.
  v_now := greatest(clock_timestamp(), v_last.written_at);
  -- The account's total when the window opened: that of the last write before it, or what the oldest write kept
  -- in the log had found.
  v_before := coalesce(
    (select total from ledger.write_log
      where account_id = p_account_id and written_at <= v_now - p_window
      order by written_at desc, entry_id desc limit 1),
    (select total - created from ledger.write_log
      where account_id = p_account_id
      order by written_at, entry_id limit 1),
    0);
  v_used := coalesce(v_last.total, 0) - v_before;

  if v_used + v_added > p_cap then
    raise exception using
      errcode = 'LC001',
      message = 'daily cap reached',
      detail = jsonb_build_object(
        'fitsNow', greatest(p_cap - v_used, 0),
        -- Until the first write leaves the window after which this batch fits.
        'retryAfterMs', (
          select ceil(extract(epoch from written_at + p_window - v_now) * 1000)
            from ledger.write_log
           where account_id = p_account_id
             and written_at > v_now - p_window
             and v_last.total - total + v_added <= p_cap
           order by written_at, entry_id
           limit 1));
  end if;

  insert into ledger.write_log (account_id, written_at, entry_id, created, total)
  values (p_account_id, v_now, p_ids[1], v_added, coalesce(v_last.total, 0) + v_added);

  update ledger.source
     set transaction_count = transaction_count + v_added
   where account_id = p_account_id and source_id = p_source_id;
end
$$;
