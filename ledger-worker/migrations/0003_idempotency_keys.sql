-- Idempotency keys: what a client sends along so that it may repeat a request whose entries carry no reference.
--
-- One row per key and account, for 24 hours. It is written in the transaction that creates the entries, behind the
-- account's lock, so a repeated request finds either all of the first or nothing of it. Only answers that stand are
-- kept: a refused request created nothing and may be sent again, mended, under the same key.
create table ledger.idempotency_key (
  account_id      uuid not null,
  idempotency_key text not null check (char_length(idempotency_key) between 1 and 255),
  -- SHA-256 of the source and the entries: a key stands for one request.
  fingerprint     bytea not null check (octet_length(fingerprint) = 32),
  -- The ids under which the first request was answered, one for each of its entries; null where all of them were
  -- already there, and the answer does not depend on ids.
  entry_ids       uuid[],
  used_at         timestamptz not null,
  primary key (account_id, idempotency_key)
);

-- To forget those that are older than their lifetime.
create index idempotency_key_age on ledger.idempotency_key (account_id, used_at);

-- Of the entries sent, those whose reference was known before: [{index, id, differingFields}], ascending. What is there
-- under its own id was created by this very request.
create function ledger.known_entries(
  p_account_id   uuid,
  p_source_id    uuid,
  p_ids          uuid[],
  p_dates        date[],
  p_types        ledger.entry_type[],
  p_amounts      bigint[],
  p_categories   text[],
  p_descriptions text[],
  p_refs         text[]
)
returns jsonb
language sql stable
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
           'index', n - 1,
           'id', e.entry_id,
           'differingFields', array_remove(array[
             case when e.source_id    is distinct from p_source_id then 'sourceId'    end,
             case when e.entry_date   is distinct from date        then 'date'        end,
             case when e.type         is distinct from sent.type   then 'type'        end,
             case when e.amount_pence is distinct from amount      then 'amountPence' end,
             case when e.category     is distinct from sent.category    then 'category'    end,
             case when e.description  is distinct from sent.description then 'description' end
           ], null)) order by n), '[]')
    from unnest(p_ids, p_dates, p_types, p_amounts, p_categories, p_descriptions, p_refs)
         with ordinality as sent (id, date, type, amount, category, description, ref, n)
    join ledger.entry e on e.account_id = p_account_id and e.external_ref = ref and e.entry_id <> id
$$;

-- As before, and with an idempotency key or null: the same request under the same key is answered with the ids of the
-- first, and creates nothing. Further outcomes, and what is new in `detail`:
--   created                 {added, ids, existing}: ids of the first answer where they are not those sent, else null
--   idempotency_key_reused  the key stands for another request: nothing was created
create function ledger.create_entries(
  p_account_id      uuid,
  p_key_hash        bytea,
  p_source_id       uuid,
  p_ids             uuid[],
  p_dates           date[],
  p_types           ledger.entry_type[],
  p_amounts         bigint[],
  p_categories      text[],
  p_descriptions    text[],
  p_refs            text[],
  p_cap             integer,
  p_window          interval,
  p_patience        interval,
  p_idempotency_key text,
  p_fingerprint     bytea,
  p_key_lifetime    interval,
  out outcome       text,
  out detail        jsonb
)
language plpgsql
as $$
declare
  v_key_id      uuid;
  v_api_access  boolean;
  v_source_type text;
  v_now         timestamptz;
  v_first       ledger.idempotency_key;
  v_last        ledger.write_log;
  v_used        bigint;
  v_new         integer;
  v_added       integer;
begin
  -- Writes of one account queue here: dedupe, cap and counters below are exact, and two batches that hold each
  -- other's references cannot deadlock. Writes of other accounts do not, and neither do reads.
  perform from ledger.account where account_id = p_account_id for no key update;

  -- Measured from the statement's arrival, by this clock alone. To cancel the statement is not enough: a cancellation
  -- that comes before the statement has begun is lost.
  if clock_timestamp() - statement_timestamp() > p_patience then
    outcome := 'expired';
    return;
  end if;

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
  end if;

  if p_idempotency_key is not null then
    select * into v_first
      from ledger.idempotency_key
     where account_id = p_account_id
       and idempotency_key = p_idempotency_key
       and used_at > clock_timestamp() - p_key_lifetime;
    if v_first.fingerprint <> p_fingerprint then
      outcome := 'idempotency_key_reused';
      return;
    elsif found then
      outcome := 'created';
      detail := jsonb_build_object(
        'added', 0,
        'ids', v_first.entry_ids,
        'existing', ledger.known_entries(p_account_id, p_source_id, coalesce(v_first.entry_ids, p_ids), p_dates,
                                         p_types, p_amounts, p_categories, p_descriptions, p_refs));
      return;
    end if;
  end if;

  if v_source_type is null then
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

  select * into v_last
    from ledger.write_log
   where account_id = p_account_id
   order by written_at desc, total desc
   limit 1;
  -- Behind the lock. A clock that was set back must not let entries leave the window early.
  v_now := greatest(clock_timestamp(), v_last.written_at);
  v_used := coalesce(v_last.total, 0) - coalesce(
    (select total from ledger.write_log
      where account_id = p_account_id and written_at <= v_now - p_window
      order by written_at desc, total desc
      limit 1),
    0);

  if v_used + cardinality(p_ids) > p_cap then
    -- It depends on how many are new. Counted before anything is inserted: to insert and roll back would leave the
    -- dead rows of every refused batch behind. What an earlier attempt of this very call inserted is not new.
    select count(*) filter (where ref is null) + count(distinct ref) into v_new
      from unnest(p_ids, p_refs) as sent (id, ref)
     where not exists (select from ledger.entry e where e.account_id = p_account_id and e.entry_id = id)
       and not exists (select from ledger.entry e where e.account_id = p_account_id and e.external_ref = ref);
    if v_used + v_new > p_cap and v_new > 0 then
      outcome := 'daily_cap';
      detail := jsonb_build_object(
        'fitsNow', greatest(p_cap - v_used, 0),
        -- Until the first write leaves the window after which this batch fits.
        'retryAfterMs', (
          select ceil(extract(epoch from written_at + p_window - clock_timestamp()) * 1000)
            from ledger.write_log
           where account_id = p_account_id
             and written_at > v_now - p_window
             and v_last.total - total + v_new <= p_cap
           order by written_at, total
           limit 1));
      return;
    end if;
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
  outcome := 'created';
  detail := jsonb_build_object('added', v_added, 'ids', null, 'existing', '[]'::jsonb);
  if v_added < cardinality(p_ids) then
    detail := jsonb_set(detail, '{existing}', ledger.known_entries(
      p_account_id, p_source_id, p_ids, p_dates, p_types, p_amounts, p_categories, p_descriptions, p_refs));
  end if;

  if p_idempotency_key is not null then
    -- What is over its time, a bounded number: an account may have used very many.
    delete from ledger.idempotency_key
     where account_id = p_account_id
       and idempotency_key in (select idempotency_key
                                 from ledger.idempotency_key
                                where account_id = p_account_id and used_at <= clock_timestamp() - p_key_lifetime
                                order by used_at
                                limit 1000);
    -- The key itself may be among those that are left.
    insert into ledger.idempotency_key (account_id, idempotency_key, fingerprint, entry_ids, used_at)
    values (p_account_id, p_idempotency_key, p_fingerprint,
            case when jsonb_array_length(detail->'existing') < cardinality(p_ids) then p_ids end, clock_timestamp())
    on conflict (account_id, idempotency_key) do update
       set fingerprint = excluded.fingerprint, entry_ids = excluded.entry_ids, used_at = excluded.used_at;
  end if;

  if v_added = 0 then
    return;
  end if;

  insert into ledger.write_log (account_id, written_at, created, total)
  values (p_account_id, v_now, v_added, coalesce(v_last.total, 0) + v_added);

  update ledger.source
     set transaction_count = transaction_count + v_added
   where account_id = p_account_id and source_id = p_source_id;
end
$$;

-- Workers of the version before still call it without a key until the last of them is replaced.
create or replace function ledger.create_entries(
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
  p_patience     interval,
  out outcome    text,
  out detail     jsonb
)
language sql
as $$
  select * from ledger.create_entries(
    p_account_id, p_key_hash, p_source_id, p_ids, p_dates, p_types, p_amounts, p_categories, p_descriptions, p_refs,
    p_cap, p_window, p_patience, null, null, null)
$$;
