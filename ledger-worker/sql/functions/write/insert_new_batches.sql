-- Creates the batches of a call that need nothing but an insert, in one statement: with a statement for each batch, 64 batches of one
-- entry take three times as long. These are batches without an idempotency key, of a locked account, which no check refuses and whose
-- entries are all new. Only the first batch of an account is one of them: the next must see what it has stored.
--
-- In: the batches, all entries, the accounts that are locked, and the daily cap. Out: the numbers of the batches that it has created.
--
-- Locks: the rows of ledger.source that it updates, for no key update.
create or replace function ledger.insert_new_batches(
  p_batches ledger.batch[],
  p_entries ledger.new_entry[],
  p_locked  uuid[],
  p_cap     integer,
  p_window  interval
)
returns integer[]
language plpgsql
as $$
#variable_conflict use_column
declare
  v_account_ids constant uuid[] := array(select account_id from unnest(p_batches));
  v_created     integer[];
begin
  -- Lookups are sub-selects: a join would be planned for the number of rows that the tables have now.
  with accepted as materialized (
    select *
      from (
        select sent.*, ordinality as batch, last.*, last_entry - first_entry + 1 as size,
               (select ledger.has_api_access(a.plan)
                  from ledger.api_key k
                  join ledger.account a on a.account_id = k.account_id
                 where k.account_id = sent.account_id and k.key_hash = sent.key_hash and k.revoked_at is null)
                 as api_access,
               (select s.type
                  from ledger.source s
                 where s.account_id = sent.account_id and s.source_id = sent.source_id and s.removed_at is null)
                 as source_type,
               coalesce(
                 (select l.total
                    from ledger.write_log l
                   where l.account_id = sent.account_id and l.written_at <= last.written_at - p_window
                   order by l.written_at desc, l.total desc
                   limit 1),
                 0) as total_before_window
          from unnest(p_batches) with ordinality as sent
         cross join lateral (
           -- If the clock was set back, entries must not leave the window early.
           select greatest(clock_timestamp(), max(written_at)) as written_at, coalesce(max(total), 0) as total
             from (select written_at, total
                     from ledger.write_log l
                    where l.account_id = sent.account_id
                    order by written_at desc, total desc
                    limit 1) as newest
         ) as last
         where ordinality = array_position(v_account_ids, account_id) and account_id = any (p_locked)
           -- Where the first entry is known, usually most are: this statement would look them all up, and create none.
           and (select true
                  from ledger.entry e
                 where e.account_id = sent.account_id and e.external_ref = p_entries[first_entry].external_ref
                   and e.external_ref is not null) is null
           and idempotency_key is null
           and clock_timestamp() - statement_timestamp() <= timeout_ms * interval '1 ms'
        -- Keeps the sub-selects from being evaluated again at each use.
        offset 0
      ) as found
     where api_access and source_type is not null and total - total_before_window + size <= p_cap
  ),
  sent as materialized (
    select accepted.account_id, accepted.source_id, source_type, sent.*
      from unnest(p_entries) with ordinality as sent
      join accepted using (batch)
  ),
  grouped as materialized (
    select account_id, source_id, batch, count(external_ref) > count(distinct external_ref) as has_duplicates,
           min(ordinality) filter (where external_ref is null) as without_ref
      from sent
     group by account_id, source_id, batch
  ),
  other as materialized (
    select batch
      from sent
     where category is not null and type || ' ' || category <> all (ledger.categories_of(source_type))
        or external_ref is not null
       and (select true
              from ledger.entry e
             where e.account_id = sent.account_id and e.external_ref = sent.external_ref and e.external_ref is not null)
    union all
    select batch
      from grouped
     where has_duplicates
        -- It is enough to look up one entry without a reference: an earlier attempt of a request has stored all or none of them.
        or (select true
              from ledger.entry e
             where e.account_id = grouped.account_id and e.source_id = grouped.source_id
               and e.entry_date = p_entries[without_ref].entry_date and e.entry_id = p_entries[without_ref].entry_id)
  ),
  fresh as materialized (
    select * from accepted where batch not in (select batch from other)
  ),
  inserted as (
    insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type,
                              category, description, external_ref)
    select account_id, entry_id, source_id, entry_date, amount_pence, type, category, description, external_ref
      from sent
     where batch in (select batch from fresh)
  ),
  logged as (
    insert into ledger.write_log (account_id, written_at, created, total)
    select account_id, written_at, size, total + size from fresh
  ),
  summed as (
    update ledger.source s
       set transaction_count = transaction_count + size
      from fresh
     where s.account_id = fresh.account_id and s.source_id = fresh.source_id
  )
  select array_agg(batch) into v_created from fresh;
  return v_created;
end
$$;
