-- Creates batches of entries in one transaction. Each is created whole or not at all, and none hears of the others: it is
-- as if they had been created one after the other, in the order in which they stand.
--
-- Of the parallel arrays the first have one element per batch, those from p_batches on one per entry, in the order in which
-- they were sent: p_batches tells which batch it belongs to, counted from 1. Answers one row per batch:
--   created                 `added` rows are new; detail, where some were known: {ids, existing: [{index, id,
--                           differingFields}]}, ids of the first answer under the idempotency key, else null
--   invalid_key             unknown, revoked, or not a key of this account
--   upgrade_required        the plan has no API access
--   source_not_found        no such source in this account
--   idempotency_key_reused  the key stands for another request
--   invalid_categories      {sourceType, indexes}
--   daily_cap               {fitsNow, retryAfterMs}
--   expired                 nobody waits for the outcome any more
--   busy                    somebody else holds the account, and p_waits is not set
-- Nothing was created but by the first.
--
-- What the same request has stored in an earlier attempt, under the same ids, is `created` again, and none of it is added: also
-- where its key was revoked since, its plan changed, its source removed or its account deleted. Fails with unique_violation,
-- for all batches, where an id is sent for another entry than it was stored for, or beside ids that are new.
--
-- p_waits: the call waits for the account. It is then for batches of one account only.
--
-- Relies on read committed: each statement of the body sees what had committed when it began.
create or replace function ledger.create_batches(
  p_account_ids      uuid[],
  p_key_hashes       bytea[],
  p_source_ids       uuid[],
  p_patience_ms      integer[],
  p_idempotency_keys text[],
  p_fingerprints     bytea[],
  p_sizes            integer[],
  p_batches          integer[],
  p_ids              uuid[],
  p_dates            date[],
  p_types            ledger.entry_type[],
  p_amounts          bigint[],
  p_categories       text[],
  p_descriptions     text[],
  p_refs             text[],
  p_cap              integer,
  p_window           interval,
  p_key_lifetime     interval,
  p_waits            boolean
)
returns table (batch integer, outcome text, added integer, detail json)
language plpgsql
-- Planning it costs more than running it, and the plans are kept: made while a table is empty, they must be right when it
-- is not.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_locked       uuid[];
  -- Of each batch, by its number.
  v_turns        integer[];
  v_firsts       integer[]; -- place of its first entry
  v_outcomes     text[];
  v_source_types text[];
  v_used         bigint[]; -- entries created within the window
  v_times        timestamptz[];
  v_totals       bigint[];
  v_added        integer[];
  v_details      json[];

  v_turns_max    integer := 1;
  v_first        integer := 1;
  v_last         integer;
  v_misplaced    integer[];
  v_is_stored    boolean;
  v_existing     json;
  v_own          integer;
  v_entry_ids    uuid[];
  v              record;
begin
  -- Writes of one account queue here: dedupe, cap and counters below are exact. Who asks for several accounts takes the
  -- locks in one order and waits for none: groups cannot deadlock, and a busy account holds up nobody else's writes.
  if p_waits then
    perform from ledger.account where account_id = p_account_ids[1] for no key update;
    v_locked := p_account_ids[1:1];
  else
    select coalesce(array_agg(account_id), '{}') into v_locked
      from (select account_id from ledger.account where account_id = any (p_account_ids)
             order by account_id for no key update skip locked) as locked;
  end if;

  -- Batches of one account take turns: each sees what those before it have stored.
  for n in 1 .. cardinality(p_account_ids) loop
    v_turns[n] := cardinality(array_positions(p_account_ids[:n], p_account_ids[n]));
    v_turns_max := greatest(v_turns_max, v_turns[n]);
    v_firsts[n] := v_first;
    v_first := v_first + p_sizes[n];
  end loop;

  for v_turn in 1 .. v_turns_max loop
    -- In a snapshot younger than the locks: a key revoked while this call waited is seen as revoked. What is looked up is
    -- no join: that would be planned by how full the tables are now.
    for v in
      select n as batch,
             (select p.api_access
                from ledger.api_key k
                join ledger.account a on a.account_id = k.account_id
                join ledger.plan p on p.plan = a.plan
               where k.account_id = p_account_ids[n] and k.key_hash = p_key_hashes[n] and k.revoked_at is null)
               as api_access,
             (select type
                from ledger.source
               where account_id = p_account_ids[n] and source_id = p_source_ids[n] and removed_at is null)
               as source_type,
             (select fingerprint
                from ledger.idempotency_key
               where account_id = p_account_ids[n] and idempotency_key = p_idempotency_keys[n]
                 and used_at > clock_timestamp() - p_key_lifetime)
               as kept_fingerprint,
             last.time,
             coalesce(last.total, 0) as total,
             coalesce(last.total, 0) - coalesce(
               (select l.total
                  from ledger.write_log l
                 where l.account_id = p_account_ids[n] and l.written_at <= last.time - p_window
                 order by l.written_at desc, l.total desc
                 limit 1),
               0) as used
        from generate_series(1, cardinality(p_account_ids)) as n
       cross join lateral (
         -- A clock that was set back must not let entries leave the window early.
         select greatest(clock_timestamp(), max(written_at)) as time, max(total) as total
           from (select written_at, total
                   from ledger.write_log
                  where account_id = p_account_ids[n]
                  order by written_at desc, total desc
                  limit 1) as write
       ) as last
       where v_turns[n] = v_turn
    loop
      v_source_types[v.batch] := v.source_type;
      v_times[v.batch] := v.time;
      v_totals[v.batch] := v.total;
      v_used[v.batch] := v.used;
      v_outcomes[v.batch] :=
        case
          when not p_account_ids[v.batch] = any (v_locked) then 'busy'
          -- Measured from the statement's arrival, by this clock alone. To cancel the statement is not enough: a
          -- cancellation that comes before the statement has begun is lost.
          when clock_timestamp() - statement_timestamp() > p_patience_ms[v.batch] * interval '1 ms' then 'expired'
          when v.api_access is null then 'invalid_key'
          when not v.api_access then 'upgrade_required'
          when v.kept_fingerprint <> p_fingerprints[v.batch] then 'idempotency_key_reused'
          when v.kept_fingerprint is not null then 'repeated'
          when v.source_type is null then 'source_not_found'
          else 'created'
        end;
    end loop;

    select array_agg(distinct batch) into v_misplaced
      from (select distinct batch, type, category
              from unnest(p_batches, p_types, p_categories) as sent (batch, type, category)
             where category is not null
            offset 0) as kind
     where v_turns[batch] = v_turn and v_outcomes[batch] = 'created'
       and (select true
              from ledger.category c
             where c.source_type = v_source_types[batch] and c.entry_type = kind.type and c.category = kind.category)
           is null;

    for n in 1 .. cardinality(p_account_ids) loop
      continue when v_turns[n] <> v_turn or v_outcomes[n] in ('busy', 'expired', 'repeated');
      v_first := v_firsts[n];
      v_last := v_first + p_sizes[n] - 1;
      if n = any (v_misplaced) then
        v_outcomes[n] := 'invalid_categories';
      end if;

      if v_outcomes[n] <> 'created' then
        -- A client that is refused may send its entries elsewhere. So a request that has stored its entries in an earlier
        -- attempt is not refused. For a key that was never one of the account, nothing is looked up.
        select bool_or(is_own) and bool_and(is_own or is_known) into v_is_stored
          from (select (select true from ledger.entry where account_id = p_account_ids[n] and entry_id = id)
                       is not null as is_own,
                       coalesce(ref in (
                         select external_ref
                           from ledger.entry
                          where account_id = p_account_ids[n] and external_ref = any (p_refs[v_first:v_last])
                            and external_ref is not null), false) as is_known
                  from unnest(p_ids[v_first:v_last], p_refs[v_first:v_last]) as sent (id, ref)
                 where (select true
                          from ledger.api_key
                         where account_id = p_account_ids[n] and key_hash = p_key_hashes[n])) as refused;
        if v_is_stored then
          v_outcomes[n] := 'stored';
        elsif v_outcomes[n] = 'invalid_categories' then
          v_details[n] := json_build_object('sourceType', v_source_types[n], 'indexes', (
            select json_agg(place - 1 order by place)
              from unnest(p_types[v_first:v_last], p_categories[v_first:v_last])
                   with ordinality as sent (type, category, place)
             where category is not null
               and (select true
                      from ledger.category c
                     where c.source_type = v_source_types[n] and c.entry_type = sent.type
                       and c.category = sent.category)
                   is null));
        end if;
      elsif v_used[n] + p_sizes[n] > p_cap then
        -- Only where the whole batch does not fit it matters how much of it is new. Counted before anything is inserted:
        -- to insert and roll back would leave the dead rows of every refused batch behind.
        select count(*) filter (where ref is null and stored is null) + count(distinct ref) filter (where known is null)
               as creates
          into v
          from (select ref,
                       case when ref is null then
                         (select true
                            from ledger.entry
                           where account_id = p_account_ids[n] and source_id = p_source_ids[n]
                             and entry_date = sent.date and entry_id = sent.id)
                       end as stored,
                       (select true
                          from ledger.entry
                         where account_id = p_account_ids[n] and external_ref = ref and external_ref is not null)
                       as known
                  from unnest(p_ids[v_first:v_last], p_dates[v_first:v_last], p_refs[v_first:v_last])
                       as sent (id, date, ref)) as counted;
        if v.creates > 0 and v_used[n] + v.creates > p_cap then
          v_outcomes[n] := 'daily_cap';
          v_details[n] := json_build_object(
            'fitsNow', greatest(p_cap - v_used[n], 0),
            -- Until the first write leaves the window after which this batch fits.
            'retryAfterMs', (
              select ceil(extract(epoch from written_at + p_window - clock_timestamp()) * 1000)
                from ledger.write_log l
               where l.account_id = p_account_ids[n]
                 and l.written_at > v_times[n] - p_window
                 and v_totals[n] - l.total + v.creates <= p_cap
               order by l.written_at, l.total
               limit 1));
        end if;
      end if;
    end loop;

    for v in
      with sent as materialized (
        select *
          from unnest(p_batches, p_ids, p_dates, p_types, p_amounts, p_categories, p_descriptions, p_refs)
               with ordinality as sent (batch, id, date, type, amount, category, description, ref, n)
         where v_turns[batch] = v_turn and v_outcomes[batch] = 'created'
      ),
      -- Of two entries of a batch that have one reference, the first is created.
      first as (
        select min(n) as n from sent where ref is not null group by batch, ref
      ),
      named as materialized (
        select batch, array_agg(ref) filter (where ref is not null) as refs, min(n) filter (where ref is null) as nameless
          from sent
         group by batch
      ),
      known as (
        select batch, external_ref as ref
          from named
         cross join lateral (
           select external_ref
             from ledger.entry
            where account_id = p_account_ids[batch] and external_ref = any (refs) and external_ref is not null
           offset 0
         ) as e
      ),
      -- Of entries without a reference one is enough to ask for: an earlier attempt of this very call has stored all of
      -- them or none.
      stored as (
        select batch
          from named
         where (select true
                  from ledger.entry
                 where account_id = p_account_ids[batch] and source_id = p_source_ids[batch]
                   and entry_date = p_dates[nameless] and entry_id = p_ids[nameless])
      ),
      -- What is there already is left out beforehand: to insert and meet a conflict costs more.
      inserted as (
        insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type,
                                  category, description, external_ref)
        select p_account_ids[batch], id, p_source_ids[batch], date, amount, type, category, description, ref
          from sent
         where case
                 when ref is null then batch not in (select batch from stored)
                 else n in (select n from first) and (batch, ref) not in (select batch, ref from known)
               end
        returning account_id
      ),
      done as materialized (
        select (array_positions(p_account_ids, account_id))[v_turn] as batch, count(*)::integer as added
          from inserted
         group by account_id
      ),
      logged as (
        insert into ledger.write_log (account_id, written_at, created, total)
        select p_account_ids[batch], v_times[batch], added, v_totals[batch] + added from done
      ),
      summed as (
        update ledger.source
           set transaction_count = transaction_count + added
          from done
         where account_id = p_account_ids[batch] and source_id = p_source_ids[batch]
      )
      select batch, added from done
    loop
      v_added[v.batch] := v.added;
    end loop;

    for n in 1 .. cardinality(p_account_ids) loop
      continue when v_turns[n] <> v_turn;
      batch := n;
      outcome := v_outcomes[n];
      added := coalesce(v_added[n], 0);
      detail := v_details[n];
      v_first := v_firsts[n];
      v_last := v_first + p_sizes[n] - 1;

      if outcome in ('repeated', 'stored') or outcome = 'created' and added < p_sizes[n] then
        v_entry_ids := null;
        if outcome = 'repeated' then
          select entry_ids into v_entry_ids
            from ledger.idempotency_key
           where account_id = p_account_ids[n] and idempotency_key = p_idempotency_keys[n];
        end if;
        v_existing := ledger.known_entries(
          p_account_ids[n], p_source_ids[n], coalesce(v_entry_ids, p_ids[v_first:v_last]), p_dates[v_first:v_last],
          p_types[v_first:v_last], p_amounts[v_first:v_last], p_categories[v_first:v_last],
          p_descriptions[v_first:v_last], p_refs[v_first:v_last]);
        detail := json_build_object('ids', v_entry_ids, 'existing', v_existing);

        -- What is neither new nor known by its reference alone, an earlier attempt has stored: then it has stored all that
        -- could be, and as it is sent now. Categories are set later, too.
        v_own := case when outcome = 'repeated' then 0 else p_sizes[n] - added - json_array_length(v_existing) end;
        if v_own > 0 then
          select count(*)::integer as stored into v
            from unnest(p_ids[v_first:v_last], p_dates[v_first:v_last], p_types[v_first:v_last],
                        p_amounts[v_first:v_last], p_descriptions[v_first:v_last], p_refs[v_first:v_last])
                 as sent (id, date, type, amount, description, ref)
           where (select (e.type, e.amount_pence, e.description, e.external_ref)
                         is not distinct from (sent.type, sent.amount, sent.description, sent.ref)
                    from ledger.entry e
                   where e.account_id = p_account_ids[n] and e.source_id = p_source_ids[n]
                     and e.entry_date = sent.date and e.entry_id = sent.id);
          if added > 0 or v.stored <> v_own then
            raise exception 'an id stands for one entry, and for one request'
              using errcode = 'unique_violation', constraint = 'entry_id_reused';
          end if;
        end if;
      end if;

      if outcome = 'created' and p_idempotency_keys[n] is not null then
        -- What is over its time, a bounded number: an account may have used very many.
        delete from ledger.idempotency_key k
         where k.account_id = p_account_ids[n]
           and k.idempotency_key = any (array(select old.idempotency_key
                                                from ledger.idempotency_key old
                                               where old.account_id = p_account_ids[n]
                                                 and old.used_at <= clock_timestamp() - p_key_lifetime
                                               order by old.used_at
                                               limit 1000));
        -- The key itself may be among those that are left. Where all entries were known, the answer needs no ids.
        insert into ledger.idempotency_key (account_id, idempotency_key, fingerprint, entry_ids, used_at)
        values (p_account_ids[n], p_idempotency_keys[n], p_fingerprints[n],
                case when added > 0 or v_own > 0 then p_ids[v_first:v_last] end,
                clock_timestamp())
        on conflict (account_id, idempotency_key) do update
           set fingerprint = excluded.fingerprint, entry_ids = excluded.entry_ids, used_at = excluded.used_at;
      end if;
      if outcome in ('repeated', 'stored') then
        outcome := 'created';
      end if;
      return next;
    end loop;
  end loop;
end
$$;
