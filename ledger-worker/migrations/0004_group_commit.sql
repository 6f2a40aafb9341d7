-- Group commit: the batches that wait at the same time are created by one call and one commit, each with its own outcome.

-- One index less, of three: the order in which a source is read tells entries apart as well. An entry's id is looked for
-- together with its source and date, by the attempt that comes after the one which stored it.
alter table ledger.entry drop constraint entry_pkey;
alter table ledger.entry add primary key (account_id, source_id, entry_date, entry_id);
drop index ledger.entry_page;

-- That its source is there was asked for each single entry, at a tenth of the cost of a batch. Now it is asked once for all
-- that a statement adds; that a source stays, is for the source itself to see to.
alter table ledger.entry drop constraint entry_account_id_source_id_fkey;

create function ledger.require_sources() returns trigger
language plpgsql
set enable_seqscan = off
as $$
begin
  if exists (select from (select distinct account_id, source_id from added) as named
              where (select true from ledger.source s
                      where s.account_id = named.account_id and s.source_id = named.source_id) is null) then
    raise exception 'an entry names a source that its account does not have'
      using errcode = 'foreign_key_violation', constraint = 'entry_has_source';
  end if;
  return null;
end
$$;

create trigger entry_has_source after insert on ledger.entry
  referencing new table as added
  for each statement execute function ledger.require_sources();

create function ledger.keep_source() returns trigger
language plpgsql
as $$
begin
  raise exception 'a source is removed by setting removed_at: its entries are tax records and stay'
    using errcode = 'restrict_violation';
end
$$;

create trigger source_stays before delete or update of account_id, source_id on ledger.source
  for each row execute function ledger.keep_source();

-- A source and a key can be named without their account, by an operator.
create index source_by_id on ledger.source using hash (source_id);
create index api_key_by_id on ledger.api_key using hash (key_id);

-- Each write counts up a number in its source: with room on the page the new version stays there, and no index hears of it.
alter table ledger.source set (fillfactor = 70);

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
-- p_waits: the call waits for the account. It is then for batches of one account only.
--
-- Relies on read committed: each statement of the body sees what had committed when it began.
create function ledger.create_batches(
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
returns table (batch integer, outcome text, added integer, detail jsonb)
language plpgsql
-- Planning it costs more than running it, and the plan is kept: made while a table is empty, it must be right when it is
-- not.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_locked uuid[];
  v_turns  integer[];
  v        record;
  v_from   integer;
  v_to     integer;
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
  select array_agg(turn order by n) into v_turns
    from (select n, row_number() over (partition by account_id order by n) as turn
            from unnest(p_account_ids) with ordinality as sent (account_id, n)) as numbered;

  for v_turn in 1 .. (select max(turn) from unnest(v_turns) as turn) loop
    for v in
      with sent as materialized (
        select *
          from unnest(p_batches, p_ids, p_dates, p_types, p_amounts, p_categories, p_descriptions, p_refs)
               with ordinality as sent (batch, id, date, type, amount, category, description, ref, n)
         where v_turns[batch] = v_turn
      ),
      -- Of two entries of a batch that have one reference, the first is created.
      named as materialized (
        select batch, ref, min(n) as n from sent where ref is not null group by batch, ref
      ),
      names as (
        select batch, array_agg(ref) as refs from named group by batch
      ),
      nameless as (
        select batch, min(n) as n from sent where ref is null group by batch
      ),
      -- In a snapshot younger than the locks: a key revoked while this call waited is seen as revoked. Each "offset 0"
      -- keeps what is looked up for one batch from becoming a join, which would be planned by how full the table is now.
      asked as materialized (
        select b.*, refs, caller.api_access, s.type as source_type, kept.fingerprint as kept_fingerprint, kept.entry_ids,
               -- Of entries without a reference one is enough to ask for: an earlier attempt of this very call has
               -- stored all of them or none.
               stored.found is not null as is_stored,
               coalesce(last.total, 0) as total,
               -- A clock that was set back must not let entries leave the window early.
               greatest(clock_timestamp(), last.written_at) as now
          from unnest(p_account_ids, p_key_hashes, p_source_ids, p_patience_ms, p_idempotency_keys, p_fingerprints,
                      p_sizes, v_turns)
               with ordinality
               as b (account_id, key_hash, source_id, patience_ms, idempotency_key, fingerprint, size, turn, batch)
          left join names using (batch)
          left join nameless using (batch)
          left join lateral (
            select true as found
              from ledger.entry e
             where e.account_id = b.account_id and e.source_id = b.source_id
               and e.entry_date = p_dates[nameless.n] and e.entry_id = p_ids[nameless.n]
            offset 0
          ) as stored on true
          left join lateral (
            select p.api_access
              from ledger.api_key k
              join ledger.account a on a.account_id = k.account_id
              join ledger.plan p on p.plan = a.plan
             where k.account_id = b.account_id and k.key_hash = b.key_hash and k.revoked_at is null
            offset 0
          ) as caller on true
          left join lateral (
            select type from ledger.source
             where account_id = b.account_id and source_id = b.source_id and removed_at is null
            offset 0
          ) as s on true
          left join lateral (
            select fingerprint, entry_ids from ledger.idempotency_key
             where account_id = b.account_id and idempotency_key = b.idempotency_key
               and used_at > clock_timestamp() - p_key_lifetime
            offset 0
          ) as kept on true
          left join lateral (
            select written_at, total from ledger.write_log l
             where l.account_id = b.account_id
             order by written_at desc, total desc
             limit 1
          ) as last on true
         where b.turn = v_turn
      ),
      known as materialized (
        select batch, e.external_ref as ref
          from asked
         cross join lateral (
           select external_ref
             from ledger.entry
            where account_id = asked.account_id and external_ref = any (asked.refs) and external_ref is not null
           offset 0
         ) as e
      ),
      -- From here on batches are found by their place in an array: a join by the number of the batch would be planned
      -- for a few, and visit every pair.
      found as materialized (
        select array_agg(source_type order by place) as source_types, array_agg(is_stored order by place) as are_stored
          from generate_series(1, cardinality(p_account_ids)) as place
          left join asked on batch = place
      ),
      -- What is there already is left out beforehand: to insert and meet a conflict costs more.
      fresh as materialized (
        select sent.*
          from found, sent
         where case
                 when ref is null then not are_stored[batch]
                 else n in (select n from named) and (batch, ref) not in (select batch, ref from known)
               end
      ),
      misplaced as materialized (
        select distinct batch
          from found,
               (select distinct batch, type, category from sent where category is not null) as kind
         where not exists (select from ledger.category c
                            where c.source_type = source_types[batch]
                              and c.entry_type = kind.type
                              and c.category = kind.category)
      ),
      used as materialized (
        select asked.*,
               total - coalesce(
                 (select l.total from ledger.write_log l
                   where l.account_id = asked.account_id and l.written_at <= now - p_window
                   order by l.written_at desc, l.total desc
                   limit 1),
                 0) as used
          from asked
      ),
      -- Only where the whole batch does not fit it matters how much of it is new. Counted before anything is inserted: to
      -- insert and roll back would leave the dead rows of every refused batch behind.
      counted as materialized (
        select used.*,
               case when used + size <= p_cap then size
                    else (select count(*) from fresh where fresh.batch = used.batch) end as creates
          from used
      ),
      judged as materialized (
        select counted.*,
               case
                 when not account_id = any (v_locked) then 'busy'
                 -- Measured from the statement's arrival, by this clock alone. To cancel the statement is not enough: a
                 -- cancellation that comes before the statement has begun is lost.
                 when clock_timestamp() - statement_timestamp() > patience_ms * interval '1 ms' then 'expired'
                 when api_access is null then 'invalid_key'
                 when not api_access then 'upgrade_required'
                 when kept_fingerprint <> fingerprint then 'idempotency_key_reused'
                 when kept_fingerprint is not null then 'repeated'
                 when source_type is null then 'source_not_found'
                 when batch in (select batch from misplaced) then 'invalid_categories'
                 when used + creates > p_cap and creates > 0 then 'daily_cap'
                 else 'created'
               end as outcome
          from counted
      ),
      accepted as materialized (
        select array_agg(outcome = 'created' order by place) as are_accepted
          from generate_series(1, cardinality(p_account_ids)) as place
          left join judged on batch = place
      ),
      inserted as (
        insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type,
                                  category, description, external_ref)
        select p_account_ids[batch], id, p_source_ids[batch], date, amount, type, category, description, ref
          from accepted, fresh
         where are_accepted[batch]
        returning account_id
      ),
      added as (
        select account_id, count(*)::integer as added from inserted group by account_id
      ),
      done as materialized (
        select judged.*, coalesce(added, 0) as added from judged left join added using (account_id)
      ),
      logged as (
        insert into ledger.write_log (account_id, written_at, created, total)
        select account_id, now, added, total + added from done where added > 0
      ),
      summed as (
        update ledger.source s
           set transaction_count = transaction_count + added
          from done
         where added > 0 and s.account_id = done.account_id and s.source_id = done.source_id
      )
      select * from done
    loop
      batch := v.batch;
      outcome := v.outcome;
      added := v.added;
      detail := null;
      v_from := 1 + (select coalesce(sum(size), 0) from unnest(p_sizes[:v.batch - 1]) as size);
      v_to := v_from + v.size - 1;

      if v.outcome = 'repeated' or v.outcome = 'created' and v.added < v.size then
        outcome := 'created';
        detail := jsonb_build_object('ids', v.entry_ids, 'existing', ledger.known_entries(
          v.account_id, v.source_id, coalesce(v.entry_ids, p_ids[v_from:v_to]), p_dates[v_from:v_to],
          p_types[v_from:v_to], p_amounts[v_from:v_to], p_categories[v_from:v_to], p_descriptions[v_from:v_to],
          p_refs[v_from:v_to]));
      elsif v.outcome = 'invalid_categories' then
        detail := jsonb_build_object('sourceType', v.source_type, 'indexes', (
          select jsonb_agg(n - 1 order by n)
            from unnest(p_types[v_from:v_to], p_categories[v_from:v_to]) with ordinality as sent (type, category, n)
           where category is not null
             and not exists (select from ledger.category c
                              where c.source_type = v.source_type
                                and c.entry_type = sent.type
                                and c.category = sent.category)));
      elsif v.outcome = 'daily_cap' then
        detail := jsonb_build_object(
          'fitsNow', greatest(p_cap - v.used, 0),
          -- Until the first write leaves the window after which this batch fits.
          'retryAfterMs', (
            select ceil(extract(epoch from written_at + p_window - clock_timestamp()) * 1000)
              from ledger.write_log l
             where l.account_id = v.account_id
               and l.written_at > v.now - p_window
               and v.total - l.total + v.creates <= p_cap
             order by l.written_at, l.total
             limit 1));
      end if;

      if v.outcome = 'created' and v.idempotency_key is not null then
        -- What is over its time, a bounded number: an account may have used very many.
        delete from ledger.idempotency_key k
         where k.account_id = v.account_id
           and k.idempotency_key = any (array(select old.idempotency_key
                                                from ledger.idempotency_key old
                                               where old.account_id = v.account_id
                                                 and old.used_at <= clock_timestamp() - p_key_lifetime
                                               order by old.used_at
                                               limit 1000));
        -- The key itself may be among those that are left. Where all entries were known, the answer needs no ids.
        insert into ledger.idempotency_key (account_id, idempotency_key, fingerprint, entry_ids, used_at)
        values (v.account_id, v.idempotency_key, v.fingerprint,
                case when coalesce(jsonb_array_length(detail->'existing'), 0) < v.size then p_ids[v_from:v_to] end,
                clock_timestamp())
        on conflict (account_id, idempotency_key) do update
           set fingerprint = excluded.fingerprint, entry_ids = excluded.entry_ids, used_at = excluded.used_at;
      end if;
      return next;
    end loop;
  end loop;
end
$$;

-- Workers of the version before call it for one batch, until the last of them is replaced.
create or replace function ledger.create_entries(
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
language sql
as $$
  select outcome,
         case when outcome = 'created'
              then jsonb_build_object('added', added, 'ids', detail->'ids', 'existing', coalesce(detail->'existing', '[]'))
              else detail end
    from ledger.create_batches(
           array[p_account_id], array[p_key_hash], array[p_source_id],
           array[(extract(epoch from p_patience) * 1000)::integer], array[p_idempotency_key], array[p_fingerprint],
           array[cardinality(p_ids)], array_fill(1, array[cardinality(p_ids)]), p_ids, p_dates, p_types, p_amounts,
           p_categories, p_descriptions, p_refs, p_cap, p_window, p_key_lifetime, true)
$$;
